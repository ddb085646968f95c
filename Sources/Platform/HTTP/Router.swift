/// Finds what answers a method and a target among patterns such as `/v1/records/{record}/entries/{entry}`.
///
/// A written segment is preferred to a parameter in the same place, whatever the order of adding. HEAD is served by
/// GET unless it has a route of its own.
public struct Router<Value: Sendable>: Sendable {
    /// What was found.
    public enum Match: Sendable {
        /// A route, and what stood in the place of its parameters.
        case found(Value, Parameters)
        /// No route has this path.
        case notFound
        /// The path is known, the method is not; these are.
        case methodNotAllowed(allow: [Method])
        /// OPTIONS without a route of its own: these methods are known.
        case options(allow: [Method])
    }

    /// What stood in the place of a pattern's parameters.
    public struct Parameters: Sendable, Equatable {
        private var items: [(name: String, value: String)] = []

        /// The decoded segment under `name`; never empty.
        public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

        init(names: [String], values: [String]) {
            items = Array(zip(names, values)).map { (name: $0, value: $1) }
        }

        /// Whether both have the same names and values.
        public static func == (left: Parameters, right: Parameters) -> Bool {
            left.items.elementsEqual(right.items) { $0 == $1 }
        }
    }

    /// Why a route could not be added.
    public enum PatternError: Error, Equatable, Sendable {
        /// A pattern starts with `/`, and braces enclose a whole segment's name.
        case malformed(String)
        /// There is such a route already.
        case duplicate(Method, String)
    }

    // What is looked for is not generic, so that the way through the tree is compiled once and for all.
    private var nodes = [RouterNode()]
    private var values: [Value] = []
    private var methods: [Method] = []

    /// A router without routes.
    public init() {}

    /// Adds a route.
    public mutating func add(_ method: Method, _ pattern: String, _ value: Value) throws(PatternError) {
        guard pattern.hasPrefix("/") else { throw .malformed(pattern) }
        var node = 0
        var names: [String] = []
        let path = pattern.dropFirst()
        for segment in path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false) {
            if segment.hasPrefix("{") && segment.hasSuffix("}") && segment.count > 2 {
                names.append(String(segment.dropFirst().dropLast()))
                node = parameterChild(of: node)
            } else if segment.contains(where: { $0 == "{" || $0 == "}" }) {
                throw .malformed(pattern)
            } else {
                node = child(of: node, named: String(segment))
            }
        }
        guard nodes[node].route(method) == nil else { throw .duplicate(method, pattern) }
        nodes[node].routes.append(RouterNode.Route(method: method, value: values.count, names: names))
        values.append(value)
        if !methods.contains(method) { methods.append(method) }
    }

    /// What answers `method` on `target`.
    public func match(_ method: Method, _ target: Target) -> Match {
        if target.isAsterisk { return .options(allow: allowed(methods)) }
        var parameters: [String] = []
        guard let node = RouterNode.find(target.segments, from: 0, at: 0, in: nodes, &parameters) else {
            return .notFound
        }
        if let route = nodes[node].route(method) ?? (method == .head ? nodes[node].route(.get) : nil) {
            return .found(values[route.value], Parameters(names: route.names, values: parameters))
        }
        let allow = allowed(nodes[node].routes.map(\.method))
        return method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
    }

    private func allowed(_ methods: [Method]) -> [Method] {
        var allow = methods
        if allow.contains(.get), !allow.contains(.head) { allow.append(.head) }
        if !allow.contains(.options) { allow.append(.options) }
        return allow
    }

    private mutating func child(of node: Int, named name: String) -> Int {
        if let child = nodes[node].children[name] { return child }
        nodes.append(RouterNode())
        nodes[node].children[name] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func parameterChild(of node: Int) -> Int {
        if let child = nodes[node].parameter { return child }
        nodes.append(RouterNode())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }
}

/// A place in the tree of patterns.
private struct RouterNode: Sendable {
    struct Route: Sendable {
        let method: Method
        /// Where its value lies.
        let value: Int
        let names: [String]
    }

    var children: [String: Int] = [:]
    var parameter: Int?
    var routes: [Route] = []

    func route(_ method: Method) -> Route? {
        for index in routes.indices where routes[index].method == method { return routes[index] }
        return nil
    }

    /// Walks down as deep as the longest pattern; tries the written segment, then the parameter.
    static func find(
        _ segments: [String], from index: Int, at node: Int, in nodes: [RouterNode], _ values: inout [String]
    ) -> Int? {
        guard index < segments.count else { return nodes[node].routes.isEmpty ? nil : node }
        if let child = nodes[node].children[segments[index]],
            let found = find(segments, from: index + 1, at: child, in: nodes, &values)
        {
            return found
        }
        guard let child = nodes[node].parameter, !segments[index].isEmpty else { return nil }
        values.append(segments[index])
        if let found = find(segments, from: index + 1, at: child, in: nodes, &values) { return found }
        values.removeLast()
        return nil
    }
}
