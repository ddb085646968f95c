/// The explanation of one figure, from the inputs to the value: a node of a recording and the nodes below it.
///
/// Equal nodes of a recording are shared, so an explanation grows with the record and not with the number of ways in
/// which a grade is used. Anyone can evaluate a trace again (`reevaluated`), so an explanation cannot differ from the
/// computation.
public struct Trace: Sendable {
    /// How a node's value comes from its children.
    public enum Operation: Sendable, Hashable {
        /// A field of an entry.
        case input(entry: EntryID, field: String)
        /// An ungraded leaf other than a field: an empty category or unit under an assumption.
        case assumed(entry: EntryID)
        /// A figure that an entry or the record was given: by a person, as the note says, or by the row of a class.
        indirect case given(entry: EntryID, GivenNote?)
        /// A number of the scheme or its configuration.
        case constant
        case add, subtract, multiply, divide, minimum, maximum
        /// The sum of the children that are used.
        case sum
        /// The weighted mean of its terms.
        case mean
        /// The least, the greatest, or the median of the terms that are used. The median of an even number is the mean
        /// of the middle two.
        case least, greatest, median
        /// The most frequent of the terms that are used; of equally frequent ones, the better.
        case mode(Direction)
        /// One term of a sum or mean: the value, and its weight if it has one.
        case term(entry: EntryID)
        /// The value rounded.
        case round(RoundingStep)
        /// The points of the band in which the value lies.
        indirect case bands(Bands)
        /// The value read off a curve.
        indirect case curve(Curve)
        /// No value, for a reason of the scheme.
        case withheld
        /// A recorded grade adjusted.
        indirect case adjust(GradeAdjustment)
        /// The quantity that a formula chose is the first child. The others are the alternatives, which only
        /// explanations that ask for them have.
        case choice
        /// Another figure, which the first child explains. If people gave it, the second child is the computed value.
        case figure(String, entry: EntryID)
    }

    /// Whether a node counts.
    public enum Usage: String, Sendable {
        /// It counts.
        case used
        /// It does not count yet: it is ungraded or has no weight.
        case skipped
        /// A status or a drop rule took it out.
        case dropped
        /// Another attempt counts in its place.
        case superseded
    }

    let recording: TraceRecording
    /// The node's number in its recording, greater than those of its children.
    let number: Int

    private var node: TraceRecording.Node { recording.node(number) }

    /// How its value comes from its children.
    public var operation: Operation { node.operation }
    /// The value, or why there is none.
    public var state: Quantity.State { node.state }
    /// Whether it counts.
    public var usage: Usage { node.usage }
    /// The nodes below it.
    public var children: [Trace] { recording.children(of: number).map { Trace(recording: recording, number: $0) } }
}

extension Trace {
    /// The node's value, computed again from its leaves with nothing but the trace.
    public func reevaluated() -> Quantity.State { recording.reevaluated(upTo: number)[number] }

    /// Visits the node and everything below it, each node once, children first, however often it is used.
    ///
    /// - Parameters:
    ///   - intoFigures: whether to go on into other figures, or to stop at them.
    ///   - visit: takes a node and the number of ways from this node to it, at most `Int.max`.
    public func walk(intoFigures: Bool = true, _ visit: (_ node: Trace, _ ways: Int) -> Void) {
        let ways = recording.ways(from: number, intoFigures: intoFigures)
        for (place, ways) in ways.enumerated() where ways > 0 {
            visit(Trace(recording: recording, number: place), ways)
        }
    }

    /// How often the node's own formula counts some others, without going into other figures. Of the alternatives of a
    /// choice, such as the greater of two grades, one counts, and what a fold skipped or dropped counts nothing.
    public func uses(of nodes: [Trace]) -> Int { recording.uses(of: nodes.map(\.number), in: number) }
}
