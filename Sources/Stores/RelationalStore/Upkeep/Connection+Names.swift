package import DataStore
package import Database
import Shared

extension Connection {
    /// Returns an institution by its identifier or a short name that it has or had, with its programs.
    package func storedInstitution(named name: String) throws -> StoredInstitution? {
        let hasFormer = try Migrator().hasRun(Schema.formerSlugs, on: self)
        let former = hasFormer ? "OR id = (SELECT institution FROM former_slugs WHERE slug = ?1)" : ""
        let found = try first("SELECT id, slug FROM institutions WHERE id = ?1 OR slug = ?1 \(former)", .text(name)) {
            (id: InstitutionID($0.text(0)), slug: $0.text(1))
        }
        guard let (id, slug) = found else { return nil }
        let programs = try all("SELECT id FROM programs WHERE institution = ?", .text(id.text)) {
            ProgramID($0.text(0))
        }
        return StoredInstitution(id: id, slug: slug, programs: Set(programs))
    }
}
