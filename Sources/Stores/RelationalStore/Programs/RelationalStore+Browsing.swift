import Database
public import GradingKit
public import Records
public import Shared

extension RelationalStore: RecordBrowser {
    /// Returns the number of a program's records.
    public func count(of program: ProgramID) async throws -> Int {
        try await browse { connection in
            try connection.first("SELECT count(*) FROM records WHERE program = ?", .text(program.text)) {
                $0.integer(0)
            } ?? 0
        }
    }

    /// Returns the trees of the program's records after `cursor`.
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

    /// Returns the trees and standings of the program's records after `cursor`.
    public func standings(
        of program: ProgramID, besides executable: SchemeExecutable?, after cursor: RecordID?, limit: Int
    ) async throws -> [StoredTree] {
        try await browse {
            try StaleRecords.page(of: program, besides: executable, after: cursor, limit: limit, on: $0)
        }
    }

    /// Returns how many records of the program another build has computed.
    public func stale(in program: ProgramID, besides executable: SchemeExecutable) async throws -> Int {
        try await browse { try StaleRecords.count(in: program, besides: executable, on: $0) }
    }

    /// Returns how many records another build has computed, over all programs of a scheme.
    public func stale(of scheme: String, besides executable: SchemeExecutable) async throws -> Int {
        try await browse { connection in
            let programs = try connection.all("SELECT id FROM programs WHERE scheme = ?", .text(scheme)) { $0.text(0) }
            return try programs.reduce(0) {
                try $0 + StaleRecords.count(in: ProgramID($1), besides: executable, on: connection)
            }
        }
    }

    /// Stores the shape by which records of a program's version are judged.
    public func keep(shape: [UInt8], of program: ProgramID, _ version: Version) async throws {
        let known = try await browse { connection in
            try connection.first(
                "SELECT shape FROM shapes WHERE program = ? AND version = ?", .text(program.text), .integer(version)
            ) { $0.bytes(0) }
        }
        guard known != shape else { return }
        try await write { transaction in
            try transaction.connection.run(
                """
                INSERT INTO shapes (program, version, shape) VALUES (?, ?, ?)
                ON CONFLICT (program, version) DO UPDATE SET shape = excluded.shape
                """,
                .text(program.text),
                .integer(version), .utf8(shape))
        }
    }

    /// Returns the current versions of the program's records after `cursor`.
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

    /// Returns the full standings of some records.
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

    /// Returns the students of some records.
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

    /// Returns the place of the latest change of any record.
    public func lastChange() async throws -> Int {
        let settled = try await settledLogs().changes
        return try await browse { connection in
            let last = try connection.first("SELECT ifnull(max(seq), 0) FROM changes") { $0.integer(0) }
            return min(last ?? 0, settled)
        }
    }

    /// Returns the records changed after a place, each once, and the place reached.
    public func changed(after place: Int, limit: Int) async throws -> (records: [RecordID], place: Int) {
        let settled = try await settledLogs().changes
        return try await browse { connection in
            let rows = try connection.all(
                "SELECT seq, record FROM changes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", .integer(place),
                .integer(settled), .integer(limit)
            ) { ($0.integer(0), RecordID($0.text(1))) }
            return (Array(Set(rows.map(\.1))), rows.last?.0 ?? place)
        }
    }
}
