import SQLite

/// A record's changes, followed from the last one back.
///
/// A change only ever names an earlier one; a damaged file whose changes name later ones ends the walk instead of
/// keeping it going for ever.
struct Trail {
    let connection: Connection

    /// Whether to go on.
    enum Step {
        case onward
        case enough
    }

    /// Reads changes backwards from `last`, until `visit` has enough. Column 0 is `previous`; `columns` follow it.
    func walk(from last: Int, _ columns: String, visit: (_ seq: Int, borrowing Row) throws -> Step) throws {
        let sql = "SELECT previous, \(columns) FROM changes WHERE seq = ?"
        var next: Int? = last
        while let seq = next {
            next =
                try connection.first(sql, .integer(seq)) { row in
                    guard try visit(seq, row) == .onward, let previous = row.optionalInteger(0) else { return nil }
                    return previous < seq ? previous : nil
                } ?? nil
        }
    }
}
