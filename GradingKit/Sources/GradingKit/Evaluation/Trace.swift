/// The explanation of one figure, from the inputs to the value: one node of a recording, and the nodes it was made of.
///
/// Nodes of one recording share what is equal, so an explanation grows with the record and not with the number of ways
/// in which a grade is used. Anybody can evaluate a trace again (`reevaluated`), so what is explained cannot drift from
/// what was computed.
public struct Trace: Sendable {
    /// What a node did with its children.
    public enum Operation: Sendable, Hashable {
        /// A field of an entry.
        case input(entry: EntryID, field: String)
        /// An ungraded leaf that is no field: an empty category or unit under an assumption.
        case assumed(entry: EntryID)
        /// A figure that an entry, or the record itself, is given: by a person, as the note says, or by the row of a class.
        indirect case given(entry: EntryID, GivenNote?)
        /// A number that the scheme or its configuration brings.
        case constant
        case add, subtract, multiply, divide, minimum, maximum
        /// The sum of all children that are used.
        case sum
        /// The weighted mean of its terms.
        case mean
        /// The least, the greatest, or the one in the middle of the terms that are used; between two in the middle, their
        /// mean.
        case least, greatest, median
        /// The most frequent of the terms that are used; of those that are equally frequent the better one.
        case mode(Direction)
        /// One term of a sum or mean: the value, and the weight if there is one.
        case term(entry: EntryID)
        /// The value rounded.
        case round(RoundingStep)
        /// The points of the band in which the value lies.
        indirect case bands(Bands)
        /// The value read off a curve.
        indirect case curve(Curve)
        /// No value, for a reason of the scheme's own.
        case withheld
        /// A recorded grade adjusted.
        indirect case adjust(GradeAdjustment)
        /// One of several quantities that a formula chooses from, the first child; the others are what it would have taken
        /// otherwise. Only explanations that are asked for it have these.
        case choice
        /// Another figure, explained by the first child. Of one that people gave, the second is what would be computed.
        case figure(String, entry: EntryID)
    }

    /// What became of a node's value.
    public enum Usage: String, Sendable {
        /// It counts.
        case used
        /// It counts nothing yet: ungraded, or without weight.
        case skipped
        /// A status or a drop rule took it out.
        case dropped
        /// Another attempt counts in its place.
        case superseded
    }

    let recording: TraceRecording
    /// The node's place in its recording, after those of its children.
    let number: Int

    private var node: TraceRecording.Node { recording.node(number) }

    /// What the node did.
    public var operation: Operation { node.operation }
    /// The value, or why there is none.
    public var state: Quantity.State { node.state }
    /// What became of it.
    public var usage: Usage { node.usage }
    /// What it was made of.
    public var children: [Trace] { recording.children(of: number).map { Trace(recording: recording, number: $0) } }
}

extension Trace {
    /// The node's value computed again from its leaves, by nothing but the trace.
    public func reevaluated() -> Quantity.State { recording.reevaluated(upTo: number)[number] }

    /// Visits the node and everything it was made of: each node once, children first, however often it is used.
    ///
    /// - Parameters:
    ///   - intoFigures: whether to go on into other figures that it was made of, or to end at them.
    ///   - visit: takes a node and the number of ways that lead from this node to it, at most `Int.max`.
    public func walk(intoFigures: Bool = true, _ visit: (_ node: Trace, _ ways: Int) -> Void) {
        let ways = recording.ways(from: number, intoFigures: intoFigures)
        for (place, ways) in ways.enumerated() where ways > 0 {
            visit(Trace(recording: recording, number: place), ways)
        }
    }

    /// How often the node counts some others in its own formula, and not in other figures. Of what a formula chooses from, such
    /// as the greater of two grades, one counts.
    public func uses(of nodes: [Trace]) -> Int { recording.uses(of: nodes.map(\.number), in: number) }
}
