import Database
import Shared

extension AuditLine {
    /// The columns that ``init(_:)`` reads, in order.
    static let columns = "number, scope, at, account, source, action, subject, detail"

    init(_ row: borrowing Row) {
        let scope = row.text(1)
        self.init(
            number: row.integer(0),
            entry: AuditEntry(
                institution: scope.isEmpty ? nil : InstitutionID(scope),
                at: Timestamp(microseconds: Int64(row.integer(2))),
                account: row.optionalText(3).map { AccountID($0) }, source: row.text(4), action: row.text(5),
                subject: row.text(6), detail: row.optionalBytes(7)))
    }
}
