import PostgreSQL
import SQLite

/// The current row of a statement, lent to a closure, which cannot keep it.
///
/// Columns count from 0. A column that is read as another type is converted, and NULL (or a column that does not
/// exist) reads as zero or empty; the `optional…` forms return `nil` for NULL.
public struct Row: ~Copyable {
    private enum Source: ~Copyable {
        case sqlite(SQLiteRow)
        case postgreSQL(PostgreSQLRow)
    }

    private let source: Source

    init(_ row: borrowing SQLiteRow) { source = .sqlite(SQLiteRow(lending: row)) }

    init(_ row: borrowing PostgreSQLRow) { source = .postgreSQL(PostgreSQLRow(lending: row)) }

    /// Returns whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool {
        switch source {
        case .sqlite(let row): row.isNull(column)
        case .postgreSQL(let row): row.isNull(column)
        }
    }

    /// Returns a number.
    public func integer(_ column: Int32) -> Int {
        switch source {
        case .sqlite(let row): row.integer(column)
        case .postgreSQL(let row): row.integer(column)
        }
    }

    /// Returns whether a number is not zero, or a condition is true.
    public func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

    /// Returns the bytes of a blob, or of a text in UTF-8.
    public func bytes(_ column: Int32) -> [UInt8] {
        switch source {
        case .sqlite(let row): row.bytes(column)
        case .postgreSQL(let row): row.bytes(column)
        }
    }

    /// Returns a text.
    public func text(_ column: Int32) -> String {
        switch source {
        case .sqlite(let row): row.text(column)
        case .postgreSQL(let row): row.text(column)
        }
    }

    /// Returns a number, or `nil` for NULL.
    public func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    /// Returns bytes, or `nil` for NULL.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// Returns a text, or `nil` for NULL.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}
