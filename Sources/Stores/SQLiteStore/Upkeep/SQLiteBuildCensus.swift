import DataStore
import GradingKit
import Institutions
import Records
import SQLite
import Shared

/// The builds that a store in a file knows, read over a connection of its own.
struct SQLiteBuildCensus: BuildCensus {
    private let connection: Connection

    /// Opens the store at `path`; `nil` for a store of an older form, which knows nothing of executables.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    init?(_ path: String) throws {
        do {
            connection = try Connection.reader(path: path)
            let steps = try Migrator(migrations: Schema.migrations).check(connection)
            guard Schema.migrations.prefix(steps).contains(where: { $0.name == Schema.executables.name }) else {
                return nil
            }
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Which builds have computed how many records, by scheme.
    func tallies() throws -> [BuildTally] {
        try reading {
            try $0.all(
                """
                SELECT scheme, executable, count(*) FROM computed JOIN programs ON programs.id = computed.program
                GROUP BY scheme, executable ORDER BY scheme, executable
                """
            ) { BuildTally(scheme: $0.text(0), executable: SchemeExecutable(text: $0.text(1)), records: $0.integer(2)) }
        }
    }

    /// The versions of all programs of a scheme by which records are judged that another build has computed.
    func staleVersions(of scheme: String, besides executable: SchemeExecutable) throws -> [StaleVersion] {
        try reading { connection in
            try connection.all(
                """
                SELECT programs.id, title, number, configuration, shape
                FROM programs JOIN program_versions ON program_versions.program = programs.id
                LEFT JOIN shapes ON shapes.program = programs.id AND shapes.version = number
                WHERE scheme = ?1 AND EXISTS (
                    SELECT 1 FROM records LEFT JOIN computed ON computed.record = records.id
                    WHERE records.program = programs.id AND program_version = number AND executable IS NOT ?2)
                ORDER BY programs.id, number
                """,
                .text(scheme), .text(executable.text)
            ) { row in
                StaleVersion(
                    program: ProgramID(row.text(0)), title: row.text(1), version: row.integer(2),
                    configuration: row.bytes(3), shape: row.optionalBytes(4))
            }
        }
    }

    /// Visits what the records of a version hold that another build has computed.
    func forEachRecord(
        of version: StaleVersion, besides executable: SchemeExecutable, _ visit: (StoredTree) throws -> Void
    ) throws {
        var cursor: RecordID?
        while true {
            let page = try reading {
                try StaleRecords.page(
                    of: version.program, besides: executable, after: cursor, limit: 64, on: $0)
            }
            guard let last = page.last else { return }
            for stored in page where stored.programVersion == version.version { try visit(stored) }
            cursor = last.record
        }
    }

    private func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        do {
            return try body(connection)
        } catch {
            throw StoreError.translating(error)
        }
    }
}
