import Database

/// A walk over a record's changes, backwards from the last one.
///
/// A change may only refer to an earlier one. If a damaged file refers to a later one, the walk ends instead of
/// looping.
struct Trail {
    let connection: Connection

    /// Whether to continue the walk.
    enum Step {
        case onward
        case enough
    }

    /// Reads changes backwards from `last` until `visit` returns `enough`. Column 0 is `previous`; `columns` follow it.
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
