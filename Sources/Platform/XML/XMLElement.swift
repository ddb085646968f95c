/// An element of an XML document, with its content.
public struct XMLElement: Sendable, Equatable {
    /// The address of its namespace; empty for none.
    public let namespace: String
    /// The name without a prefix.
    public let name: String
    /// All text directly within it.
    public internal(set) var text = ""
    /// The elements within it, in order.
    public internal(set) var children: [XMLElement] = []

    init(namespace: String, name: String) {
        self.namespace = namespace
        self.name = name
    }

    /// Returns the first child with a name, in this element's namespace; `nil` if there is none.
    public func first(_ name: String) -> XMLElement? {
        children.first { $0.name == name && $0.namespace == namespace }
    }
}
