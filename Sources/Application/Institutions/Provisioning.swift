public import Forms
import GradingKit
public import Institutions
public import Shared

/// Creates what a configuration file declares, unless it exists; existing objects stay unchanged.
public struct Provisioning: Sendable {
    let tenants: Tenants
    let programs: Programs

    /// Returns the institution that has or had a slug; creates it if there is none.
    public func institution(slug: String, title: String, isOpen: Bool, by act: AuditContext) async throws -> Institution
    {
        if let slug = Slug(slug), let found = try await tenants.find(slug.text) { return found }
        let wish: JSON = ["slug": .string(slug), "title": .string(title), "open": .bool(isOpen)]
        return try await tenants.create(NewInstitution.form.input(wish), by: act)
    }

    /// Returns the institution's program with the scheme and title; creates and publishes it if necessary.
    public func program(
        _ input: FormInput<NewProgram>, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Program {
        var cursor: ProgramID?
        repeat {
            let page = try await programs.list(of: institution, publishedOnly: false, after: cursor, limit: 200)
            let found = page.first { $0.scheme == input.value.scheme && $0.title == input.value.title }
            if let found { return try await published(found, by: act) }
            cursor = page.count == 200 ? page.last?.id : nil
        } while cursor != nil
        return try await published(try await programs.create(input, in: institution, by: act).program, by: act)
    }

    private func published(_ program: Program, by act: AuditContext) async throws -> Program {
        guard program.newest == nil else { return program }
        return try await programs.publish(program.id, as: Publication(), by: act)
    }
}
