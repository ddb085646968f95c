/// A year, a term or a period of an institution: named days, one within another.
public struct Term: Sendable, Equatable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A school year, which stands alone.
        case year
        /// A semester or quarter; alone or in a year.
        case term
        /// A grading period in a term or a year.
        case period

        /// Whether one of this kind may stand in one of another; `nil` for none.
        public func stands(in parent: Kind?) -> Bool {
            switch self {
            case .year: parent == nil
            case .term: parent == nil || parent == .year
            case .period: parent == .year || parent == .term
            }
        }
    }

    /// How many an institution may have.
    public static let limit = 500
    /// Letters of a title.
    public static let longestTitle = 100

    /// The identifier.
    public let id: TermID
    /// The institution.
    public let institution: InstitutionID
    /// What it is.
    public let kind: Kind
    /// The year or term in which it stands; `nil` for none.
    public let parent: TermID?
    /// What people read.
    public var title: String
    /// The first day.
    public var first: CalendarDay
    /// The last day.
    public var last: CalendarDay
    /// Whether results of work that was due in these days stay as they are.
    public var isLocked: Bool

    /// A year, term or period.
    public init(
        id: TermID, institution: InstitutionID, kind: Kind, parent: TermID?, title: String, first: CalendarDay,
        last: CalendarDay, isLocked: Bool = false
    ) {
        self.id = id
        self.institution = institution
        self.kind = kind
        self.parent = parent
        self.title = title
        self.first = first
        self.last = last
        self.isLocked = isLocked
    }

    /// Whether a day is one of its days.
    public func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }

    /// Whether all days of another one are its days.
    public func contains(_ other: Term) -> Bool { first <= other.first && other.last <= last }

    /// Whether they share a day.
    public func overlaps(_ other: Term) -> Bool { first <= other.last && other.first <= last }
}
