public import Records
import SQLite
public import Storage

extension SQLiteStore: RecordBrowser {
    /// How many records the program has.
    public func count(of program: ProgramID) async throws -> Int {
        try await browse { connection in
            try connection.first("SELECT count(*) FROM records WHERE program = ?", .text(program.text)) {
                $0.integer(0)
            } ?? 0
        }
    }

    /// What records of the program hold, after `cursor`.
    public func trees(of program: ProgramID, after cursor: RecordID?, limit: Int) async throws -> [StoredTree] {
        try await browse { connection in
            try connection.all(
                """
                SELECT id, full_version, program_version, tree FROM records WHERE program = ? AND id > ?
                ORDER BY id LIMIT ?
                """,
                .text(program.text), .text(cursor?.text ?? ""), .integer(limit)
            ) { row in
                StoredTree(
                    record: RecordID(row.text(0)), version: row.integer(1), programVersion: row.integer(2),
                    tree: row.bytes(3))
            }
        }
    }

    /// The current versions of the program's records, after `cursor`.
    public func versions(
        of program: ProgramID, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordVersion] {
        try await browse { connection in
            try connection.all(
                "SELECT id, full_version FROM records WHERE program = ? AND id > ? ORDER BY id LIMIT ?",
                .text(program.text), .text(cursor?.text ?? ""), .integer(limit)
            ) { RecordVersion(record: RecordID($0.text(0)), version: $0.integer(1)) }
        }
    }

    /// What staff see of some records.
    public func standings(of records: [RecordID], in program: ProgramID) async throws -> [StoredStanding] {
        try await browse { connection in
            try records.compactMap { record in
                try connection.first(
                    "SELECT full_version, standing FROM records WHERE id = ? AND program = ?", .text(record.text),
                    .text(program.text)
                ) { StoredStanding(record: record, version: $0.integer(0), standing: $0.bytes(1)) }
            }
        }
    }

    /// The students of some records.
    public func students(of records: [RecordID]) async throws -> [RecordID: AccountID?] {
        try await browse { connection in
            var students: [RecordID: AccountID?] = [:]
            for record in records {
                let found = try connection.first("SELECT student FROM records WHERE id = ?", .text(record.text)) {
                    $0.optionalText(0).map { AccountID($0) }
                }
                if let found { students.updateValue(found, forKey: record) }
            }
            return students
        }
    }

    /// The place of the last change of any record.
    public func lastChange() async throws -> Int {
        try await browse { try $0.first("SELECT ifnull(max(seq), 0) FROM changes") { $0.integer(0) } ?? 0 }
    }

    /// The records that changed after a place, each once, and the place reached.
    public func changed(after place: Int, limit: Int) async throws -> (records: [RecordID], place: Int) {
        try await browse { connection in
            let rows = try connection.all(
                "SELECT seq, record FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", .integer(place), .integer(limit)
            ) { ($0.integer(0), RecordID($0.text(1))) }
            return (Array(Set(rows.map(\.1))), rows.last?.0 ?? place)
        }
    }
}
