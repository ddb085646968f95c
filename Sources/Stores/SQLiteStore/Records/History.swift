import Records
import SQLite
import Storage

/// Reads one view's history of a record.
struct History {
    let record: RecordID
    let view: RecordView

    /// Up to `limit` items below a version of the view, newest first; empty when there is no such record.
    func page(below version: Version?, limit: Int, on connection: Connection) throws -> [HistoryItem] {
        let find = "SELECT institution FROM records WHERE id = ?"
        guard let institution = try connection.first(find, .text(record.text), read: { $0.text(0) }) else { return [] }
        let sql = """
            SELECT \(ChangeRow.columns), name_of, name
            FROM changes LEFT JOIN (SELECT id AS name_of, display_name AS name FROM accounts) ON name_of = account
            WHERE institution = ? AND record = ? AND \(versionColumn) < ?
            ORDER BY full_version DESC LIMIT ?
            """
        return try connection.all(
            sql, .text(institution), .text(record.text), .integer(version ?? .max), .integer(max(0, limit))
        ) { row in
            item(ChangeRow(row), account: row.optionalText(19), displayName: row.optionalText(20))
        }
    }

    /// A change that left the view as it was has no version in it, and NULL is below nothing.
    private var versionColumn: String { view == .full ? "full_version" : "released_version" }

    private func item(_ row: ChangeRow, account: String?, displayName: String?) -> HistoryItem {
        HistoryItem(
            version: view == .full ? row.fullVersion : row.releasedVersion ?? 0, at: row.at,
            account: account.map { AccountID($0) }, displayName: displayName,
            change: view == .full ? row.change : row.releasedChange ?? row.change)
    }
}
