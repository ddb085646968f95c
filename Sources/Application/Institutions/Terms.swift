import Cryptography
public import Forms
import GradingKit
public import Institutions
public import Shared

/// The use cases of an institution's years, terms and periods. Callers check permissions.
public struct Terms: Sendable {
    private let store: any InstitutionStore
    private let identifiers: UUIDSource

    init(store: any InstitutionStore, identifiers: UUIDSource) {
        self.store = store
        self.identifiers = identifiers
    }

    /// Returns them in the order of their first days, each after the one that contains it.
    public func list(of institution: InstitutionID) async throws -> [Term] {
        let terms = try await store.terms(of: institution).sorted {
            ($0.first, $1.last, $0.id.text) < ($1.first, $0.last, $1.id.text)
        }
        let inside = Dictionary(grouping: terms, by: \.parent)
        return (inside[nil] ?? []).flatMap { outer in
            [outer]
                + (inside[outer.id] ?? []).flatMap { inner in [inner] + (inside[inner.id] ?? []) }
        }
    }

    /// Creates a year, term or period.
    public func create(
        _ input: FormInput<NewTerm>, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Term {
        let request = input.value
        var form = input.form
        try form.finish()
        guard let kind = request.kind, let title = request.title, let first = request.first, let last = request.last
        else { throw FaultList([Fault(.missingField)]) }
        let term = Term(
            id: TermID(identifiers.next()), institution: institution, kind: kind, parent: request.parent, title: title,
            first: first, last: last)
        return try await store.changeTerms(of: institution) { terms, _ in
            try TermPlans.creation(of: term, among: terms, by: act)
        }
    }

    /// Changes a year, term or period; throws `StoreError.notFound` if the institution has none with the identifier.
    public func edit(
        _ edit: TermEdit, of id: TermID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Term {
        try await store.changeTerms(of: institution) { terms, _ in
            try TermPlans.change(of: id, among: terms, by: act, edit.applied)
        }
    }

    /// Removes a year, term or period; throws `StoreError.notFound` if the institution has none with the identifier, and a
    /// `FaultList` with `term_in_use` if classes belong to it.
    public func remove(_ id: TermID, of institution: InstitutionID, by act: AuditContext) async throws {
        try await store.changeTerms(of: institution) { terms, used in
            try TermPlans.removal(of: id, among: terms, used: used, by: act)
        }
    }
}
