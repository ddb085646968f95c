public import Forms
public import Institutions
public import Shared

/// The years, terms and periods of institutions, for callers who may read or change them. Institutions are named by
/// their identifier or slug; one that the caller may not know is `not_found`.
///
/// What a request contains is read only once its sender is known to be allowed.
public struct TermService: Sendable {
    let terms: Terms
    let access: InstitutionAccess

    /// Returns an institution's terms in the order of their first days, each after the one that contains it.
    public func list(of institution: String, for context: RequestContext) async throws -> [Term] {
        try await terms.list(of: access.institution(.read, institution, for: context.principal).id)
    }

    /// Creates a year, term or period; throws `forbidden` unless the caller may change the institution.
    public func create(
        _ input: @autoclosure () async throws -> FormInput<NewTerm>, in institution: String, by context: AccountContext
    ) async throws -> Term {
        let permit = try await permit(institution, context)
        return try await terms.create(
            await input(), in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Changes a year, term or period.
    ///
    /// - Throws: `forbidden` unless the caller may change the institution; `StoreError.notFound` if the institution has
    ///   none with the identifier.
    public func edit(
        _ id: TermID, in institution: String, to edit: @autoclosure () async throws -> TermEdit,
        by context: AccountContext
    ) async throws -> Term {
        let permit = try await permit(institution, context)
        return try await terms.edit(
            await edit(), of: id, in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Removes a year, term or period.
    ///
    /// - Throws: `forbidden` unless the caller may change the institution; `StoreError.notFound` if the institution has
    ///   none with the identifier; a `FaultList` with `term_in_use` if classes belong to it.
    public func remove(_ id: TermID, of institution: String, by context: AccountContext) async throws {
        let permit = try await permit(institution, context)
        try await terms.remove(id, of: permit.institution.id, by: context.audit(under: permit))
    }

    private func permit(
        _ institution: String, _ context: AccountContext
    ) async throws -> InstitutionPermit<May.Write> {
        try await access.permit(to: May.Write.self, in: institution, for: context.principal)
    }
}
