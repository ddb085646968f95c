/// A place where a trail contradicts itself: something was altered, or lost, other than through the store.
public struct TrailFault: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: String, Sendable {
        /// A number is missing, or there twice.
        case gap
        /// The hash over the line and the one before it is another.
        case brokenLink
        /// What the line says is not what it said when it was written.
        case alteredParticulars
        /// The trail ends elsewhere than its head says.
        case wrongEnd
        /// Lines that belong to nothing that is, or was, there.
        case strayLines
    }

    /// The record's identifier; for the general trail `audit/` and the institution's.
    public let trail: String
    /// The line: the record's full version, or the number in the general trail.
    public let number: Int
    /// What is wrong there.
    public let kind: Kind

    /// A contradiction.
    public init(trail: String, number: Int, kind: Kind) {
        self.trail = trail
        self.number = number
        self.kind = kind
    }
}
