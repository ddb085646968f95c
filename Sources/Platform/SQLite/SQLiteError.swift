import CSQLite

/// An error that SQLite reports.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A result code; those that callers tell apart have names.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number in `sqlite3.h`.
        public let rawValue: Int32

        /// Creates a code from its number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Another connection holds the lock.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// The file does not exist, or may not be opened.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// A constraint of the schema is violated.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// The file is damaged.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// There is no room, on the disk or within `max_page_count`.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The statement was stopped before its end.
        public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        /// The operating system could not read, write or sync the file.
        public static let ioError = Code(rawValue: SQLITE_IOERR)
        /// The program made a mistake: an unknown table, a missing parameter.
        public static let misuse = Code(rawValue: SQLITE_ERROR)
        /// The file is not a database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// Memory ran out.
        public static let noMemory = Code(rawValue: SQLITE_NOMEM)
        /// The connection or the file is read-only.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
    }

    /// The class of failure.
    public let code: Code
    /// The exact failure, such as `SQLITE_IOERR_FSYNC`.
    public let extendedCode: Int32
    /// SQLite's own message.
    public let message: String

    /// Creates an error from its extended code.
    public init(extendedCode: Int32, message: String) {
        code = Code(rawValue: extendedCode & 0xff)
        self.extendedCode = extendedCode
        self.message = message
    }

    /// Whether a row with the same unique value or primary key exists already.
    public var isDuplicate: Bool {
        extendedCode == csqlite_constraint_unique || extendedCode == csqlite_constraint_primary_key
    }

    /// The message and the exact code.
    public var description: String { "\(message) (SQLite \(extendedCode))" }

    /// Throws the error of a result code; no other function does. Returns whether a row is ready.
    @discardableResult
    static func check(_ result: Int32, on database: OpaquePointer?) throws(SQLiteError) -> Bool {
        switch result {
        case SQLITE_OK, SQLITE_DONE: return false
        case SQLITE_ROW: return true
        default:
            let text = database.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
            throw SQLiteError(extendedCode: result, message: text.map { String(cString: $0) } ?? "unknown error")
        }
    }
}
