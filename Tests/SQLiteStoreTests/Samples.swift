import GradingKit
import Records
import SQLiteStore
import Shared

extension AuditEntry {
    static func sample(_ action: String, detail: String? = nil) -> AuditEntry {
        AuditEntry(
            institution: InstitutionID("school"), at: Timestamp(microseconds: 5), account: AccountID("registrar"),
            source: "127.0.0.1", action: action, subject: "subject", detail: detail.map { Array($0.utf8) })
    }
}

extension SQLiteStore {
    func context(by account: String) -> WriteContext {
        WriteContext(
            account: AccountID(account), source: "127.0.0.1", at: Timestamp(microseconds: 5), view: .full,
            expected: nil,
            idempotency: nil, access: AccessVersions())
    }

    private static func amendment(_ text: String, _ executable: SchemeExecutable? = nil) -> Amendment {
        let bytes = Array("\"\(text)\"".utf8)
        return Amendment(
            programVersion: 1, executable: executable, full: RecordContent(tree: bytes, standing: bytes), released: nil,
            change: ChangeDescription(
                operation: "patch", entry: "e", before: nil, after: bytes, figures: Array("{}".utf8), reason: "why"),
            releasedChange: nil
        ) { _ in StoredAnswer(.changed, body: []) }
    }

    /// Stores a new record of the account `student`.
    func make(_ id: String, by account: String, computedBy executable: SchemeExecutable? = nil) async throws {
        let head = RecordHead(
            id: RecordID(id), institution: InstitutionID("school"), program: ProgramID("program"), programVersion: 1,
            student: AccountID("student"), createdAt: Timestamp(microseconds: 1))
        _ = try await create(head, as: Self.amendment("a", executable), by: context(by: account))
    }

    func put(
        _ text: String, in id: String, by account: String, computedBy executable: SchemeExecutable? = nil
    ) async throws {
        _ = try await amend(RecordID(id), by: context(by: account)) { _ in Self.amendment(text, executable) }
    }
}
