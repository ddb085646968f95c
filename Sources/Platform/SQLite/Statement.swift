import CSQLite

/// A prepared statement, finalised when the last reference goes. Used by one ``Connection`` only.
final class Statement {
    let handle: OpaquePointer
    private let database: OpaquePointer
    private var isTaken = false

    /// Prepares the first statement of `sql`.
    init(_ sql: String, on database: OpaquePointer) throws(SQLiteError) {
        var prepared: OpaquePointer?
        // Persistent: the connection keeps it for its lifetime, so it should not use lookaside memory.
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try SQLiteError.check(sqlite3_prepare_v3(database, sql, -1, flags, &prepared, nil), on: database)
        guard let prepared else {
            throw SQLiteError(extendedCode: SQLITE_ERROR, message: "the SQL text holds no statement")
        }
        handle = prepared
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Makes it the caller's until `rewind`; `false` while it is another's.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Binds every parameter, in order.
    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(extendedCode: SQLITE_RANGE, message: "the statement takes another number of values")
        }
        var index: Int32 = 0
        for value in values {
            index += 1
            try SQLiteError.check(bind(value.content, at: index), on: database)
        }
    }

    /// Runs to the next row; `false` at the end.
    func step() throws(SQLiteError) -> Bool {
        try SQLiteError.check(sqlite3_step(handle), on: database)
    }

    /// Makes ready for another run, and lets go of what was bound.
    func rewind() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isTaken = false
    }

    private func bind(_ content: SQLiteValue.Content, at index: Int32) -> Int32 {
        switch content {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bindText(UnsafeRawBufferPointer($0), at: index) }
        case .utf8(let bytes):
            return bytes.withUnsafeBytes { bindText($0, at: index) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { buffer in
                // An empty array may have no address, which would bind NULL.
                guard let start = buffer.baseAddress else { return sqlite3_bind_zeroblob(handle, index, 0) }
                return sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), csqlite_transient())
            }
        }
    }

    private func bindText(_ buffer: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        guard let start = buffer.baseAddress else {
            return sqlite3_bind_text(handle, index, "", 0, csqlite_transient())
        }
        // SQLite copies the bytes before it returns (transient), so the buffer may end with the call.
        let characters = start.assumingMemoryBound(to: CChar.self)
        return sqlite3_bind_text64(
            handle, index, characters, UInt64(buffer.count), csqlite_transient(), UInt8(SQLITE_UTF8))
    }
}
