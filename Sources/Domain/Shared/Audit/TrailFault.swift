/// A fault in a trail: something was altered or lost without the store's doing.
public struct TrailFault: Sendable, Hashable {
    /// The kind of a fault.
    public enum Kind: String, Sendable {
        /// A number is missing or occurs twice.
        case gap
        /// The link is not the hash of the row and the previous link.
        case brokenLink
        /// The row's particulars differ from what was written.
        case alteredParticulars
        /// The trail does not end where its stored end says.
        case wrongEnd
        /// There are rows of a trail that does not and did not exist.
        case strayLines
    }

    /// The record's identifier; for a general trail, `audit/` and the institution's identifier.
    public let trail: String
    /// The row: the record's full version, or the number in the general trail.
    public let number: Int
    /// The kind of the fault.
    public let kind: Kind

    /// Creates a fault.
    public init(trail: String, number: Int, kind: Kind) {
        self.trail = trail
        self.number = number
        self.kind = kind
    }
}
