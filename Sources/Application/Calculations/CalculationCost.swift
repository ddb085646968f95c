import GradingKit

/// An upper bound of a calculation's cost, estimated from its texts before they are parsed.
///
/// No entry is written without a brace of its own, so that the braces bound the entries, and with them the work: it grows
/// with the entries and with what is asked about each. A unit is what the judgement of some sixty entries takes, about a
/// third of a millisecond.
struct CalculationCost: Sendable, Equatable {
    /// What is asked about each entry; the raw value is what that takes, compared with a standing.
    enum Question: Int, Sendable {
        /// Only what is written.
        case reading = 0
        /// The standing.
        case standing = 1
        /// The standing and how it comes about.
        case explanation = 8
        /// What open grades must be, which takes many standings.
        case goal = 10
    }

    /// Parts of a unit.
    private static let pointsOfUnit = 256
    /// What is done where it is asked for, on an event loop.
    private static let greatestSmall = 2 * pointsOfUnit

    private let points: Int

    /// The cost of a question about some texts.
    ///
    /// - Parameter isConfiguring: whether the rules have to be made first.
    init(of question: Question, about texts: [UInt8]..., configuring isConfiguring: Bool = false) {
        let bytes = texts.reduce(0) { $0 + $1.count }
        let braces = texts.reduce(0) { $0 + $1.count { $0 == UInt8(ascii: "{") } }
        let entries = min(braces, RecordShape.greatestEntryCount)
        points =
            bytes / 64 + braces + entries * 4 * question.rawValue + (isConfiguring ? Self.pointsOfUnit : 0)
    }

    /// The cost in whole units, at least 1: what limits count.
    var units: Int { max(1, (points + Self.pointsOfUnit - 1) / Self.pointsOfUnit) }

    /// Whether others hardly notice that they wait for it.
    var isSmall: Bool { points <= Self.greatestSmall }
}
