/// The least or greatest value of a number field.
public enum Bound: Sendable, Equatable {
    /// The bound itself is allowed.
    case inclusive(Exact)
    /// The bound itself is refused.
    case exclusive(Exact)

    /// The bound.
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

/// One of the values a choice field may take.
public struct Choice: Sendable, Equatable {
    /// The value on the wire: text, or an integer for an integer field.
    public let value: FieldValue
    /// What people read.
    public let label: LocalizedText

    /// A named choice.
    public init(_ value: String, _ label: LocalizedText) {
        self.value = .text(value)
        self.label = label
    }

    /// A numbered choice.
    public init(_ value: Int, _ label: LocalizedText) {
        self.value = .number(Exact(value))
        self.label = label
    }
}

/// What a field may hold and how it is presented. A value; made with `FieldShape.number(…)` and its siblings and
/// refined with the methods below; each returns the refined shape.
public struct FieldShape: Sendable {
    /// What the field holds.
    public enum Content: Sendable, Equatable {
        /// Text of at most that many characters.
        case text(maxLength: Int)
        /// A decimal with bounded digits.
        case number
        /// A whole number.
        case integer
        /// Yes or no.
        case flag
        /// One of the named values.
        case choice([Choice])
    }

    /// The field's name on the wire.
    public let name: String
    /// What it holds.
    public let content: Content
    /// What people read beside it.
    public let label: LocalizedText
    let key: NameKey

    /// Whether a stored entry must have a value.
    public private(set) var isRequired = true
    /// The least value.
    public private(set) var lowest: Bound?
    /// The greatest value.
    public private(set) var highest: Bound?
    /// A sibling field that bounds this one from above while it is positive (a score's `max`).
    public private(set) var highestField: String?
    /// The fault for a value out of bounds.
    public private(set) var rangeFault: FaultCode = .outOfRange
    /// What a form offers at first.
    public private(set) var initialValue: FieldValue = .none
    /// Whether a decimal comma may stand in a JSON string.
    public private(set) var allowsComma = false
    /// Whether the field is a grade: missing ones follow the run's assumption, statuses apply to it.
    public private(set) var isGrade = false
    /// The greatest grade an ungraded leaf could still get, unless `highestField` says it.
    public private(set) var bestGrade: Exact?
    /// The least grade: what an absence counts as, and an ungraded leaf at worst. Above the best one where less is better.
    public private(set) var worstGrade: Exact = 0
    /// Whether each student of a class has a value of their own, as grades have: days late, the number of an attempt.
    public private(set) var isPerStudent = false
    /// The distance of two grades that are given in practice, for goals.
    public private(set) var gradeStep = GradeRange.scaleStep
    /// The sibling field that says how good an ungraded leaf could still get (a score's `max`).
    public private(set) var bestGradeField: String?
    /// Most significant digits of a number.
    public private(set) var digits = 9
    /// Most digits after the point.
    public private(set) var decimals = 4

    private init(name: String, key: NameKey, content: Content, label: LocalizedText) {
        self.name = name
        self.key = key
        self.content = content
        self.label = label
    }

    /// A decimal number: at most 9 significant digits, 4 of them after the point.
    public static func number(_ field: Field<Exact>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .number, label: label)
    }

    /// A whole number of at most 9 digits.
    public static func integer(_ field: Field<Int>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .integer, label: label)
    }

    /// A whole number that enters calculations.
    public static func integer(_ field: Field<Exact>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .integer, label: label)
    }

    /// A line of text.
    public static func text(_ field: Field<String>, _ label: LocalizedText, maxLength: Int = 200) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .text(maxLength: maxLength), label: label)
    }

    /// Yes or no.
    public static func flag(_ field: Field<Bool>, _ label: LocalizedText) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .flag, label: label)
    }

    /// One of several named values.
    public static func choice(_ field: Field<String>, _ label: LocalizedText, of choices: [Choice]) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .choice(choices), label: label)
    }

    /// One of several numbered values.
    public static func choice(_ field: Field<Int>, _ label: LocalizedText, of choices: [Choice]) -> FieldShape {
        FieldShape(name: field.name, key: field.key, content: .choice(choices), label: label)
    }

    /// May be left out.
    public func optional() -> FieldShape { with { $0.isRequired = false } }

    /// May not be below `bound`; `fault` is what a value out of bounds is called.
    public func atLeast(_ bound: Exact, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.lowest = .inclusive(bound)
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// Must be above `bound`.
    public func above(_ bound: Exact, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.lowest = .exclusive(bound)
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// May not exceed `bound`.
    public func atMost(_ bound: Exact, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.highest = .inclusive(bound)
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// May not exceed a sibling field, while that is positive.
    public func atMost(_ field: Field<Exact>, orFault fault: FaultCode? = nil) -> FieldShape {
        with {
            $0.highestField = field.name
            $0.rangeFault = fault ?? $0.rangeFault
        }
    }

    /// What a form offers at first.
    public func initially(_ value: Exact) -> FieldShape { with { $0.initialValue = .number(value) } }
    /// What a form offers at first.
    public func initially(_ value: String) -> FieldShape { with { $0.initialValue = .text(value) } }
    /// What a form offers at first.
    public func initially(_ value: Bool) -> FieldShape { with { $0.initialValue = .flag(value) } }

    /// In a class each student has a value of their own; grades have so anyway.
    public func perStudent() -> FieldShape { with { $0.isPerStudent = true } }

    /// Accepts "12,5" in a JSON string.
    public func withDecimalComma() -> FieldShape { with { $0.allowsComma = true } }

    /// Is a grade from `worst` to `best`; either may be the greater; `step` is the distance of two grades that
    /// are given in practice.
    public func asGrade(best: Exact, worst: Exact = 0, step: Exact? = nil) -> FieldShape {
        with {
            $0.isGrade = true
            $0.bestGrade = best
            $0.worstGrade = worst
            $0.gradeStep = step ?? $0.gradeStep
        }
    }

    /// Is a grade, at best as much as a sibling field says.
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
