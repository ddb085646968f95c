public import Shared

/// The term or year of a class, with its periods.
public struct ClassCalendar: Sendable, Equatable {
    /// The term or year; locked if the year that contains it is locked.
    public let term: Term
    /// Its periods, in the order of their first days; locked if the term or year is locked.
    public let periods: [Term]

    /// The calendar of a class in a term or year; `nil` if the institution has no such term.
    ///
    /// - Parameter terms: the term, the terms inside it and the one that contains it, in any order; others are ignored.
    public init?(of id: TermID, among terms: [Term]) {
        guard var term = terms.first(where: { $0.id == id }), term.kind != .period else { return nil }
        let above = terms.first { $0.id == term.parent }
        term.isLocked = term.isLocked || above?.isLocked ?? false
        let homes = [term] + terms.filter { $0.parent == id && $0.kind == .term }
        var periods: [Term] = []
        for home in homes {
            for var period in terms where period.parent == home.id && period.kind == .period {
                period.isLocked = period.isLocked || home.isLocked || term.isLocked
                periods.append(period)
            }
        }
        self.term = term
        self.periods = periods.sorted { $0.first < $1.first }
    }

    /// The period that contains the line's due date; `nil` if there is none.
    public func period(of line: ClassLine) -> Term? {
        line.due.flatMap { due in periods.first { $0.contains(due) } }
    }

    /// Whether the term or one of its periods is locked.
    public var hasLocks: Bool { term.isLocked || periods.contains(where: \.isLocked) }

    /// Whether a line and its results may not change.
    public func isLocked(_ line: ClassLine) -> Bool { period(of: line)?.isLocked ?? term.isLocked }
}
