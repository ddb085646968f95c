import SQLite
import Shared

/// How a trail is named in the tables: by its institution, or by nothing for the server's own.
enum AuditScope {
    static func text(_ institution: InstitutionID?) -> String { institution?.text ?? "" }
}

/// A line of the audit trail in its place.
struct AuditLine {
    /// Its number in its trail, from 1, without gaps.
    let number: Int
    /// What it says; the detail is `nil` when there was none or it was erased.
    let entry: AuditEntry

    /// What is hashed by digest only, so that it can be erased.
    var particulars: HashedText {
        var text = HashedText()
        text.append(entry.detail)
        return text
    }

    /// What is hashed into the chain itself.
    var metadata: HashedText {
        var text = HashedText()
        text.append("audit")
        text.append(AuditScope.text(entry.institution))
        text.append(number)
        text.append(Int(entry.at.microseconds))
        text.append(entry.account?.text)
        text.append(entry.source)
        text.append(entry.action)
        text.append(entry.subject)
        return text
    }

}

extension AuditLine {
    /// The columns that ``init(_:)`` reads, in its order.
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
