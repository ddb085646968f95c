import Cryptography
public import Forms
import GradingKit
public import Institutions
public import Shared

/// The use cases of institutions: create, change and find. Callers check permissions.
public struct Tenants: Sendable {
    let store: any InstitutionStore
    let identifiers: UUIDSource
    /// The slugs by which the server's configuration names institutions. They do not change.
    private let configured: Set<String>
    private let cache: AccessCache<String, Institution>

    init(store: any InstitutionStore, identifiers: UUIDSource, configured: Set<String> = []) {
        self.store = store
        self.configured = configured
        self.identifiers = identifiers
        cache = AccessCache(capacity: 5_000, news: store.accessNews)
    }

    /// Returns the institution with an identifier, or with a slug that it has or had; `nil` if there is none.
    ///
    /// - Parameter bypassingCache: Whether to read it from the store even if it is cached.
    public func find(_ name: String, bypassingCache: Bool = false) async throws -> Institution? {
        if !bypassingCache, let known = cache.value(name) { return known }
        // Taken before the institution is read: a change in between makes the entry useless, but not wrong.
        let moment = cache.moment
        let found =
            if let slug = Slug(name) { try await store.institution(slug: slug) } else {
                try await store.institution(InstitutionID(name))
            }
        if let found { cache.keep(found, for: name, restingOn: .institution(found.id), readAt: moment) }
        return found
    }

    /// Returns the day in an institution's time zone at a moment; the day in UTC if the institution no longer exists.
    public func today(in institution: InstitutionID, at moment: Timestamp) async throws -> CalendarDay {
        try await find(institution.text)?.today(at: moment) ?? moment.day
    }

    /// Returns a page of institutions in the order of their creation; ``PageLimit`` clamps `limit`.
    public func list(
        _ scope: InstitutionScope, after cursor: InstitutionID? = nil, limit: Int = 50
    ) async throws -> [Institution] {
        try await store.institutions(scope, after: cursor, limit: PageLimit.read(limit))
    }

    /// Creates an institution.
    ///
    /// - Parameter keep: Returns the answer to store with it.
    /// - Throws: `FaultList` with all faults at once.
    public func create(
        _ input: FormInput<NewInstitution>, by act: AuditContext,
        keeping keep: (Institution) -> KeptAnswer? = { _ in nil }
    ) async throws -> Institution {
        var (form, request) = (input.form, input.value)
        let (slug, title) = (request.slug, request.title)
        if let slug, try await store.institution(slug: slug) != nil { form.refuse("slug", .slugTaken) }
        try form.finish()
        guard let slug, let title else { throw FaultList([Fault(.missingField)]) }
        let institution = Institution(
            id: InstitutionID(identifiers.next()), createdAt: act.at, slug: slug, title: title, locale: request.locale,
            isOpen: request.isOpen, keepsReading: request.keepsReading, secondFactor: request.secondFactor,
            sharing: request.sharing, timeZone: request.timeZone)
        let kept = keep(institution)
        try await refusingTakenSlug {
            try await store.insert(
                institution,
                audit: act.entry(
                    "institution.created", of: institution.id.text, in: institution.id, detail: institution.auditText),
                keeping: kept, under: act.grounds)
        }
        return institution
    }

    /// Changes an institution.
    ///
    /// - Parameter isProven: Whether the caller has recently proven their identity.
    /// - Throws: `FaultList` if the slug is taken; `StoreError.notFound`; `ProofNeeded` if the demand for a second
    ///   factor changes without a proof.
    public func edit(
        _ edit: InstitutionEdit, of id: InstitutionID, by act: AuditContext, isProven: Bool = true
    ) async throws -> Institution {
        return try await refusingTakenSlug {
            try await store.amend(id) { [configured] before in
                let after = edit.applied(to: before)
                if after.slug != before.slug, configured.contains(before.slug.text) {
                    throw FaultList([Fault(.slugConfigured, at: "/slug")])
                }
                if after.secondFactor != before.secondFactor, !isProven { throw ProofNeeded() }
                return InstitutionChange(
                    institution: after,
                    audit: act.entry(
                        "institution.changed", of: id.text, in: id,
                        detail: auditDetail(before: before.auditText, after: after.auditText, reason: act.reason)),
                    under: act.grounds)
            }
        }
    }

    private func refusingTakenSlug<Value: Sendable>(_ write: () async throws -> Value) async throws -> Value {
        do {
            return try await write()
        } catch StoreError.taken(field: "slug") {
            throw FaultList([Fault(.slugTaken, at: "/slug")])
        }
    }
}
