public import Shared

/// The term or year to which a class belongs, with the periods in it.
public struct ClassCalendar: Sendable, Equatable {
    /// The term or year; locked where the year in which it stands is locked.
    public let term: Term
    /// The periods in it, in the order of their first days; one is locked where what it stands in is locked.
    public let periods: [Term]

    /// The calendar of a class that belongs to a term; `nil` where the institution has no such year or term.
    ///
    /// - Parameter terms: the term with all in it and that in which it stands, in any order; others may be among them.
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

    /// The period of a line: that of its due date; `nil` for none.
    public func period(of line: ClassLine) -> Term? {
        line.due.flatMap { due in periods.first { $0.contains(due) } }
    }

    /// Whether any of it is locked.
    public var hasLocks: Bool { term.isLocked || periods.contains(where: \.isLocked) }

    /// Whether a line and its results stay as they are.
    public func isLocked(_ line: ClassLine) -> Bool { period(of: line)?.isLocked ?? term.isLocked }
}
