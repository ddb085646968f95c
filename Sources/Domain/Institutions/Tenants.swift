import Cryptography
public import Forms
public import GradingKit
public import Shared

/// Makes, changes and finds institutions. Who may is decided outside.
public struct Tenants: Sendable {
    let store: any InstitutionStore
    let identifiers: UUIDSource
    private let cache: AccessCache<String, Institution>

    init(store: any InstitutionStore, identifiers: UUIDSource) {
        self.store = store
        self.identifiers = identifiers
        cache = AccessCache(capacity: 5_000, news: store.accessNews)
    }

    /// The institution of an identifier or a slug; `nil` when there is none.
    ///
    /// - Parameter isAnew: whether it is read from the store even if it is remembered.
    public func find(_ name: String, anew isAnew: Bool = false) async throws -> Institution? {
        if !isAnew, let known = cache.value(name) { return known }
        // Before the institution is read: a change in between makes the entry worthless rather than wrong.
        let moment = cache.moment
        let found =
            if let slug = Slug(name) { try await store.institution(slug: slug) } else {
                try await store.institution(InstitutionID(name))
            }
        if let found { cache.keep(found, for: name, restingOn: .institution(found.id), readAt: moment) }
        return found
    }

    /// A page of institutions in the order they were made; `limit` 1…200.
    public func list(
        _ scope: InstitutionScope, after cursor: InstitutionID? = nil, limit: Int = 50
    ) async throws -> [Institution] {
        try await store.institutions(scope, after: cursor, limit: min(max(limit, 1), 200))
    }

    /// What a request for a new institution holds.
    public static let creation = RequestForm(
        "InstitutionInput", example: ["slug": "iut", "title": "IUT", "locale": "fr", "open": false]
    ) { form in
        (
            slug: form.slug("slug", required: true), title: form.line("title", max: 200, required: true),
            locale: form.choice("locale", of: Language.self) ?? .english, isOpen: form.flag("open") ?? false,
            keepsReading: form.flag("keepsReading") ?? true,
            secondFactor: form.choice("secondFactor", of: SecondFactorDemand.self) ?? .none
        )
    }

    /// What a change of an institution holds.
    public static let change = RequestForm("InstitutionPatch", example: ["title": "IUT"]) { form in
        (
            slug: form.slug("slug", required: form.ifPresent("slug")),
            title: form.line("title", max: 200, required: form.ifPresent("title")),
            locale: form.choice("locale", of: Language.self, required: form.ifPresent("locale")),
            isOpen: form.flag("open", required: form.ifPresent("open")),
            keepsReading: form.flag("keepsReading", required: form.ifPresent("keepsReading")),
            secondFactor: form.choice(
                "secondFactor", of: SecondFactorDemand.self, required: form.ifPresent("secondFactor"))
        )
    }

    /// Makes an institution from `{slug,title,locale?,open?,keepsReading?,secondFactor?}`; throws everything wrong as a `FaultList`.
    ///
    /// - Parameter keep: the answer to keep with it.
    public func create(
        _ body: JSON, by act: AuditContext, keeping keep: (Institution) -> KeptAnswer? = { _ in nil }
    ) async throws -> Institution {
        var (form, request) = Self.creation.open(body)
        let (slug, title) = (request.slug, request.title)
        if let slug, try await store.institution(slug: slug) != nil { form.refuse("slug", .slugTaken) }
        try form.finish()
        guard let slug, let title else { throw FaultList([Fault(.missingField)]) }
        let institution = Institution(
            id: InstitutionID(identifiers.next()), createdAt: act.at, slug: slug, title: title, locale: request.locale,
            isOpen: request.isOpen, keepsReading: request.keepsReading, secondFactor: request.secondFactor)
        let kept = keep(institution)
        try await refusingTakenSlug {
            try await store.insert(
                institution,
                audit: act.entry(
                    "institution.created", of: institution.id.text, in: institution.id, detail: institution.auditText),
                keeping: kept)
        }
        return institution
    }

    /// Changes any of `{slug,title,locale,open,keepsReading,secondFactor}`.
    public func edit(_ body: JSON, of id: InstitutionID, by act: AuditContext) async throws -> Institution {
        let (slug, title, locale, isOpen, keepsReading, secondFactor) = try Self.change.read(body)
        return try await refusingTakenSlug {
            try await store.amend(id) { before in
                var after = before
                after.slug = slug ?? before.slug
                after.title = title ?? before.title
                after.locale = locale ?? before.locale
                after.isOpen = isOpen ?? before.isOpen
                after.keepsReading = keepsReading ?? before.keepsReading
                after.secondFactor = secondFactor ?? before.secondFactor
                return InstitutionChange(
                    institution: after,
                    audit: act.entry(
                        "institution.changed", of: id.text, in: id,
                        detail: auditDetail(before: before.auditText, after: after.auditText, reason: act.reason)))
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

extension Form {
    fileprivate mutating func slug(_ name: String, required: Bool) -> Slug? {
        let schema = JSONSchema.text(1...64).with(["pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"])
        return parse(name, text(name, required: required, as: schema)) { text throws(FaultList) in
            guard let slug = Slug(text) else { throw FaultList([Fault(.slugInvalid)]) }
            return slug
        }
    }
}
