/// A figure that is given instead of computed, under each assumption.
public struct GivenFigure: Sendable, Hashable {
    /// The value, or why there is none.
    public let current: Quantity.State
    /// The value with every ungraded leaf at its least.
    public let floor: Quantity.State
    /// The value with every ungraded leaf at its best.
    public let ceiling: Quantity.State

    /// A figure whose ends are what it is now, unless they are named.
    public init(_ current: Quantity.State, floor: Quantity.State? = nil, ceiling: Quantity.State? = nil) {
        self.current = current
        self.floor = floor ?? current
        self.ceiling = ceiling ?? current
    }

    /// Whether it is the same under every assumption.
    var isSettled: Bool { floor == current && ceiling == current }

    func state(under assumption: Assumption) -> Quantity.State {
        switch assumption {
        case .current: current
        case .floor: floor
        case .ceiling: ceiling
        }
    }
}

/// Figures of one entry by their names, those that are not shown too, and whether anything in it awaits a grade.
public struct GivenFigures: Sendable, Equatable {
    /// The figures by their names.
    public var figures: [String: GivenFigure]
    /// Whether a status of something that stands in the entry says that its grade is still to be decided.
    public var awaitsGrade: Bool

    /// Figures by their names.
    public init(_ figures: [String: GivenFigure], awaitsGrade: Bool = false) {
        self.figures = figures
        self.awaitsGrade = awaitsGrade
    }
}

/// The row of a class that an entry stands for.
public struct ClassLink: Sendable, Hashable {
    /// The class.
    public let classID: String
    /// The student's enrolment in it.
    public let enrolment: String

    /// A row of a class.
    public init(classID: String, enrolment: String) {
        self.classID = classID
        self.enrolment = enrolment
    }
}

/// Figures that a class gives the entry that stands for one of its rows, in the place of those that would be computed.
///
/// ``GivenValues`` are those that people give.
public struct Given: Sendable, Equatable {
    /// The row that the entry stands for.
    public var link: ClassLink
    /// What counts in the full view.
    public var full: GivenFigures
    /// What counts in the student's view; `nil` where that is the same.
    public var released: GivenFigures?

    /// What a class gives the entry that stands for one of its rows.
    public init(link: ClassLink, _ full: GivenFigures, released: GivenFigures? = nil) {
        self.link = link
        self.full = full
        self.released = released == full ? nil : released
    }
}

/// What only some entries have.
struct EntryExtra: Sendable, Equatable {
    /// What a class gives.
    var given: Given?
    /// What people give. It wins over what a class gives.
    var people: GivenValues?
    /// Applied to the entry's grade in this order.
    var adjustments: [GradeAdjustment] = []

    var isEmpty: Bool { given == nil && people == nil && adjustments.isEmpty }
}
