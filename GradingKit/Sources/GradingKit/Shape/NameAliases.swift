/// The names in other versions of the rules for the fields of a kind, or for its figures or outcomes.
public struct NameAliases: Sendable, Equatable {
    private var owns: [String: String] = [:]
    private var names: [String: [String]] = [:]

    /// Creates aliases of nothing.
    public init() {}

    /// Whether nothing has another name.
    public var isEmpty: Bool { owns.isEmpty }

    /// The name here; `nil` for a name of no other version.
    public func own(of name: String) -> String? { owns[name] }

    /// The name here of a member of a family, `name:key`; `nil` for a family of no other version.
    func own(ofMember name: String) -> String? {
        guard !isEmpty, let colon = name.firstIndex(of: ":") else { return nil }
        return own(of: String(name[..<colon])).map { $0 + name[colon...] }
    }

    /// The names of something in other versions, in the order in which they count where several are stored.
    public func names(of own: String) -> [String] { names[own] ?? [] }

    /// Adds a name of another version, unless it already stands for something.
    public mutating func add(_ name: String, of own: String) {
        guard owns[name] == nil else { return }
        owns[name] = own
        names[own, default: []].append(name)
    }

    /// Returns values under the names here. Of several names of one thing, its own counts, otherwise the first alias.
    ///
    /// - Returns: the values, and the names of those that another name supersedes.
    public func named<Value>(_ values: [String: Value]) -> (values: [String: Value], superseded: [String]) {
        guard values.contains(where: { owns[$0.key] != nil }) else { return (values, []) }
        var (named, superseded) = ([String: Value](), [String]())
        for (name, value) in values {
            guard let own = owns[name] else {
                named[name] = value
                continue
            }
            if values[own] == nil, names(of: own).first(where: { values[$0] != nil }) == name {
                named[own] = value
            } else {
                superseded.append(name)
            }
        }
        return (named, superseded.sorted())
    }

    /// Returns the later name of each earlier name that still exists, under its own name or as an alias. If several
    /// became one, only the first has a later name.
    func successors(of earlier: [String], among later: [String]) -> [String: String] {
        var found: [String: String] = [:]
        for name in later {
            if let former = ([name] + names(of: name)).first(where: { earlier.contains($0) }) { found[former] = name }
        }
        return found
    }
}
