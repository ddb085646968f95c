import Shared
import TestKit

/// A store's audit trail that remembers the lines it appends.
struct RecordingTrail: AuditTrail {
    private let lines: Recorder<AuditEntry>
    private let trail: any AuditTrail

    init(_ lines: Recorder<AuditEntry>, before trail: any AuditTrail) {
        self.lines = lines
        self.trail = trail
    }

    func append(_ entry: AuditEntry) async throws {
        try await trail.append(entry)
        lines.record(entry)
    }

    func appendHourly(_ entry: AuditEntry) async throws -> Bool {
        guard try await trail.appendHourly(entry) else { return false }
        lines.record(entry)
        return true
    }
}
