import DataStore
import Records
import Shared
import StoreContract
import Synchronization
import TestKit

/// Two servers over one database. A seed says which of them does the next thing, and whose statements come first.
struct CrossedPlace: StoreUnderTest {
    private let first: PostgresPlace
    private let second: PostgresPlace
    private let link: Link

    /// What both have in common, also after they were opened again.
    private final class Link: Sendable {
        let database: StoreDatabase
        let interleaver: Interleaver
        private let chance: Mutex<Chance>

        init(seed: UInt64) throws {
            database = try StoreDatabase()
            interleaver = try Interleaver(database.settings, seed: seed)
            chance = Mutex(Chance(seed: seed))
        }

        var isFirst: Bool { chance.withLock { $0.next() >> 63 == 0 } }
    }

    init(seed: UInt64) throws { try self.init(Link(seed: seed)) }

    private init(_ link: Link) throws {
        self.link = link
        // Small groups, so that many meet.
        let settings = link.interleaver.settings
        first = try PostgresPlace.open(link.database, through: settings, groupsOf: 2)
        second = try PostgresPlace.open(
            link.database, through: settings, groupsOf: 2, telling: first.recorder)
    }

    private var next: PostgresPlace { link.isFirst ? first : second }

    var data: DataStore { next.data }
    var factory: any DataStoreFactory { first.factory }
    var commits: [Commit] { first.commits }

    func raiseAccess(of subject: AccessSubject) async throws { try await next.raiseAccess(of: subject) }
    func failToRaiseAccess(of subject: AccessSubject) async throws { try await next.failToRaiseAccess(of: subject) }
    func inOneBatch(_ changes: [@Sendable (any RecordStore) async throws -> Void]) async -> [(any Error)?] {
        await next.inOneBatch(changes)
    }

    func reopened() async throws -> any StoreUnderTest {
        await close()
        return try Self(link)
    }

    func afterCrash() async throws -> any StoreUnderTest { try await first.afterCrash() }
    func restored() async throws -> any StoreUnderTest { try await first.restored() }
    func otherPlace(_ name: String) -> any DataStoreFactory { first.otherPlace(name) }
    func backupPlace(_ name: String) -> String { first.backupPlace(name) }
    func small() async throws -> any StoreUnderTest { try await first.small() }
    func faults() async throws -> [String] { try await next.faults() }

    func close() async {
        await first.close()
        await second.close()
    }
}
