import GradingKit
import Live
import Records
import Shared
import Synchronization

/// The list of an account's records as a live document: a projection, whose version is assigned when it is stored.
///
/// What is stored of it is the version and a digest; the list itself is composed from the records when it is read.
final class RecordLists: Sendable {
    /// The greatest number of records in the document.
    private static let longest = 50
    private static let capacity = 20_000

    private let records: RecordService
    private let projections: any ProjectionStore
    /// The records that each list was last made of, with their versions, and the list's version.
    private let made = Mutex<[AccountID: (of: [RecordID: Version], version: Version)]>([:])

    init(records: RecordService, projections: any ProjectionStore) {
        self.records = records
        self.projections = projections
    }

    private static func name(_ account: AccountID) -> String { "records/\(account)" }

    /// The list as it is now, under a version of its own.
    func document(of account: AccountID) async throws -> LiveDocument {
        var mark: [RecordID: Version] = [:]
        let (revision, bytes) = try await projections.compose(Self.name(account)) {
            mark = try await self.mark(of: account)
            let page = try await RecordList(records).own(account, limit: Self.longest)
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("items") { writer in
                    writer.array { for item in page.items { $0.raw(item.line) } }
                }
            }
            return writer.bytes
        }
        if projections.hasOtherWriters { keep(mark, revision.version, of: account) }
        return LiveDocument(revision: revision, bytes: bytes)
    }

    /// The version last assigned; `nil` before the first. Where other nodes change records, the list is composed first if
    /// they have.
    func version(of account: AccountID) async throws -> Version? {
        guard projections.hasOtherWriters else { return try await projections.version(of: Self.name(account)) }
        let mark = try await mark(of: account)
        if let known = made.withLock({ $0[account] }), known.of == mark { return known.version }
        return try await document(of: account).revision.version
    }

    private func mark(of account: AccountID) async throws -> [RecordID: Version] {
        guard projections.hasOtherWriters else { return [:] }
        return try await records.store.releasedVersions(of: account, limit: Self.longest)
    }

    private func keep(_ mark: [RecordID: Version], _ version: Version, of account: AccountID) {
        made.withLock { made in
            if let known = made[account], known.version > version { return }
            if made.count >= Self.capacity, made[account] == nil { made = [:] }
            made[account] = (mark, version)
        }
    }
}
