/// The least or greatest value of a number field.
public enum Bound: Sendable, Equatable {
    /// The bound itself is allowed.
    case inclusive(Exact)
    /// The bound itself is refused.
    case exclusive(Exact)

    /// The value of the bound.
    public var value: Exact {
        switch self {
        case .inclusive(let value), .exclusive(let value): value
        }
    }

    func admits(_ value: Exact, asLowest: Bool) -> Bool {
        switch self {
        case .inclusive(let bound): asLowest ? value >= bound : value <= bound
        case .exclusive(let bound): asLowest ? value > bound : value < bound
        }
    }
}

/// One of the values that a choice field may have.
public struct Choice: Sendable, Equatable {
    /// The value in JSON: text, or an integer for an integer field.
    public let value: FieldValue
    /// The label for people.
    public let label: LocalizedText

    /// Creates a choice with a text value.
    public init(_ value: String, _ label: LocalizedText) {
        self.value = .text(value)
        self.label = label
    }

    /// Creates a choice with an integer value.
    public init(_ value: Int, _ label: LocalizedText) {
        self.value = .number(Exact(value))
        self.label = label
    }
}

/// What a field may contain and how it is presented. `FieldShape.number(…)` and its siblings create one; the methods
/// below return refined copies.
public struct FieldShape: Sendable {
    /// The type of a field's values.
    public enum Content: Sendable, Equatable {
        /// Text with at most that many characters.
        case text(maxLength: Int)
        /// A decimal with a limited number of digits.
        case number
        /// A whole number.
        case integer
        /// Yes or no.
        case flag
        /// One of the named values.
        case choice([Choice])
    }

    /// The field's name in JSON.
    public let name: String
    /// The type of its values.
    public let content: Content
    /// The label for people.
    public let label: LocalizedText
    let key: NameKey

    /// The names under which earlier versions of the shape stored the field.
    public private(set) var formerNames: [String] = []
    /// Whether a stored entry must have a value.
    public private(set) var isRequired = true
    /// The lower bound.
    public private(set) var lowest: Bound?
    /// The upper bound.
    public private(set) var highest: Bound?
    /// A sibling field whose value is an upper bound while it is positive (a score's `max`).
    public private(set) var highestField: String?
    /// The fault for a value out of bounds.
    public private(set) var rangeFault: FaultCode = .outOfRange
    /// The value that a form offers initially.
    public private(set) var initialValue: FieldValue = .none
    /// Whether a JSON string may have a decimal comma.
    public private(set) var allowsComma = false
    /// Whether the field is a grade: statuses apply to it, and a missing grade follows the run's assumption.
    public private(set) var isGrade = false
    /// The best grade that an ungraded leaf could still get, unless `bestGradeField` has it.
    public private(set) var bestGrade: Exact?
    /// The worst grade: that of an absence, and of an ungraded leaf at worst. It is greater than the best grade if
    /// lower grades are better.
    public private(set) var worstGrade: Exact = 0
    /// Whether each student of a class has a separate value, as with grades: days late, the number of an attempt.
    public private(set) var isPerStudent = false
    /// The distance between neighbouring grades in practice, for goals.
    public private(set) var gradeStep = GradeRange.scaleStep
    /// The letters of a grade that is a letter, best first, with their points; empty for a number.
    public private(set) var letters: [Band] = []
    /// The sibling field with the best grade that an ungraded leaf could still get (a score's `max`).
    public private(set) var bestGradeField: String?
    /// The greatest number of significant digits.
    public private(set) var digits = 9
    /// The greatest number of decimals.
    public private(set) var decimals = 4

    private init(name: String, key: NameKey, content: Content, label: LocalizedText) {
        self.name = name
        self.key = key
        self.content = content
        self.label = label
    }

    /// Creates a decimal number with at most 9 significant digits and at most 4 decimals.
    public static func number(_ field: Field<Exact>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .number, label: label)
    }

    /// Creates a whole number of at most 9 digits.
    public static func integer(_ field: Field<Int>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .integer, label: label)
    }

    /// Creates a whole number that is used in calculations.
    public static func integer(_ field: Field<Exact>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .integer, label: label)
    }

    /// Creates a line of text.
    public static func text(_ field: Field<String>, _ label: LocalizedText, maxLength: Int = 200) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .text(maxLength: maxLength), label: label)
    }

    /// Creates a yes-or-no field.
    public static func flag(_ field: Field<Bool>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .flag, label: label)
    }

    /// Creates a choice between several text values.
    public static func choice(_ field: Field<String>, _ label: LocalizedText, of choices: [Choice]) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .choice(choices), label: label)
    }

    /// Creates a choice between several integer values.
    public static func choice(_ field: Field<Int>, _ label: LocalizedText, of choices: [Choice]) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .choice(choices), label: label)
    }

    /// Creates a grade that is a letter: one of the labels of `bands`, best first, each with points. It is stored as
    /// its label and read as its points; the bounds of the bands do not matter. A label is accepted in any case, with
    /// any minus sign.
    public static func letter(_ field: Field<String>, _ label: LocalizedText, of bands: [Band]) -> FieldShape {
        let choices = bands.map { Choice($0.label, $0.text ?? LocalizedText(verbatim: $0.label)) }
        return choice(field, label, of: choices)
            .asGrade(best: bands.first?.points ?? 0, worst: bands.last?.points ?? 0)
            .with { $0.letters = bands }
    }

    /// Allows the value to be missing.
    public func optional() -> FieldShape { with { $0.isRequired = false } }

    /// Sets `bound` as the least allowed value; `fault` is the code for a value out of bounds.
    public func atLeast(_ bound: Exact, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.lowest = .inclusive(bound)
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// Requires values above `bound`.
    public func above(_ bound: Exact, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.lowest = .exclusive(bound)
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// Sets `bound` as the greatest allowed value.
    public func atMost(_ bound: Exact, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.highest = .inclusive(bound)
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// Sets a sibling field as the upper bound, while that is positive.
    public func atMost(_ field: Field<Exact>, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.highestField = field.name
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// Sets the value that a form offers initially.
    public func initially(_ value: Exact) -> FieldShape { with { $0.initialValue = .number(value) } }
    /// Sets the value that a form offers initially.
    public func initially(_ value: String) -> FieldShape { with { $0.initialValue = .text(value) } }
    /// Sets the value that a form offers initially.
    public func initially(_ value: Bool) -> FieldShape { with { $0.initialValue = .flag(value) } }

    /// Gives each student of a class a separate value; grades have this anyway.
    public func perStudent() -> FieldShape { with { $0.isPerStudent = true } }

    /// Also reads values stored under former names of the field, so that a rename loses nothing.
    public func formerly(_ names: String...) -> FieldShape { formerly(names) }
    /// Also reads values stored under former names of the field.
    public func formerly(_ names: [String]) -> FieldShape { with { $0.formerNames += names } }

    /// Accepts "12,5" in a JSON string.
    public func withDecimalComma() -> FieldShape { with { $0.allowsComma = true } }

    /// Declares the field a grade from `worst` to `best`; `worst` may be the greater number. `step` is the distance
    /// between neighbouring grades in practice.
    public func asGrade(best: Exact, worst: Exact = 0, step: Exact? = nil) -> FieldShape {
        with {
            $0.isGrade = true
            $0.bestGrade = best
            $0.worstGrade = worst
            $0.gradeStep = step ?? $0.gradeStep
        }
    }

    /// Declares the field a grade whose best value is that of a sibling field.
    public func asGrade(best field: Field<Exact>) -> FieldShape {
        with {
            $0.isGrade = true
            $0.bestGradeField = field.name
            $0.bestGradeKey = field.key
            $0.gradeStep = GradeRange.pointStep
        }
    }

    private(set) var bestGradeKey: NameKey?

    private func with(_ change: (inout FieldShape) -> Void) -> FieldShape {
        var copy = self
        change(&copy)
        return copy
    }
}
