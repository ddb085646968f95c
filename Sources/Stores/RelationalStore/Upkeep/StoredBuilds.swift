package import DataStore
package import Database
package import GradingKit
import Institutions
package import Records
import Shared

/// The census of builds in a store, read over a connection of its own.
package struct StoredBuilds: BuildCensus {
    private let connection: Connection

    /// Creates the census; `nil` for an older schema, which has no information about executables.
    package init?(on connection: Connection) throws {
        guard try Migrator().hasRun(Schema.executables, on: connection) else { return nil }
        self.connection = connection
    }

    /// Returns how many records each build has computed, by scheme.
    package func tallies() throws -> [BuildTally] {
        try reading {
            try $0.all(
                """
                SELECT scheme, executable, count(*) FROM computed JOIN programs ON programs.id = computed.program
                GROUP BY scheme, executable ORDER BY scheme, executable
                """
            ) { BuildTally(scheme: $0.text(0), executable: SchemeExecutable(text: $0.text(1)), records: $0.integer(2)) }
        }
    }

    /// Returns the versions, of all programs of a scheme, that judge records computed by another build.
    package func staleVersions(of scheme: String, besides executable: SchemeExecutable) throws -> [StaleVersion] {
        try reading { connection in
            try connection.all(
                """
                SELECT programs.id, title, number, configuration, shape
                FROM programs JOIN program_versions ON program_versions.program = programs.id
                LEFT JOIN shapes ON shapes.program = programs.id AND shapes.version = number
                WHERE scheme = ?1 AND EXISTS (
                    SELECT 1 FROM records LEFT JOIN computed ON computed.record = records.id
                    WHERE records.program = programs.id AND program_version = number AND executable IS DISTINCT FROM ?2)
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

    /// Calls `visit` with each record of a version that another build has computed.
    package func forEachRecord(
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
