internal import CPostgreSQL

/// A row of a result, lent to a closure, which cannot keep it.
///
/// Columns count from 0. As with SQLite, a column that is read as another type is converted, and NULL (or a column that
/// does not exist) reads as zero or empty; the `optional…` forms return `nil` for NULL. A text that holds no number
/// reads as zero, and a Boolean as 1 or 0.
public struct PostgreSQLRow: ~Copyable {
    private let result: OpaquePointer
    private let row: Int32

    init(_ result: OpaquePointer, row: Int32) {
        self.result = result
        self.row = row
    }

    /// Creates a second value for the same row, which must not outlive the first.
    package init(lending row: borrowing PostgreSQLRow) {
        result = row.result
        self.row = row.row
    }

    /// Returns whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool { !has(column) || PQgetisnull(result, row, column) != 0 }

    /// Returns a number.
    public func integer(_ column: Int32) -> Int { read(column)?.integer ?? 0 }

    /// Returns whether a Boolean is true, or a number is not zero.
    public func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

    /// Returns the bytes of a BYTEA, or of a text in UTF-8.
    public func bytes(_ column: Int32) -> [UInt8] { read(column)?.bytes ?? [] }

    /// Returns a text.
    public func text(_ column: Int32) -> String { read(column)?.text ?? "" }

    /// Returns a number, or `nil` for NULL.
    public func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    /// Returns a Boolean, or `nil` for NULL.
    public func optionalBoolean(_ column: Int32) -> Bool? { isNull(column) ? nil : boolean(column) }

    /// Returns bytes, or `nil` for NULL.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// Returns a text, or `nil` for NULL.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    private func has(_ column: Int32) -> Bool { column >= 0 && column < PQnfields(result) }

    private func read(_ column: Int32) -> Field? {
        guard !isNull(column), let type = ColumnType(rawValue: PQftype(result, column)) else { return nil }
        let count = Int(PQgetlength(result, row, column))
        return Field(type: type, memory: UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count))
    }
}

/// The types of columns that can be read; each number is PostgreSQL's OID.
enum ColumnType: UInt32 {
    case boolean = 16
    case blob = 17
    /// The type of PostgreSQL's own names.
    case name = 19
    case integer8 = 20
    case integer2 = 21
    case integer4 = 23
    case text = 25
    case object = 26
    case unknown = 705
    case character = 1_042
    case varying = 1_043
    /// The type of a function that returns nothing.
    case void = 2_278
    case transaction = 5_069

    /// The names of types that cannot be read, for the error's message.
    private static let others: [UInt32: String] = [
        114: "json", 700: "real", 701: "double precision", 1_082: "date", 1_083: "time", 1_114: "timestamp",
        1_184: "timestamptz", 1_186: "interval", 1_700: "numeric", 2_950: "uuid", 3_802: "jsonb",
    ]

    /// Throws unless every column of a result can be read.
    static func check(_ result: OpaquePointer, of statement: String) throws(PostgreSQLError) {
        for column in 0..<PQnfields(result) {
            let type = PQftype(result, column)
            guard ColumnType(rawValue: type) == nil else { continue }
            let name = PQfname(result, column).map { String(cString: $0) } ?? ""
            let words = others[type] ?? "number \(type)"
            throw PostgreSQLError(
                .misuse, "the column \"\(name)\" has the type \(words), which cannot be read; cast it",
                statement: statement)
        }
    }
}

/// A field that is not NULL, in the protocol's binary form. The memory is valid while its result exists.
private struct Field {
    let type: ColumnType
    let memory: UnsafeRawBufferPointer

    var integer: Int {
        switch type {
        case .boolean: memory.first.map(Int.init) ?? 0
        case .integer2: Int(load(Int16.self))
        case .integer4: Int(load(Int32.self))
        case .integer8: Int(load(Int64.self))
        case .object: Int(load(UInt32.self))
        case .transaction: Int(clamping: load(UInt64.self))
        case .blob, .void: 0
        case .character, .name, .text, .unknown, .varying: Int(text) ?? 0
        }
    }

    var bytes: [UInt8] {
        switch type {
        case .boolean, .integer2, .integer4, .integer8, .object, .transaction: Array(String(integer).utf8)
        case .blob, .character, .name, .text, .unknown, .varying, .void: Array(memory)
        }
    }

    var text: String {
        switch type {
        case .boolean, .integer2, .integer4, .integer8, .object, .transaction: String(integer)
        case .blob, .character, .name, .text, .unknown, .varying, .void: String(decoding: memory, as: UTF8.self)
        }
    }

    /// Reads a number in network byte order; 0 if the field has another length.
    private func load<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        guard memory.count == MemoryLayout<Number>.size else { return 0 }
        return Number(bigEndian: memory.loadUnaligned(as: Number.self))
    }
}
