/// The tree that explains one figure, from the inputs to the value, in the order in which it was computed.
///
/// A trace can be evaluated again by anybody (`reevaluated`), so what is explained cannot drift from what was
/// computed.
public final class Trace: Sendable {
    /// What a node did with its children.
    public enum Operation: Sendable, Equatable {
        /// A field of an entry.
        case input(entry: EntryID, field: String)
        /// An ungraded leaf that is no field: an empty category or unit under an assumption.
        case assumed(entry: EntryID)
        /// A number that the scheme or its configuration brings.
        case constant
        case add, subtract, multiply, divide, minimum
        /// The sum of all children that are used.
        case sum
        /// The weighted mean of its terms.
        case mean
        /// One term of a sum or mean: the value, and the weight if there is one.
        case term(entry: EntryID)
        /// The value rounded.
        case round(RoundingStep)
        /// The points of the band in which the value lies.
        case bands(Bands)
        /// No value, for a reason of the scheme's own.
        case withheld
        /// Another figure, explained by the child.
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

    /// What the node did.
    public let operation: Operation
    /// The value, or why there is none.
    public let state: Quantity.State
    /// What became of it.
    public let usage: Usage
    /// What it was made of.
    public let children: [Trace]

    init(_ operation: Operation, _ state: Quantity.State, _ children: [Trace] = [], usage: Usage = .used) {
        self.operation = operation
        self.state = state
        self.children = children
        self.usage = usage
    }

    func with(_ usage: Usage) -> Trace { Trace(operation, state, children, usage: usage) }
}

extension Trace {
    /// The node's value computed again from its leaves, by nothing but the trace.
    public func reevaluated() -> Quantity.State {
        // A mean goes to its terms' children by itself: computing the terms too would double the work at every level.
        if case .mean = operation { return mean() }
        let values = children.map { $0.reevaluated() }
        switch operation {
        case .input, .constant, .assumed, .withheld: return state
        case .add: return fold(values) { $0 + $1 }
        case .subtract: return fold(values) { $0 - $1 }
        case .multiply: return fold(values) { $0 * $1 }
        case .divide: return fold(values) { $0 / $1 }
        case .minimum: return fold(values) { Swift.min($0, $1) }
        case .term, .figure: return values.first ?? state
        case .sum: return sum(values)
        case .mean: return mean()
        case .round(let step): return map(values) { step($0) }
        case .bands(let bands): return map(values) { bands.points(for: $0) }
        }
    }

    private func fold(_ values: [Quantity.State], _ compute: (Exact, Exact) -> Exact?) -> Quantity.State {
        guard values.count == 2, case .value(let left) = values[0], case .value(let right) = values[1] else {
            return state
        }
        return Quantity.bounded(compute(left, right))
    }

    private func map(_ values: [Quantity.State], _ compute: (Exact) -> Exact) -> Quantity.State {
        guard case .value(let value)? = values.first else { return state }
        return Quantity.bounded(compute(value))
    }

    private func sum(_ values: [Quantity.State]) -> Quantity.State {
        var total = ExactSum()
        for (child, value) in zip(children, values) where child.usage == .used {
            guard case .value(let value) = value else { return state }
            total.add(value)
            if total.isEndless { return .undefined(.tooPrecise) }
        }
        return Quantity.bounded(total.value)
    }

    private func mean() -> Quantity.State {
        var (total, weights) = (ExactSum(), ExactSum())
        for term in children where term.usage == .used {
            let values = term.children.map { $0.reevaluated() }
            guard case .value(let value)? = values.first else { return state }
            var weight = Exact.one
            if values.count > 1 {
                guard case .value(let given) = values[1] else { return state }
                weight = given
            }
            total.add(value, times: weight)
            weights.add(weight)
            if total.isEndless || weights.isEndless { return .undefined(.tooPrecise) }
        }
        guard let mean = total.value / weights.value else { return state }
        return Quantity.bounded(mean)
    }

    /// Visits the node and everything below it.
    public func walk(_ visit: (Trace) -> Void) {
        visit(self)
        for child in children { child.walk(visit) }
    }
}
