public import Accounts
import GradingKit
public import Institutions
public import Records
public import Shared
import Synchronization

/// The audit of staff who read another person's record: at most one line an hour for each reader and record.
public final class ReadAuditLog: Sendable {
    private struct Reading: Hashable {
        let reader: AccountID
        /// The identifier of the record or the class.
        let subject: String
        let hour: Int64
    }

    private static let capacity = 50_000
    private let clock: WallClock
    private let trail: any AuditTrail
    /// Readings known to be in the trail. They only save asking the store, which makes the decision.
    private let known = Mutex<Set<Reading>>([])

    /// Creates a log that appends to the given trail.
    public init(clock: WallClock, trail: any AuditTrail) {
        self.clock = clock
        self.trail = trail
    }

    /// Records that a principal reads a record, unless this is already recorded for the current hour. Call this before
    /// anything is shown.
    public func note(_ principal: Principal, reads head: RecordHead, from source: String) async throws {
        try await note(principal, "record.read", of: head.id.text, in: head.institution, from: source)
    }

    /// Records that a principal reads the rows or the ledger of a class, or follows it, unless this is already recorded
    /// for the current hour. Call this before anything is shown.
    func note(
        _ principal: Principal, reads id: ClassID, in institution: InstitutionID, from source: String
    ) async throws {
        try await note(principal, "class.read", of: id.text, in: institution, from: source)
    }

    /// Records that a caller takes the results of a class away as a file of a format. Call this before anything is sent.
    func note(
        _ context: AccountContext, exports id: ClassID, as format: String, in institution: InstitutionID
    ) async throws {
        let act = AuditContext(by: context.account, from: context.client.source, at: clock.now)
        let detail: JSON = ["format": .string(format)]
        try await trail.append(act.entry("class.exported", of: id.text, in: institution, detail: detail.bytes))
    }

    private func note(
        _ principal: Principal, _ action: String, of subject: String, in institution: InstitutionID,
        from source: String
    ) async throws {
        guard let reader = principal.account else { return }
        let now = clock.now
        let reading = Reading(reader: reader, subject: subject, hour: now.microseconds / 3_600_000_000)
        guard !known.withLock({ $0.contains(reading) }) else { return }
        let act = AuditContext(by: reader, from: source, at: now)
        _ = try await trail.appendHourly(act.entry(action, of: subject, in: institution))
        known.withLock { known in
            if known.count >= Self.capacity { known = known.filter { $0.hour == reading.hour } }
            if known.count < Self.capacity { known.insert(reading) }
        }
    }

    /// Records that a caller read a page of a program's records, as one line for the whole page. Call this before
    /// anything is shown.
    public func note(
        _ context: AccountContext, lists records: [(id: RecordID, student: AccountID?)], of program: Program,
        student: AccountID? = nil
    ) async throws {
        let others = records.filter { $0.student != context.account }
        guard let first = others.first, let last = others.last else { return }
        let detail: JSON = [
            "student": .text(student?.text), "records": .number(String(others.count)), "first": .string(first.id.text),
            "last": .string(last.id.text),
        ]
        let act = AuditContext(by: context.account, from: context.client.source, at: clock.now)
        try await trail.append(
            act.entry("records.listed", of: program.id.text, in: program.institution, detail: detail.bytes))
    }
}
