public import GradingKit
public import Shared

/// Plans the writes of an institution's years, terms and periods from all that it has.
public enum TermPlans {
    /// Plans a new one.
    ///
    /// - Throws: `FaultList`: `term_limit`, `term_unknown`, `term_misplaced`, and the faults of its days.
    public static func creation(
        of term: Term, among terms: [Term], by act: AuditContext
    ) throws(FaultList) -> InstitutionPlan<Term> {
        guard terms.count < Term.limit else {
            throw FaultList([Fault(.termLimit, ["limit": .number(String(Term.limit))])])
        }
        let parent = terms.first { $0.id == term.parent }
        if term.parent != nil, parent == nil { throw FaultList([Fault(.termUnknown, at: "/parent")]) }
        guard term.kind.stands(in: parent?.kind) else { throw FaultList([Fault(.termMisplaced, at: "/parent")]) }
        try FaultList(faults(of: term, among: terms)).check()
        return InstitutionPlan(
            under: act.grounds, [.term(.put(term))],
            audit: [act.entry("term.created", of: term.id.text, in: term.institution, detail: term.auditText)],
            value: term)
    }

    /// Plans to change one.
    ///
    /// - Throws: `StoreError.notFound`; `FaultList` with the faults of its days.
    public static func change(
        of id: TermID, among terms: [Term], by act: AuditContext, _ edit: (Term) -> Term
    ) throws -> InstitutionPlan<Term> {
        guard let before = terms.first(where: { $0.id == id }) else { throw StoreError.notFound }
        let after = edit(before)
        try FaultList(faults(of: after, among: terms)).check()
        let detail = auditDetail(before: before.auditText, after: after.auditText, reason: act.reason)
        return InstitutionPlan(
            under: act.grounds, after == before ? [] : [.term(.put(after))],
            audit: after == before
                ? [] : [act.entry("term.changed", of: id.text, in: after.institution, detail: detail)],
            value: after)
    }

    /// Plans to remove one to which no class belongs, and in which no other stands.
    ///
    /// - Throws: `StoreError.notFound`; `FaultList` with `term_in_use`.
    public static func removal(
        of id: TermID, among terms: [Term], used: Set<TermID>, by act: AuditContext
    ) throws -> InstitutionPlan<Void> {
        guard let term = terms.first(where: { $0.id == id }) else { throw StoreError.notFound }
        guard !used.contains(id), !terms.contains(where: { $0.parent == id }) else {
            throw FaultList([Fault(.termInUse)])
        }
        return InstitutionPlan(
            under: act.grounds, [.term(.remove(id, of: term.institution))],
            audit: [act.entry("term.removed", of: id.text, in: term.institution, detail: term.auditText)])
    }

    /// What is wrong with the days of a term beside others.
    private static func faults(of term: Term, among terms: [Term]) -> [Fault] {
        guard term.first <= term.last else { return [Fault(.daysReversed, at: "/until")] }
        if let parent = terms.first(where: { $0.id == term.parent }), !parent.contains(term) {
            return [Fault(.daysOutside, at: "/from", ["title": .string(parent.title)])]
        }
        // A day belongs to one period at most, wherever in a year or term periods stand.
        let home = outermost(term, among: terms)
        return terms.compactMap { other in
            if other.parent == term.id, !term.contains(other) {
                return Fault(.daysOutside, at: "/from", ["title": .string(other.title)])
            }
            let isRival = other.id != term.id && other.kind == .period && outermost(other, among: terms) == home
            guard term.kind == .period, isRival, other.overlaps(term) else { return nil }
            return Fault(.periodsOverlap, at: "/from", ["title": .string(other.title)])
        }
    }

    private static func outermost(_ term: Term, among terms: [Term]) -> TermID {
        var (term, steps) = (term, 0)
        // Years hold terms, and terms hold periods: there is no third step.
        while let parent = terms.first(where: { $0.id == term.parent }), steps < 3 {
            term = parent
            steps += 1
        }
        return term.id
    }
}
