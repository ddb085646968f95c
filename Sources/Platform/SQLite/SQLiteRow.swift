import CSQLite

/// The current row of a statement, lent to a closure, which cannot keep it.
///
/// Columns count from 0. As in SQLite, a column that is read as another type is converted, and NULL (or a column that
/// does not exist) reads as zero or empty; the `optional…` forms return `nil` for NULL.
public struct SQLiteRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Creates a second value for the same row, which must not outlive the first.
    package init(lending row: borrowing SQLiteRow) { statement = row.statement }

    /// Returns whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// Returns a number.
    public func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    /// Returns whether a number is not zero.
    public func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

    /// Returns the bytes of a blob, or of a text as stored.
    public func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Returns a text.
    public func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    /// Returns a number, or `nil` for NULL.
    public func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    /// Returns bytes, or `nil` for NULL.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// Returns a text, or `nil` for NULL.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    private func withBytes<Value>(_ column: Int32, _ read: (UnsafeRawBufferPointer) -> Value) -> Value {
        // SQLite demands the pointer before the length. Both are valid until the next step, and the buffer does not
        // outlive this call. NULL and the empty blob have no pointer and length 0.
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return read(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
