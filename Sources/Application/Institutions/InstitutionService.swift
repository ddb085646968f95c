public import Accounts
public import Forms
public import Institutions
public import Shared

/// Institutions, for callers who may know or change them. They are named by their identifier or slug; one that the
/// caller may not know is `not_found`.
///
/// What a request contains is read only once its sender is known to be allowed.
public struct InstitutionService: Sendable {
    let tenants: Tenants
    let proofs: Proofs
    let access: InstitutionAccess

    /// Returns a page of the institutions that the caller may know, in the order of their creation; `limit` is clamped
    /// to 1…200.
    public func list(
        after cursor: InstitutionID?, limit: Int, for context: RequestContext
    ) async throws -> [Institution] {
        try await tenants.list(.visible(to: context.principal, at: context.now), after: cursor, limit: limit)
    }

    /// Returns an institution.
    public func find(_ name: String, for context: RequestContext) async throws -> Institution {
        try await access.institution(.read, name, for: context.principal)
    }

    /// Creates an institution; throws `forbidden` unless the caller is an administrator.
    public func create<Reply>(
        _ input: @autoclosure () async throws -> FormInput<NewInstitution>, by context: AccountContext,
        answering: Answering<Institution, Institution, Reply>
    ) async throws -> Reply {
        let permit = try access.administrator(context.principal)
        return try await answering { keep in
            try await tenants.create(await input(), by: context.audit(under: permit), keeping: keep)
        }
    }

    /// Changes an institution: registrars change it, and administrators alone its slug.
    ///
    /// - Parameter session: the session of the caller, who must have proven their identity in it to change the demand
    ///   for a second factor.
    /// - Throws: `forbidden`; ``StepUpRequired``; a `FaultList` if the slug is taken.
    public func edit(
        _ name: String, to edit: @autoclosure () async throws -> InstitutionEdit, by context: AccountContext,
        in session: @autoclosure () throws -> SignedIn
    ) async throws -> Institution {
        if !context.principal.isAdministrator {
            _ = try await access.permit(to: May.Write.self, in: name, for: context.principal)
        }
        let edit = try await edit()
        let permit = try await access.changing(name, by: edit, for: context.principal)
        return try await proofs.whereNeeded(by: session) { isProven in
            try await tenants.edit(
                edit, of: permit.institution.id, by: context.audit(under: permit), isProven: isProven)
        }
    }
}

extension InstitutionScope {
    /// Returns the scope of the institutions that a principal may know.
    fileprivate static func visible(to principal: Principal, at moment: Timestamp) -> InstitutionScope {
        guard let account = principal.account else { return .open }
        return principal.isAdministrator ? .all : .visible(to: account, at: moment)
    }
}
