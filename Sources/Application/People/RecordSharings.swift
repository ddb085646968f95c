import Accounts
import GradingKit
import Institutions
public import Live
public import People
import Records
public import Shared
import Synchronization

/// Students' choices of what they share of their records, and the shared document, which is the same for all its
/// readers.
public final class RecordSharings: Sendable {
    /// A student's sharing choice for a record.
    public struct Choice: Sendable {
        /// How much is shared, and with whom.
        public let sharing: RecordSharing
        /// Whether the institution allows sharing.
        public let isAllowed: Bool
        /// What others would see, for each extent of sharing.
        public let views: [(what: RecordSharing.Extent, view: SharedView)]
    }

    /// What a shared document was made from. As long as this is the same, so is the document's version.
    private struct Source: Equatable {
        let released: Version
        let what: RecordSharing.Extent
        let title: String?
    }

    private static let capacity = 10_000
    private let store: any PeopleStore
    private let records: RecordService
    private let profiles: Profiles
    private let projections: any ProjectionStore
    /// Whether the operator allows sharing.
    private let isEnabled: Bool
    /// The versions made most recently, so that comparing versions reads no document.
    private let made = Mutex<[RecordID: (source: Source, version: Version)]>([:])

    /// Creates the service over the store of people.
    init(
        store: any PeopleStore, records: RecordService, profiles: Profiles, projections: any ProjectionStore,
        isEnabled: Bool
    ) {
        self.store = store
        self.records = records
        self.profiles = profiles
        self.projections = projections
        self.isEnabled = isEnabled
    }

    // MARK: The owner

    /// Returns the caller's choice for one of his or her own records.
    ///
    /// - Throws: `not_found` for a record of another person, and for every record where the operator has turned sharing
    ///   off.
    public func choice(for id: RecordID, _ context: AccountContext) async throws -> Choice {
        let institution = try await own(id, context)
        guard let snapshot = try await records.store.snapshot(of: id) else { throw UseCaseError.notFound }
        let shared = try await store.shared(id)
        let standing = try JSON.parse(snapshot.content(.released).standing)
        return Choice(
            sharing: shared?.sharing ?? RecordSharing(), isAllowed: institution.sharing == .allowed,
            views: RecordSharing.Extent.allCases.map { ($0, SharedView(of: standing, $0)) })
    }

    /// Stores the caller's choice for one of his or her own records. Connections have been notified of the commit when
    /// this returns.
    ///
    /// - Throws: as ``choice(for:_:)``; a `FaultList` with `sharing_forbidden` where the institution does not allow
    ///   sharing.
    public func choose(_ edit: SharingEdit, for id: RecordID, _ context: AccountContext) async throws {
        _ = try await own(id, context)
        let act = context.audit()
        _ = try await store.changeSharing(of: id) { try PeoplePlans.sharing(edit.sharing, found: $0, by: act) }
    }

    /// Returns whether the caller may share a record: only its owner may, where the operator and the institution allow
    /// it.
    func mayShare(_ head: RecordHead, _ context: AccountContext) async throws -> Bool {
        guard isEnabled, head.student == context.account else { return false }
        return try await records.institutions.tenants.find(head.institution.text)?.sharing == .allowed
    }

    /// Returns the institution of a record that the caller owns and may read.
    private func own(_ id: RecordID, _ context: AccountContext) async throws -> Institution {
        guard isEnabled, let head = try await records.store.head(of: id), head.student == context.account,
            let program = try await records.institutions.programs.find(head.program),
            let institution = try await records.institutions.tenants.find(head.institution.text)
        else { throw UseCaseError.notFound }
        let decision = try await records.decision(.read, head, program, for: context.principal)
        guard case .allowed = decision else { throw UseCaseError.notFound }
        return institution
    }

    // MARK: The readers

    /// Returns whether a caller may read what is shared of a record. The reason for a `false` is never revealed.
    func mayRead(_ id: RecordID, as principal: Principal) async throws -> Bool {
        guard isEnabled, principal.account != nil else { return false }
        return try await mayRead(id, by: try await records.identity(of: principal))
    }

    /// Returns whether a requester may read what is shared of a record.
    func mayRead(_ id: RecordID, by requester: Requester) async throws -> Bool {
        guard isEnabled, let caller = requester.account, let shared = try await store.shared(id),
            let head = try await records.store.head(of: id), head.student == shared.owner,
            let institution = try await records.institutions.tenants.find(head.institution.text),
            try await isReader(shared.owner, in: institution)
        else { return false }
        let relation = caller == shared.owner ? Relation() : try await store.relation(of: caller, to: shared.owner)
        let decision = authorize(requester, .read, on: .shared(shared, in: institution, for: relation))
        if case .allowed = decision { return true }
        return false
    }

    /// Returns whether the owner's account is active and may still read his or her own records in the institution.
    private func isReader(_ owner: AccountID, in institution: Institution) async throws -> Bool {
        guard let account = try await profiles.account(owner), !account.isDisabled else { return false }
        let memberships = try await records.institutions.members.memberships(of: owner)
        return institution.letsOwnersRead(memberships.first { $0.institution == institution.id })
    }

    /// Returns the shared document of a record that the caller may read.
    ///
    /// - Throws: `not_found` where the caller may not read it.
    public func document(of id: RecordID, for context: AccountContext) async throws -> LiveDocument {
        guard try await mayRead(id, as: context.principal), let document = try await document(of: id) else {
            throw UseCaseError.notFound
        }
        return document
    }

    /// Returns the shared document of a record, without checking the reader. Its version rises only when its bytes
    /// change.
    func document(of id: RecordID) async throws -> LiveDocument? {
        do {
            var from: Source?
            let (revision, bytes) = try await projections.compose("shared/\(id)") {
                guard let snapshot = try await records.store.snapshot(of: id) else { throw Gone() }
                let source = try await source(id, snapshot.head.program, released: snapshot.releasedVersion)
                from = source
                return try await self.bytes(of: snapshot, source)
            }
            if let from { keep(from, revision.version, of: id) }
            return LiveDocument(revision: revision, bytes: bytes)
        } catch is Gone {
            return nil
        }
    }

    /// There is no such record.
    private struct Gone: Error {}

    /// Returns the newest version of the shared document, given the version of the released view; `nil` when the record
    /// is gone.
    func version(of id: RecordID, released: Version) async throws -> Version? {
        guard let head = try await records.store.head(of: id) else { return nil }
        let source = try await source(id, head.program, released: released)
        if let known = made.withLock({ $0[id] }), known.source == source { return known.version }
        return try await document(of: id)?.revision.version
    }

    private func source(_ id: RecordID, _ program: ProgramID, released: Version) async throws -> Source {
        Source(
            released: released, what: try await store.shared(id)?.sharing.what ?? .headline,
            title: try await records.institutions.programs.find(program)?.title)
    }

    private func keep(_ source: Source, _ version: Version, of id: RecordID) {
        made.withLock { made in
            if let known = made[id], known.version > version { return }
            if made.count >= Self.capacity, made[id] == nil { made = [:] }
            made[id] = (source, version)
        }
    }

    private func bytes(of snapshot: RecordSnapshot, _ source: Source) async throws -> [UInt8] {
        let standing = try JSON.parse(snapshot.content(.released).standing)
        var writer = JSONWriter()
        writer.object {
            $0.member("record", snapshot.head.id.text)
            $0.member("institution", snapshot.head.institution.text)
            $0.member("program", snapshot.head.program.text)
            $0.member("title", source.title)
            $0.member("scheme", standing["scheme"]?.string)
            $0.member("what", source.what.rawValue)
            SharedView(of: standing, source.what).writeMembers(to: &$0)
        }
        return writer.bytes
    }
}
