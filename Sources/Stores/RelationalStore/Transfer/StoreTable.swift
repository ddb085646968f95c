import Cryptography
import Database
import Shared

/// A table of the schema, as both kinds of database describe it.
struct StoreTable: Equatable {
    /// The types that the schema uses.
    enum ColumnType: Equatable {
        case integer
        case text
        case blob

        init?(declared: String) {
            switch declared.lowercased() {
            case "integer", "bigint": self = .integer
            case "text": self = .text
            case "blob", "bytea": self = .blob
            default: return nil
            }
        }
    }

    struct Column: Equatable {
        let name: String
        let type: ColumnType
    }

    let name: String
    /// In the order of their names, which is the same in every database.
    let columns: [Column]

    /// The columns' names, as a statement lists them.
    var list: String { columns.map { "\"\($0.name)\"" }.joined(separator: ", ") }

    /// Tables that belong to one database and not to what the store says.
    private static let own = ["migrations", "writers", "nodes", "node_log", "node_keys", "database_history"]

    /// Returns the names of the tables of a store, sorted.
    static func names(of connection: Connection) throws -> [String] {
        let names =
            switch connection.dialect {
            case .sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
            case .postgreSQL: "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"
            }
        return try connection.all(names) { $0.text(0) }.filter { !own.contains($0) }.sorted()
    }

    /// Returns the tables of a store, in the order of their names.
    static func all(of connection: Connection) throws -> [StoreTable] {
        let columns =
            switch connection.dialect {
            case .sqlite: "SELECT name, type FROM pragma_table_info(?)"
            case .postgreSQL:
                """
                SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = ?
                """
            }
        return try names(of: connection).map { name in
            let found = try connection.all(columns, .text(name)) { ($0.text(0), $0.text(1)) }
            return StoreTable(
                name: name,
                columns: try found.sorted { $0.0 < $1.0 }.map { column, declared in
                    guard let type = ColumnType(declared: declared) else {
                        throw StoreError.incompatible("the type of \(name).\(column) is \(declared)")
                    }
                    return Column(name: column, type: type)
                })
        }
    }

    /// Returns how many rows the table has.
    func count(on connection: Connection) throws -> Int {
        try connection.first("SELECT count(*) FROM \"\(name)\"") { $0.integer(0) } ?? 0
    }

    /// How many rows of a server are in memory at a time.
    static let slice = 64

    /// Calls `body` with each row, within an open transaction. Of a server's rows few are in memory at a time.
    func forEachRow(on connection: Connection, _ body: (borrowing Row) throws -> Void) throws {
        let query = "SELECT \(list) FROM \"\(name)\""
        guard case .postgreSQL = connection.dialect else {
            _ = try connection.all(query, read: body)
            return
        }
        // A name for each table: the form of its rows is prepared with the statement that fetches them.
        let cursor = "rows_of_\(name)"
        try connection.execute("DECLARE \(cursor) NO SCROLL CURSOR FOR \(query)")
        while try !connection.all("FETCH \(Self.slice) FROM \(cursor)", read: body).isEmpty {}
        try connection.execute("CLOSE \(cursor)")
    }

    /// Returns the values of a row.
    func values(_ row: borrowing Row) -> [SQLValue] {
        var values: [SQLValue] = []
        for (index, column) in columns.enumerated() {
            let place = Int32(index)
            switch column.type {
            case .integer: values.append(.integer(row.optionalInteger(place)))
            case .text: values.append(.utf8(row.optionalBytes(place)))
            case .blob: values.append(.blob(row.optionalBytes(place)))
            }
        }
        return values
    }

    /// Returns the digest of all rows.
    func digest(on connection: Connection) throws -> TableDigest {
        var digest = TableDigest()
        try forEachRow(on: connection) { digest.add($0, of: self) }
        return digest
    }
}

/// The digest of a table's rows, whatever their order: the sum of the digests of its rows.
struct TableDigest: Equatable {
    private(set) var rows = 0
    private var sum = [UInt8](repeating: 0, count: SHA256.byteCount)

    /// Adds a row. Each value is hashed with its type, and texts and blobs with their lengths.
    mutating func add(_ row: borrowing Row, of table: StoreTable) {
        var hash = SHA256()
        for (index, column) in table.columns.enumerated() {
            let place = Int32(index)
            if row.isNull(place) {
                hash.update([0])
            } else if column.type == .integer {
                hash.update([1])
                hash.update(Self.bytes(of: row.integer(place)))
            } else {
                let bytes = row.bytes(place)
                hash.update([column.type == .text ? 2 : 3])
                hash.update(Self.bytes(of: bytes.count))
                hash.update(bytes)
            }
        }
        rows += 1
        var carry = 0
        for (index, byte) in hash.finalize().enumerated() {
            carry += Int(sum[index]) + Int(byte)
            sum[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
    }

    private static func bytes(of number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
