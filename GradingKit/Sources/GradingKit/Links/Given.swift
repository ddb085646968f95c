/// A given figure, which replaces the computed one, under each assumption.
public struct GivenFigure: Sendable, Hashable {
    /// The value, or the reason why it is missing.
    public let current: Quantity.State
    /// The value with every ungraded leaf at its worst.
    public let floor: Quantity.State
    /// The value with every ungraded leaf at its best.
    public let ceiling: Quantity.State

    /// A figure whose floor and ceiling equal its current value, unless they are given.
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

/// All figures of one entry by name, including those that are not shown, and whether anything in it awaits a grade.
public struct GivenFigures: Sendable, Equatable {
    /// The figures by their names.
    public var figures: [String: GivenFigure]
    /// Whether a status inside the entry says that its grade is still to be decided.
    public var awaitsGrade: Bool

    /// Figures by their names.
    public init(_ figures: [String: GivenFigure], awaitsGrade: Bool = false) {
        self.figures = figures
        self.awaitsGrade = awaitsGrade
    }
}

/// The class row for which an entry stands.
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

/// The figures that a class gives the entry for one of its rows. They replace the computed ones.
///
/// People give ``GivenValues``.
public struct Given: Sendable, Equatable {
    /// The row for which the entry stands.
    public var link: ClassLink
    /// The figures in the full view.
    public var full: GivenFigures
    /// The figures in the student's view; `nil` if they are the same.
    public var released: GivenFigures?

    /// What a class gives the entry for one of its rows.
    public init(link: ClassLink, _ full: GivenFigures, released: GivenFigures? = nil) {
        self.link = link
        self.full = full
        self.released = released == full ? nil : released
    }
}

/// The parts that only some entries have.
struct EntryExtra: Sendable, Equatable {
    /// What a class gives.
    var given: Given?
    /// What people give. It overrides what a class gives.
    var people: GivenValues?
    /// Applied to the entry's grade, in this order.
    var adjustments: [GradeAdjustment] = []

    var isEmpty: Bool { given == nil && people == nil && adjustments.isEmpty }
}
