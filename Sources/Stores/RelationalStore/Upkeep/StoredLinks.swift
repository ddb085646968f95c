package import DataStore
package import Database
package import Gradebook
import Records
package import Shared

/// The records with entries that stand for rows of classes, read over a connection of its own.
package struct StoredLinks: LinkCensus {
    private static let slice = 64

    private let connection: Connection

    /// Creates the census.
    package init(on connection: Connection) { self.connection = connection }

    /// Calls `visit` with each such record and its rows, read at one moment.
    package func forEachLinked(_ visit: (LinkedRecord) throws -> Void) throws {
        let sql = """
            SELECT DISTINCT record FROM enrolments WHERE withdrawn = 0 AND record > ? ORDER BY record LIMIT ?
            """
        var last = ""
        while true {
            let (found, end) = try reading { connection in
                try connection.withTransaction(for: .reading) { () -> ([LinkedRecord], String?) in
                    let records = try connection.all(sql, .text(last), .integer(Self.slice)) { $0.text(0) }
                    return (
                        try records.compactMap { try connection.linked(RecordID($0), epoch: Epoch("")) }, records.last
                    )
                }
            }
            for record in found { try visit(record) }
            guard let end else { return }
            last = end
        }
    }

    /// Returns a version of a program; the newest one where none is named.
    package func version(_ version: Version?, of program: ProgramID) throws -> StoredRules? {
        let sql = """
            SELECT scheme, number, configuration FROM programs JOIN program_versions ON program = programs.id
            WHERE programs.id = ? AND number <= ? ORDER BY number DESC LIMIT 1
            """
        return try reading {
            try $0.first(sql, .text(program.text), .integer(version ?? .max)) {
                StoredRules(scheme: $0.text(0), version: $0.integer(1), configuration: $0.bytes(2))
            }
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
