import CSQLite

/// Why SQLite refused.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A result code; the named ones are those that callers tell apart.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number in `sqlite3.h`.
        public let rawValue: Int32

        /// A code by its number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Another connection holds the lock.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// The file is not there, or may not be opened.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// A constraint of the schema is violated.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// The file contradicts itself.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// No room, on the disk or within `max_page_count`.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The statement was stopped before its end.
        public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        /// The operating system could not read, write or sync the file.
        public static let ioError = Code(rawValue: SQLITE_IOERR)
        /// A call of the program was wrong: an unknown table, a missing parameter.
        public static let misuse = Code(rawValue: SQLITE_ERROR)
        /// The file is no database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// Memory ran out.
        public static let noMemory = Code(rawValue: SQLITE_NOMEM)
        /// The connection or the file may only be read.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
    }

    /// The class of failure.
    public let code: Code
    /// The exact failure, such as `SQLITE_IOERR_FSYNC`.
    public let extendedCode: Int32
    /// SQLite's own words.
    public let message: String

    /// An error by its extended code.
    public init(extendedCode: Int32, message: String) {
        code = Code(rawValue: extendedCode & 0xff)
        self.extendedCode = extendedCode
        self.message = message
    }

    /// Whether a row with the same unique value or primary key is already there.
    public var isDuplicate: Bool {
        extendedCode == csqlite_constraint_unique || extendedCode == csqlite_constraint_primary_key
    }

    /// The message and the exact code.
    public var description: String { "\(message) (SQLite \(extendedCode))" }

    /// Turns a result code into an error: the only place that does. Answers whether a row is ready.
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
