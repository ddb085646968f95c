import CSQLite
import SQL

/// A prepared statement, finalised with its last reference. Only one ``SQLiteConnection`` uses it.
final class Statement {
    let handle: OpaquePointer
    /// Whether the statement may change the file.
    let writes: Bool
    private let database: OpaquePointer
    private var isTaken = false
    /// The texts and blobs that are bound, one after the other.
    private var bound = BoundBytes()

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
        writes = sqlite3_stmt_readonly(prepared) == 0
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
        bound.release()
    }

    /// Reserves the statement for the caller until `rewind`; `false` if it is already reserved.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Binds every parameter, in order.
    func bind(_ values: Span<SQLValue>) throws(SQLiteError) {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(extendedCode: SQLITE_RANGE, message: "the statement takes another number of values")
        }
        var count = 0
        for place in values.indices { count += values[place].content.byteCount }
        bound.makeRoom(for: count)
        for place in values.indices {
            try SQLiteError.check(bind(values[place].content, at: Int32(place) + 1), on: database)
        }
    }

    /// Runs to the next row; returns `false` at the end.
    func step() throws(SQLiteError) -> Bool {
        try SQLiteError.check(sqlite3_step(handle), on: database)
    }

    /// Resets the statement for another run, and drops what was bound.
    func rewind() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        bound.clear()
        isTaken = false
    }

    private func bind(_ content: SQLValue.Content, at index: Int32) -> Int32 {
        switch content {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bindText(bound.add(UnsafeRawBufferPointer($0)), at: index) }
        case .utf8(let bytes):
            return bytes.withUnsafeBytes { bindText(bound.add($0), at: index) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { bytes in
                let copy = bound.add(bytes)
                // No destructor: the bytes stay where they are until the bindings are cleared.
                return sqlite3_bind_blob64(handle, index, copy.baseAddress, UInt64(copy.count), nil)
            }
        }
    }

    private func bindText(_ copy: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        let characters = copy.baseAddress?.assumingMemoryBound(to: CChar.self)
        return sqlite3_bind_text64(handle, index, characters, UInt64(copy.count), nil, UInt8(SQLITE_UTF8))
    }
}

/// The memory of a statement's values while it runs. The next run reuses it, so that SQLite need not allocate memory
/// for each value.
private struct BoundBytes {
    /// The most memory that is kept after a run, in bytes; few statements need more for long.
    private static let greatestKept = 64 * 1024

    // Replaced only between runs, when nothing is bound. It is never empty, so each value has an address in it: SQLite
    // treats a value without one as NULL.
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0

    /// Makes room for so many bytes, before the first of them is added.
    mutating func makeRoom(for count: Int) {
        guard memory.count <= count else { return }
        memory.deallocate()
        memory = .allocate(byteCount: count + 256, alignment: 16)
    }

    /// Copies the bytes of a value after those of the others.
    ///
    /// - Returns: the copy, which stays until `clear`.
    mutating func add(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        // Room was made for all of them; a slice that does not fit would trap.
        let copy = UnsafeMutableRawBufferPointer(rebasing: memory[used..<(used + bytes.count)])
        copy.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(copy)
    }

    /// Drops the values, and also memory that is too large to keep.
    mutating func clear() {
        used = 0
        if memory.count > Self.greatestKept { release() }
    }

    /// Releases the memory.
    mutating func release() {
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}

extension SQLValue.Content {
    /// The size of the text or blob in bytes; 0 for other values.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .utf8(let bytes), .blob(let bytes): bytes.count
        }
    }
}
