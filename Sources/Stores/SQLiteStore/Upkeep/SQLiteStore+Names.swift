import DataStore
import SQLite
import Shared

extension SQLiteStore {
    /// Returns an institution of the store at `path`, by its identifier or short name.
    static func institution(named name: String, in path: String) throws -> StoredInstitution? {
        do {
            let connection = try Connection.reader(path: path)
            try Migrator(migrations: Schema.migrations).check(connection)
            let found = try connection.first(
                "SELECT id FROM institutions WHERE id = ?1 OR slug = ?1", .text(name)
            ) { InstitutionID($0.text(0)) }
            guard let id = found else { return nil }
            let programs = try connection.all("SELECT id FROM programs WHERE institution = ?", .text(id.text)) {
                ProgramID($0.text(0))
            }
            return StoredInstitution(id: id, programs: Set(programs))
        } catch {
            throw StoreError.translating(error)
        }
    }
}
