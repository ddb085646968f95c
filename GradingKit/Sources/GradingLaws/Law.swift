public import GradingKit

/// What every scheme promises, whatever it computes.
public enum Law: String, Sendable, CaseIterable {
    /// A record without entries has no grade and has met nothing: its figures are undefined, never 0, but those that count
    /// points.
    case emptyIsUndefined
    /// The order of entries changes positions, never a figure.
    case orderIsIrrelevant
    /// Points and maxima of all entries, doubled together, change nothing but figures that count points.
    case scaleIsIrrelevant
    /// What the shape admits the validator does not call out of range, and records of the shape's own values can be
    /// made acceptable.
    case shapeAndValidatorAgree
    /// A trace, computed again from its leaves, gives its figure.
    case tracesReevaluate
    /// Within one figure's trace each recorded grade of the fields that it looks at appears, used, skipped, dropped or
    /// superseded, or the entry does that has it, also in what the formula would have taken otherwise; in the figure's own
    /// formula once.
    case gradesCountOnce
    /// The guaranteed figure does not exceed the best reachable one.
    case floorBelowCeiling
    /// The current figure lies between them, while no grade exceeds its maximum and no entry with a recorded grade is left out
    /// because others that it needs beside are to come.
    case currentInRange
    /// The same record gives the same standing: again, explained, and read back from its stored form.
    case isDeterministic
    /// Every code is worded in every language, with every argument that its wording mentions.
    case codesAreWorded
    /// Every figure, family and outcome of an entry, or of the record, has a name of its own.
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
        case .gradesCountOnce: "each grade counts once in a figure's trace"
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
    /// What was seen, in English.
    public let detail: String
    /// The figure or outcome that shows it, without the key of a group; `nil` where it is about the whole.
    public let figure: String?
    /// The kind of the entry whose figure it is; `nil` for the record.
    public let kind: String?
    /// The record that shows it, as the body of a stateless calculation; `null` where no record is needed.
    public let record: JSON

    /// The law and what was seen.
    public var description: String { "\(law.statement): \(detail)" }
}
