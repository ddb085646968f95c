import PostgreSQL
import SQLite

/// An error of either database, in the classes that a store tells apart.
public struct DatabaseFault: Sendable, Equatable {
    /// What is wrong.
    public enum Kind: Sendable, Equatable {
        /// The disk is full, or the database has reached its maximum size.
        case noRoom
        /// The file is damaged, or is not a database.
        case damaged
        /// Another row already has the unique value of the named column.
        case duplicate(column: String)
        /// Anything else: the database cannot be reached, or the program made a mistake.
        case other
    }

    /// What is wrong.
    public let kind: Kind
    /// The database's own message, with its code.
    public let description: String

    /// Classifies an error; `nil` if it is not a database's.
    public init?(_ error: any Error) {
        switch error {
        case let error as SQLiteError:
            kind = Kind(error)
            description = error.description
        case let error as PostgreSQLError:
            kind = Kind(error)
            description = error.description
        default: return nil
        }
    }
}

extension DatabaseFault.Kind {
    fileprivate init(_ error: SQLiteError) {
        self =
            switch error.code {
            case .full: .noRoom
            case .corrupt, .notADatabase: .damaged
            case .constraint where error.isDuplicate: .duplicate(column: Self.column(in: error.message))
            default: .other
            }
    }

    /// Extracts the column name: `UNIQUE constraint failed: accounts.institution, accounts.login` → `login`.
    private static func column(in message: String) -> String {
        String(message.reversed().prefix { $0 != "." && $0 != " " }.reversed())
    }

    fileprivate init(_ error: PostgreSQLError) {
        self =
            switch error.kind {
            case .diskFull: .noRoom
            case .duplicate: .duplicate(column: Self.column(of: error.constraint ?? "", in: error.table ?? ""))
            default: .other
            }
    }

    /// Extracts the column that PostgreSQL names a constraint after: `accounts_login_key` of the table `accounts` →
    /// `login`. For several columns, returns all their names.
    private static func column(of constraint: String, in table: String) -> String {
        var name = constraint[...]
        if name.hasPrefix("\(table)_") { name = name.dropFirst(table.count + 1) }
        for end in ["_key", "_pkey", "_idx"] where name.hasSuffix(end) { return String(name.dropLast(end.count)) }
        return String(name)
    }
}
