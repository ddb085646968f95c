import Accounts
import GradingKit
import Institutions
import Records
import Shared
import Synchronization

/// Records that staff looked at somebody else's record: once an hour for each reader and record, not at every glance.
final class ReadAuditLog: Sendable {
    private struct Reading: Hashable {
        let reader: AccountID
        let record: RecordID
        let hour: Int64
    }

    private static let capacity = 50_000
    private let clock: WallClock
    private let write: @Sendable (AuditEntry) async throws -> Void
    private let known = Mutex<Set<Reading>>([])

    init(clock: WallClock, write: @escaping @Sendable (AuditEntry) async throws -> Void) {
        self.clock = clock
        self.write = write
    }

    /// Writes the line, unless it stands there already. Nothing is shown before it is recorded.
    func note(_ principal: Principal, reads head: RecordHead, from source: String) async throws {
        guard let reader = principal.signedIn?.account else { return }
        let now = clock.now
        let reading = Reading(reader: reader, record: head.id, hour: now.microseconds / 3_600_000_000)
        guard !known.withLock({ $0.contains(reading) }) else { return }
        let act = AuditContext(by: reader, from: source, at: now)
        try await write(act.entry("record.read", of: head.id.text, in: head.institution))
        known.withLock { known in
            if known.count >= Self.capacity { known = known.filter { $0.hour == reading.hour } }
            if known.count < Self.capacity { known.insert(reading) }
        }
    }

    /// Writes that somebody went through a page of a program's records, one line a page, however many people are on it.
    func note(
        _ principal: Principal, lists records: [(id: RecordID, student: AccountID?)], of program: Program,
        student: AccountID? = nil, from source: String
    ) async throws {
        guard let reader = principal.signedIn?.account else { return }
        let others = records.filter { $0.student != reader }
        guard let first = others.first, let last = others.last else { return }
        let detail: JSON = [
            "student": .text(student?.text), "records": .number(String(others.count)), "first": .string(first.id.text),
            "last": .string(last.id.text),
        ]
        let act = AuditContext(by: reader, from: source, at: clock.now)
        try await write(
            act.entry("records.listed", of: program.id.text, in: program.institution, detail: detail.bytes))
    }
}
