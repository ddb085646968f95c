import Records
import SQLite
import Shared

/// Reads one view's history of a record.
struct History {
    let record: RecordID
    let view: RecordView

    /// Up to `limit` items below a version of the view, newest first, as far as the budget of a page goes; empty when
    /// there is no such record.
    func page(below version: Version?, limit: Int, on connection: Connection) throws -> [HistoryItem] {
        let find = "SELECT last_change FROM records WHERE id = ?"
        guard limit > 0, let last = try connection.first(find, .text(record.text), read: { $0.integer(0) }) else {
            return []
        }
        let trail = Trail(connection: connection)
        var places: [Int] = []
        // A change that left the view as it was has no version in it.
        try trail.walk(from: last, view == .full ? "full_version" : "released_version") { seq, row in
            if let found = row.optionalInteger(1), found < version ?? .max { places.append(seq) }
            return places.count < limit ? .onward : .enough
        }
        var (items, budget): ([HistoryItem], _) = ([], PageBudget())
        for place in places where !budget.isSpent {
            guard let item = try item(at: place, on: connection) else { continue }
            budget.take(item.size)
            items.append(item)
        }
        return items
    }

    private func item(at place: Int, on connection: Connection) throws -> HistoryItem? {
        let sql = """
            SELECT \(ChangeRow.columns), name_of, name
            FROM changes LEFT JOIN (SELECT id AS name_of, display_name AS name FROM accounts) ON name_of = account
            WHERE seq = ?
            """
        return try connection.first(sql, .integer(place)) { row in
            item(ChangeRow(row), account: row.optionalText(20), displayName: row.optionalText(21))
        }
    }

    private func item(_ row: ChangeRow, account: String?, displayName: String?) -> HistoryItem {
        HistoryItem(
            version: row.version(view) ?? 0, at: row.at, account: account.map { AccountID($0) },
            displayName: displayName, change: row.description(view), executable: row.executable)
    }
}
