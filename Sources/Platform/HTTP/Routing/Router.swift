/// The values of a pattern's parameters.
public struct RouteParameters: Sendable {
    fileprivate let names: [String]
    fileprivate let target: Target
    fileprivate let places: RouterPlaces

    /// Returns the decoded segment for the parameter `name`; never empty.
    public subscript(name: String) -> String? {
        for index in names.indices where names[index] == name { return target.text(of: places[index]) }
        return nil
    }
}

/// Finds the route for a method and a target among patterns such as `/v1/records/{record}/entries/{entry}`.
///
/// A literal segment takes precedence over a parameter in the same place, whatever the order of adding. HEAD uses the
/// route of GET unless it has one of its own.
public struct Router<Value: Sendable>: Sendable {
    /// The result of a search.
    public enum Match: Sendable {
        /// A route, and the values of its parameters.
        case found(Value, RouteParameters)
        /// No route has this path.
        case notFound
        /// The path is known, but not with this method; these are its methods.
        case methodNotAllowed(allow: [Method])
        /// OPTIONS, without a route of its own; these methods are known.
        case options(allow: [Method])
    }

    /// The reason why a route could not be added.
    public enum PatternError: Error, Equatable, Sendable {
        /// The pattern does not start with `/`, has braces that do not enclose a whole segment, or has more than four
        /// parameters.
        case malformed(String)
        /// The route exists already.
        case duplicate(Method, String)
    }

    // The tree does not depend on `Value`, so that the search is compiled only once.
    private var nodes = [RouterNode()]
    private var values: [Value] = []
    private var methods: [Method] = []

    /// Creates a router without routes.
    public init() {}

    /// Adds a route; throws if the pattern is malformed or has a route for the method.
    public mutating func add(_ method: Method, _ pattern: String, _ value: Value) throws(PatternError) {
        guard pattern.hasPrefix("/") else { throw .malformed(pattern) }
        var node = 0
        var names: [String] = []
        let path = pattern.dropFirst()
        for segment in path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false) {
            if segment.hasPrefix("{") && segment.hasSuffix("}") && segment.count > 2 {
                guard names.count < RouterPlaces.most else { throw .malformed(pattern) }
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

    /// Returns the route for `method` and `target`, or why there is none.
    public func match(_ method: Method, _ target: Target) -> Match {
        if target.isAsterisk { return .options(allow: allowed(methods)) }
        var places = RouterPlaces()
        guard let node = RouterNode.find(target, from: target.firstSegment, at: 0, in: nodes, &places) else {
            return .notFound
        }
        if let route = nodes[node].route(method) ?? (method == .head ? nodes[node].route(.get) : nil) {
            return .found(values[route.value], RouteParameters(names: route.names, target: target, places: places))
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
        let bytes = Array(name.utf8)
        if let child = nodes[node].children.first(where: { $0.name == bytes }) { return child.node }
        nodes.append(RouterNode())
        nodes[node].children.append((name: bytes, node: nodes.count - 1))
        return nodes.count - 1
    }

    private mutating func parameterChild(of node: Int) -> Int {
        if let child = nodes[node].parameter { return child }
        nodes.append(RouterNode())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }
}

/// Where the values of a pattern's parameters are in a target, stored without an allocation.
private struct RouterPlaces: Sendable {
    static let most = 4

    private var places = InlineArray<4, Range<Int>>(repeating: 0..<0)
    private var count = 0

    subscript(index: Int) -> Range<Int> { places[index] }

    /// Adds a place. There is room for it, because no pattern has more parameters than there are places.
    mutating func append(_ place: Range<Int>) {
        places[count] = place
        count += 1
    }

    mutating func removeLast() { count -= 1 }
}

/// A node of the tree of patterns.
private struct RouterNode: Sendable {
    struct Route: Sendable {
        let method: Method
        /// The index of its value.
        let value: Int
        let names: [String]
    }

    var children: [(name: [UInt8], node: Int)] = []
    var parameter: Int?
    var routes: [Route] = []

    func route(_ method: Method) -> Route? {
        for index in routes.indices where routes[index].method == method { return routes[index] }
        return nil
    }

    /// Returns the child whose name equals a segment of the target; `nil` if there is none.
    private func child(at segment: Range<Int>, of target: Target) -> Int? {
        for index in children.indices where target.spells(segment, children[index].name) {
            return children[index].node
        }
        return nil
    }

    /// Returns the node of the rest of a path. Tries the literal segment first, then the parameter; goes as deep as the
    /// longest pattern.
    static func find(
        _ target: Target, from segment: Range<Int>?, at node: Int, in nodes: [RouterNode], _ places: inout RouterPlaces
    ) -> Int? {
        guard let segment else { return nodes[node].routes.isEmpty ? nil : node }
        let next = target.segment(after: segment)
        if let child = nodes[node].child(at: segment, of: target),
            let found = find(target, from: next, at: child, in: nodes, &places)
        {
            return found
        }
        guard let child = nodes[node].parameter, !segment.isEmpty else { return nil }
        places.append(segment)
        if let found = find(target, from: next, at: child, in: nodes, &places) { return found }
        places.removeLast()
        return nil
    }
}
