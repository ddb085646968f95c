public import GradingKit

/// What every scheme promises, whatever it computes.
public enum Law: String, Sendable, CaseIterable {
    /// A record without entries has no grade and meets nothing: its figures are undefined, never 0, except those that
    /// count points.
    case emptyIsUndefined
    /// The order of entries changes positions, never a figure.
    case orderIsIrrelevant
    /// Points and maxima of all entries, doubled together, change nothing but figures that count points.
    case scaleIsIrrelevant
    /// The validator does not call a value out of range that the shape allows, and records made of the shape's values
    /// can be made acceptable.
    case shapeAndValidatorAgree
    /// A trace, computed again from its leaves, gives its figure.
    case tracesReevaluate
    /// A figure's trace contains each recorded grade of the fields that the figure uses, whether used, skipped, dropped
    /// or superseded, or else the entry with the grade. Alternatives that the formula did not take count as part of the
    /// trace. The figure's own formula contains each grade once.
    case gradesCountOnce
    /// The guaranteed figure does not exceed the best reachable one.
    case floorBelowCeiling
    /// The current figure lies between them, unless a grade exceeds its maximum, or an entry with a recorded grade is
    /// left out because it needs others that are still to come.
    case currentInRange
    /// The same record gives the same standing: when computed again, when explained, and when read back from its stored
    /// form.
    case isDeterministic
    /// Every code has a wording in every language, with every argument that the wording mentions.
    case codesAreWorded
    /// Every figure, family and outcome of an entry or of the record has a unique name.
    case namesAreUnique
    /// The greatest record is judged in a bounded number of steps for each of its entries.
    case staysInBounds

    /// The law in a sentence.
    public var statement: String {
        switch self {
        case .emptyIsUndefined: "an empty record is undefined"
        case .orderIsIrrelevant: "the order of entries changes no figure"
        case .scaleIsIrrelevant: "twice the points of twice the maximum change nothing"
        case .shapeAndValidatorAgree: "validator and shape agree"
        case .tracesReevaluate: "a trace re-evaluates to its figure"
        case .gradesCountOnce: "each grade counts once in a figure"
        case .floorBelowCeiling: "floor ≤ ceiling"
        case .currentInRange: "floor ≤ current ≤ ceiling"
        case .isDeterministic: "the same record gives the same standing"
        case .codesAreWorded: "every code is worded"
        case .namesAreUnique: "no two figures share a name"
        case .staysInBounds: "the greatest record is judged in few steps"
        }
    }
}

/// A law that a scheme breaks, with a record that shows it.
public struct LawViolation: Error, Sendable, CustomStringConvertible {
    /// The law.
    public let law: Law
    /// The observation.
    public let finding: LocalizedText
    /// The figure or outcome that shows it, without the key of a group; `nil` if the violation concerns the whole
    /// record.
    public let figure: String?
    /// The kind of the figure's entry; `nil` for the record.
    public let kind: String?
    /// The record that shows it, as the body of a stateless calculation; `null` if no record is needed.
    public let record: JSON

    /// The observation, in English.
    public var detail: String { finding.english }
    /// The law and the observation, in English.
    public var description: String { "\(law.statement): \(detail)" }
}
