import SQLite
import Shared

extension StoreError {
    /// Translates an error of the database or the system for the layers above; other errors pass unchanged.
    static func translating(_ error: any Error) -> any Error {
        switch error {
        case let error as SQLiteError: StoreError(error)
        case let error as SystemError: StoreError.unavailable(error.description)
        default: error
        }
    }

    init(_ error: SQLiteError) {
        switch error.code {
        case .full:
            self = .full
        case .corrupt, .notADatabase:
            self = .incompatible(error.description)
        case .constraint where error.isDuplicate:
            self = .taken(field: Self.column(in: error.message))
        default:
            self = .unavailable(error.description)
        }
    }

    /// Extracts the column name: `UNIQUE constraint failed: accounts.institution, accounts.login` → `login`.
    private static func column(in message: String) -> String {
        let name = message.reversed().prefix { $0 != "." && $0 != " " }
        return String(name.reversed())
    }
}
