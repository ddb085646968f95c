import Database
import Records
import Shared

/// The history of a record as one view shows it.
struct History {
    let record: RecordID
    let view: RecordView

    /// Returns up to `limit` items below a version of the view, newest first. Stops early when the budget of a page is
    /// spent; returns nothing if the record does not exist.
    func page(below version: Version?, limit: Int, on connection: Connection) throws -> [HistoryItem] {
        let find = "SELECT last_change FROM records WHERE id = ?"
        guard limit > 0, let last = try connection.first(find, .text(record.text), read: { $0.integer(0) }) else {
            return []
        }
        let trail = Trail(connection: connection)
        var places: [Int] = []
        // A change that did not alter the view has no version in its column.
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
            FROM changes LEFT JOIN (SELECT id AS name_of, display_name AS name FROM accounts) AS names ON name_of = account
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
