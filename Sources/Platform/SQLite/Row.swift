import CSQLite

/// The row a statement stands on, lent to a closure; it cannot be kept.
///
/// Columns count from 0. As in SQLite, a column read as another type than its own is converted, and NULL (or a
/// column that is not there) reads as zero or empty; the `optional…` forms tell NULL apart.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// A number.
    public func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    /// A number other than zero is true.
    public func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

    /// The bytes of a blob, or of a text as stored.
    public func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Text.
    public func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    /// A number, or `nil` for NULL.
    public func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    /// Bytes, or `nil` for NULL.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// Text, or `nil` for NULL.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    private func withBytes<Value>(_ column: Int32, _ read: (UnsafeRawBufferPointer) -> Value) -> Value {
        // The pointer is asked for before the length, as SQLite demands; both hold until the next step, and the
        // buffer does not outlive this call. NULL and the empty blob have no pointer and length 0.
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return read(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
