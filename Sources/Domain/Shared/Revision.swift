/// A document's version: assigned in the change's transaction, rising by one, without gaps.
public typealias Version = Int

/// The random id of a store's history; a restore or import starts a new one.
///
/// Versions of different epochs are never compared: a new epoch replaces everything held.
public struct Epoch: Hashable, Sendable, CustomStringConvertible {
    /// The epoch as it stands in ETags and frames: 1 to 32 of `[a-z0-9]`.
    public let text: String

    /// Wraps an epoch's text.
    public init(_ text: String) { self.text = text }

    /// The epoch's text.
    public var description: String { text }
}

/// A document's place in time, `(e, v)`, written `k3.44` in an ETag or an event id.
public struct Revision: Hashable, Sendable, CustomStringConvertible {
    /// The store's epoch.
    public let epoch: Epoch
    /// The document's version within the epoch.
    public let version: Version

    /// A place in time.
    public init(epoch: Epoch, version: Version) {
        self.epoch = epoch
        self.version = version
    }

    /// Reads `epoch.version`; anything else is `nil`.
    public init?(text: some StringProtocol) {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let digits = text[text.index(after: dot)...]
        guard let version = Version(digits), version >= 0, String(version) == digits else { return nil }
        let epoch = text[..<dot]
        guard (1...32).contains(epoch.utf8.count),
            epoch.utf8.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 })
        else { return nil }
        self.init(epoch: Epoch(String(epoch)), version: version)
    }

    /// The text `epoch.version`.
    public var description: String { "\(epoch).\(version)" }
}

/// A moment: microseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch.
    public let microseconds: Int64

    /// A moment by its distance from the Unix epoch.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The earlier moment is the smaller one.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// The moment that many seconds later (earlier when negative), or the last (first) one there is.
    public func adding(seconds: Int64) -> Timestamp {
        let (distance, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (moment, isBeyond) = microseconds.addingReportingOverflow(distance)
        if isTooFar || isBeyond { return Timestamp(microseconds: seconds < 0 ? .min : .max) }
        return Timestamp(microseconds: moment)
    }
}
