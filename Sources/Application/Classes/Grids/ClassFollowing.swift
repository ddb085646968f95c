import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
public import Live
import Records
public import Shared
import Synchronization

/// The live documents of classes: the class itself, the rows for its staff, and each student's own row.
public struct ClassFollowing: Sendable {
    private let classes: ClassService
    private let ownRows: OwnRows

    init(_ classes: ClassService, projections: any ProjectionStore) {
        self.classes = classes
        ownRows = OwnRows(classes, projections)
    }

    // MARK: Who

    /// Whether a caller may read something of a class as its staff. Reading is recorded.
    func mayRead(_ id: ClassID, _ sight: ClassSight, as principal: Principal) async throws -> Bool {
        guard let snapshot = try await classes.store.taughtClass(id),
            try await classes.mayRead(snapshot, principal, sight)
        else { return false }
        try await classes.records.readings.note(principal, reads: id, in: snapshot.head.institution, from: "live")
        return true
    }

    /// How a person who may read the grid of a class is shown to others in it; `nil` for machines.
    func participant(in id: ClassID, as principal: Principal) async throws -> Participant? {
        guard case .signedIn(let signedIn) = principal, let snapshot = try await classes.store.taughtClass(id) else {
            return nil
        }
        let account = signedIn.account
        guard let name = try await classes.records.names(of: [account])[account] else { return nil }
        return Participant(account, name: name, isWorking: try await classes.mayGrade(snapshot, principal))
    }

    /// Whether it is the caller's own row in a class that students see.
    func mayRead(_ row: EnrolmentID, as principal: Principal) async throws -> Bool {
        guard let found = try await classes.store.markedRow(row) else { return false }
        return try await classes.isOwn(found.enrolled, of: found.snapshot, principal)
    }

    // MARK: What

    /// The class for its staff. Its version is the one at which the class itself last changed.
    func document(of id: ClassID) async throws -> LiveDocument? {
        // Read before the class, so that the content is never older than its version.
        guard let mark = try await classes.store.marks(of: [id])[id],
            let snapshot = try await classes.store.taughtClass(id)
        else { return nil }
        let document = try await classes.document(of: snapshot)
        var writer = JSONWriter(capacity: 8_192)
        writer.object { writer in writer.member("class") { document.write(to: &$0) } }
        return LiveDocument(
            revision: Revision(epoch: classes.epoch, version: mark.restated), bytes: writer.bytes)
    }

    /// A student's own row, as released.
    func document(of row: EnrolmentID) async throws -> LiveDocument? { try await ownRows.document(of: row) }

    /// One part of the changed rows, of a group or of all students.
    func rows(of id: ClassID, _ group: GroupID?, at cursor: RowsCursor) async throws -> LiveRows? {
        try await classes.grids.rows(of: id, group, at: cursor, .message)?.rows
    }

    /// The versions of classes; deleted classes are absent.
    func marks(of ids: [ClassID]) async throws -> [ClassID: ClassMark] { try await classes.store.marks(of: ids) }

    /// The newest versions of students' own rows; deleted rows are absent.
    func versions(of rows: [EnrolmentID]) async throws -> [EnrolmentID: Version] {
        try await ownRows.versions(of: rows)
    }

    // MARK: Asked for

    /// The caller's own row of a class, or throws `not_found`.
    public func ownRow(_ row: EnrolmentID, for context: AccountContext) async throws -> LiveDocument {
        guard try await mayRead(row, as: context.principal), let document = try await document(of: row) else {
            throw UseCaseError.notFound
        }
        return document
    }

    /// The class for its staff, or throws `not_found`.
    public func taughtClass(_ id: ClassID, for context: AccountContext) async throws -> LiveDocument {
        _ = try await classes.permit(.read, id, .outline, for: context)
        guard let document = try await document(of: id) else { throw UseCaseError.notFound }
        return document
    }
}

/// Students' own rows as live documents. Their versions rise only when their bytes change, so a result that is not
/// released causes no update.
final class OwnRows: Sendable {
    private static let capacity = 20_000
    private let classes: ClassService
    private let projections: any ProjectionStore
    /// The basis and version of each document when it was last made.
    private let made = Mutex<[EnrolmentID: (mark: RowMark, version: Version)]>([:])

    init(_ classes: ClassService, _ projections: any ProjectionStore) {
        self.classes = classes
        self.projections = projections
    }

    /// The document in the language of the institution; `nil` for a row that students do not see.
    func document(of row: EnrolmentID) async throws -> LiveDocument? {
        do {
            var mark: RowMark?
            let (revision, bytes) = try await projections.compose("row/\(row)") {
                let made = try await compose(row)
                mark = made.mark
                return made.bytes
            }
            if let mark { keep(mark, revision.version, of: row) }
            return LiveDocument(revision: revision, bytes: bytes)
        } catch is Unseen {
            return nil
        }
    }

    /// Students do not see the row.
    private struct Unseen: Error {}

    private func compose(_ row: EnrolmentID) async throws -> (mark: RowMark, bytes: [UInt8]) {
        guard let found = try await classes.store.markedRow(row), found.snapshot.head.state != .draft,
            let programVersion = found.mark.programVersion, let student = found.enrolled.enrolment.student,
            let program = try await classes.records.institutions.programs.find(found.snapshot.head.program)
        else { throw Unseen() }
        let rules = try await classes.records.rulesCache.rules(of: program, version: programVersion)
        let bytes = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await classes.rowDocument(
                of: found.enrolled, in: found.snapshot, under: rules, isOwn: true, in: rules.language,
                asking: .account(student))
        }
        return (found.mark, bytes)
    }

    /// The newest versions. A document is made again only if its basis has changed.
    func versions(of rows: [EnrolmentID]) async throws -> [EnrolmentID: Version] {
        var versions: [EnrolmentID: Version] = [:]
        for (row, mark) in try await classes.store.marks(of: rows) {
            if let known = made.withLock({ $0[row] }), known.mark == mark {
                versions[row] = known.version
            } else {
                versions[row] = try await document(of: row)?.revision.version
            }
        }
        return versions
    }

    private func keep(_ mark: RowMark, _ version: Version, of row: EnrolmentID) {
        made.withLock { made in
            if let known = made[row], known.version > version { return }
            if made.count >= Self.capacity, made[row] == nil { made = [:] }
            made[row] = (mark, version)
        }
    }
}
