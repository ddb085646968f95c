import DataStore
import SQLite
import Shared

extension SQLiteStore {
    /// Returns an institution of the store at `path`, by its identifier or a short name that it has or had.
    static func institution(named name: String, in path: String) throws -> StoredInstitution? {
        do {
            let connection = try Connection.reader(path: path)
            let steps = try Migrator(migrations: Schema.migrations).check(connection)
            let hasFormer = Schema.migrations.prefix(steps).contains { $0.name == Schema.formerSlugs.name }
            let former = hasFormer ? "OR id = (SELECT institution FROM former_slugs WHERE slug = ?1)" : ""
            let found = try connection.first(
                "SELECT id, slug FROM institutions WHERE id = ?1 OR slug = ?1 \(former)", .text(name)
            ) { (id: InstitutionID($0.text(0)), slug: $0.text(1)) }
            guard let (id, slug) = found else { return nil }
            let programs = try connection.all("SELECT id FROM programs WHERE institution = ?", .text(id.text)) {
                ProgramID($0.text(0))
            }
            return StoredInstitution(id: id, slug: slug, programs: Set(programs))
        } catch {
            throw StoreError.translating(error)
        }
    }
}
