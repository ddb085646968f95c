import Synchronization

/// How large the explanations of one record may grow.
public struct TraceLimits: Sendable {
    /// The most nodes that are recorded.
    public var nodes = 50_000
    /// The most references to children.
    public var links = 200_000
    /// The most bytes of written explanations.
    public var bytes = 4 << 20

    /// The defaults. No record of a thousand entries exceeds them under the schemes that ship.
    public init() {}
}

/// The nodes of one record's explanations. Equal nodes are recorded once.
///
/// Children come before their parents, so every walk is a loop over numbers. Recording stops at the limits: later
/// results have no trace, and the recording says that it is full.
final class TraceRecording: Sendable {
    /// A node without its children.
    struct Node: Sendable {
        let operation: Trace.Operation
        let state: Quantity.State
        let usage: Trace.Usage
        fileprivate let links: Range<Int>
    }

    fileprivate struct Contents {
        var nodes: [Node] = []
        /// The children's numbers, node after node.
        var links: [Int32] = []
        /// The first node for each hash. A later node with the same hash is recorded, but not found again.
        var places: [Int: Int32] = [:]
        var isFull = false
    }

    private let limits: TraceLimits
    /// Whether to record the alternatives of a choice, too.
    let showsAlternatives: Bool
    // Quantities may travel between threads, and each thread may record.
    private let contents = Mutex(Contents())

    init(within limits: TraceLimits = TraceLimits(), showingAlternatives showsAlternatives: Bool = false) {
        self.limits = limits
        self.showsAlternatives = showsAlternatives
    }

    /// Whether nodes are missing because a limit was reached.
    var isFull: Bool { contents.withLock { $0.isFull } }

    /// How many nodes there are.
    var count: Int { contents.withLock { $0.nodes.count } }

    func node(_ number: Int) -> Node { contents.withLock { $0.nodes[number] } }

    func children(of number: Int) -> [Int] {
        contents.withLock { contents in contents.links[contents.nodes[number].links].map { Int($0) } }
    }

    /// Records a node; `nil` when the recording is full.
    func trace(
        _ operation: Trace.Operation, _ state: Quantity.State, _ children: [Trace] = [],
        usage: Trace.Usage = .used
    ) -> Trace? {
        let links = children.compactMap { number(of: $0).map { Int32(truncatingIfNeeded: $0) } }
        guard links.count == children.count else { return nil }
        let hash = Self.hash(operation, state, usage, links)
        return contents.withLock { contents in
            let known = contents.places[hash]
            if let known, contents.isNode(Int(known), operation, state, usage, links) {
                return Trace(recording: self, number: Int(known))
            }
            guard contents.nodes.count < limits.nodes, contents.links.count + links.count <= limits.links else {
                contents.isFull = true
                return nil
            }
            let (number, start) = (contents.nodes.count, contents.links.count)
            contents.links += links
            contents.nodes.append(
                Node(operation: operation, state: state, usage: usage, links: start..<contents.links.count))
            if known == nil { contents.places[hash] = Int32(truncatingIfNeeded: number) }
            return Trace(recording: self, number: number)
        }
    }

    /// Records how a quantity was made; a quantity without a trace is recorded as a constant.
    func quantity(_ operation: Trace.Operation, _ state: Quantity.State, of parts: Quantity...) -> Quantity {
        Quantity(state, trace: trace(operation, state, of: parts))
    }

    /// Records a node made of quantities.
    func trace(
        _ operation: Trace.Operation, _ state: Quantity.State, of parts: [Quantity], usage: Trace.Usage = .used
    ) -> Trace? {
        let children = parts.compactMap { $0.trace ?? trace(.constant, $0.state) }
        return children.count == parts.count ? trace(operation, state, children, usage: usage) : nil
    }

    /// Records a fold of terms, unless a term is missing.
    func trace(_ operation: Trace.Operation, _ state: Quantity.State, ofTerms terms: [Trace?]) -> Trace? {
        let children = terms.compactMap { $0 }
        return children.count == terms.count ? trace(operation, state, children) : nil
    }

    /// The number of a node in this recording. A node of another recording becomes a constant here.
    private func number(of trace: Trace) -> Int? {
        trace.recording === self ? trace.number : self.trace(.constant, trace.state)?.number
    }

    private static func hash(
        _ operation: Trace.Operation, _ state: Quantity.State, _ usage: Trace.Usage, _ links: [Int32]
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(usage)
        hasher.combine(links)
        // A scale is long, and two scales over the same child hardly ever differ.
        if case .bands = operation { hasher.combine(0) } else { hasher.combine(operation) }
        // The same operation over the same children gives the same value.
        if links.isEmpty { hasher.combine(state) }
        return hasher.finalize()
    }
}

extension TraceRecording.Contents {
    fileprivate func isNode(
        _ number: Int, _ operation: Trace.Operation, _ state: Quantity.State, _ usage: Trace.Usage, _ links: [Int32]
    ) -> Bool {
        let node = nodes[number]
        return node.usage == usage && self.links[node.links].elementsEqual(links) && node.state == state
            && node.operation == operation
    }
}

// MARK: - Walking

extension TraceRecording {
    /// The number of ways from `root` to each node below it, 1 for the root itself; at most `Int.max`. Unless
    /// `intoFigures`, ways end at other figures.
    func ways(from root: Int, intoFigures: Bool) -> [Int] {
        contents.withLock { contents in
            var ways = [Int](repeating: 0, count: root + 1)
            ways[root] = 1
            for number in stride(from: root, through: 0, by: -1) where ways[number] > 0 {
                if !intoFigures, number < root, case .figure = contents.nodes[number].operation { continue }
                for child in contents.links[contents.nodes[number].links] {
                    let (sum, overflow) = ways[Int(child)].addingReportingOverflow(ways[number])
                    ways[Int(child)] = overflow ? .max : sum
                }
            }
            return ways
        }
    }

    /// How often a node counts some others. Counting ends at other figures, and of the alternatives of a choice one
    /// counts. What a fold skipped or dropped counts nothing.
    func uses(of parts: [Int], in root: Int) -> Int {
        contents.withLock { contents in
            var uses = [Int](repeating: 0, count: root + 1)
            for part in parts where part <= root { uses[part] = 1 }
            for number in 0...root where uses[number] == 0 {
                let node = contents.nodes[number]
                if number < root, case .figure = node.operation { continue }
                let children = contents.links[node.links].map { child in
                    contents.nodes[Int(child)].usage == .used ? uses[Int(child)] : 0
                }
                uses[number] =
                    node.operation.takesOne
                    ? children.max() ?? 0
                    : children.reduce(0) { sum, uses in
                        let (sum, overflow) = sum.addingReportingOverflow(uses)
                        return overflow ? .max : sum
                    }
            }
            return uses[root]
        }
    }

    /// Which nodes the given ones consist of, themselves included.
    func reached(from roots: [Int]) -> [Bool] {
        contents.withLock { contents in
            var reached = [Bool](repeating: false, count: contents.nodes.count)
            for root in roots { reached[root] = true }
            for number in reached.indices.reversed() where reached[number] {
                for child in contents.links[contents.nodes[number].links] { reached[Int(child)] = true }
            }
            return reached
        }
    }

    /// The values of the nodes up to `last`, each computed again from those of its children.
    func reevaluated(upTo last: Int) -> [Quantity.State] {
        contents.withLock { contents in
            var values: [Quantity.State] = []
            values.reserveCapacity(last + 1)
            for number in 0...last { values.append(contents.reevaluated(number, values)) }
            return values
        }
    }
}

// MARK: - Computing again

extension TraceRecording.Contents {
    /// The value of a node, from the known values of its children.
    fileprivate func reevaluated(_ number: Int, _ known: [Quantity.State]) -> Quantity.State {
        let node = nodes[number]
        let values = links[node.links].lazy.map { known[Int($0)] }
        switch node.operation {
        case .input, .constant, .assumed, .given, .withheld: return node.state
        case .add: return node.fold(values) { $0 + $1 }
        case .subtract: return node.fold(values) { $0 - $1 }
        case .multiply: return node.fold(values) { $0 * $1 }
        case .divide: return node.fold(values) { $0 / $1 }
        case .minimum: return node.fold(values) { Swift.min($0, $1) }
        case .maximum: return node.fold(values) { Swift.max($0, $1) }
        case .least: return selection(.least, node, known)
        case .greatest: return selection(.greatest, node, known)
        case .median: return selection(.median, node, known)
        case .mode(let better): return selection(.mode(better), node, known)
        case .term, .figure, .choice: return values.first ?? node.state
        case .sum: return sum(node, known)
        case .mean: return mean(node, known)
        case .round(let step): return node.map(values) { step($0) }
        case .adjust(let adjustment): return node.map(values) { adjustment($0) }
        case .bands(let bands): return node.map(values) { bands.points(for: $0) }
        case .curve(let curve): return node.map(values) { curve($0) }
        }
    }

    private func sum(_ node: TraceRecording.Node, _ known: [Quantity.State]) -> Quantity.State {
        var total = ExactSum()
        for child in links[node.links] where nodes[Int(child)].usage == .used {
            guard case .value(let value) = known[Int(child)] else { return node.state }
            total.add(value)
            if total.isEndless { return .undefined(.tooPrecise) }
        }
        return Quantity.bounded(total.value)
    }

    private func selection(
        _ selection: Selection, _ node: TraceRecording.Node, _ known: [Quantity.State]
    ) -> Quantity.State {
        var values: [Exact] = []
        for child in links[node.links] where nodes[Int(child)].usage == .used {
            guard case .value(let value) = known[Int(child)] else { return node.state }
            values.append(value)
        }
        return selection(values).map { Quantity.bounded($0) } ?? node.state
    }

    private func mean(_ node: TraceRecording.Node, _ known: [Quantity.State]) -> Quantity.State {
        var (total, weights) = (ExactSum(), ExactSum())
        for term in links[node.links] where nodes[Int(term)].usage == .used {
            let parts = links[nodes[Int(term)].links]
            guard let first = parts.first, case .value(let value) = known[Int(first)] else { return node.state }
            var weight = Exact.one
            if parts.count > 1 {
                guard case .value(let given) = known[Int(parts[parts.startIndex + 1])] else { return node.state }
                weight = given
            }
            total.add(value, times: weight)
            weights.add(weight)
            if total.isEndless || weights.isEndless { return .undefined(.tooPrecise) }
        }
        guard let mean = total.divided(by: weights) else { return node.state }
        return Quantity.bounded(mean)
    }
}

extension Trace.Operation {
    /// Whether the value is that of one child.
    fileprivate var takesOne: Bool {
        switch self {
        case .choice, .minimum, .maximum, .least, .greatest, .mode: true
        default: false
        }
    }
}

extension TraceRecording.Node {
    fileprivate func fold(
        _ values: some Collection<Quantity.State>, _ compute: (Exact, Exact) -> Exact?
    ) -> Quantity.State {
        guard values.count == 2, case .value(let left)? = values.first,
            case .value(let right)? = values.dropFirst().first
        else { return state }
        return Quantity.bounded(compute(left, right))
    }

    fileprivate func map(
        _ values: some Collection<Quantity.State>, _ compute: (Exact) -> Exact
    ) -> Quantity.State {
        guard case .value(let value)? = values.first else { return state }
        return Quantity.bounded(compute(value))
    }
}
