import Database
import GradingKit
import Records
import Shared

/// Records computed by another build of their scheme than the one that runs now, or by an unknown build.
enum StaleRecords {
    /// Returns their number in a program.
    static func count(in program: ProgramID, besides executable: SchemeExecutable, on connection: Connection) throws
        -> Int
    {
        let sql = """
            SELECT (SELECT count(*) FROM records WHERE program = ?1)
            - (SELECT count(*) FROM computed WHERE program = ?1 AND executable = ?2)
            """
        return try connection.first(sql, .text(program.text), .text(executable.text)) { $0.integer(0) } ?? 0
    }

    /// Returns a slice of a program's records with their standings; with `executable`, only those computed by another
    /// build.
    static func page(
        of program: ProgramID, besides executable: SchemeExecutable?, after cursor: RecordID?, limit: Int,
        on connection: Connection
    ) throws -> [StoredTree] {
        // A record without a row in `computed` was computed by an unknown build.
        let sql = """
            SELECT id, full_version, program_version, tree, standing
            FROM records LEFT JOIN computed ON computed.record = records.id
            WHERE records.program = ?1 AND id > ?2 AND (?3 IS NULL OR computed.executable IS DISTINCT FROM ?3)
            ORDER BY id LIMIT ?4
            """
        return try connection.all(
            sql, .text(program.text), .text(cursor?.text ?? ""), .text(executable?.text), .integer(limit)
        ) { row in
            StoredTree(
                record: RecordID(row.text(0)), version: row.integer(1), programVersion: row.integer(2),
                tree: row.bytes(3), standing: row.bytes(4))
        }
    }
}
