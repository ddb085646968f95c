/// The version of a document, assigned in the transaction of the change. It rises by one, without gaps.
public typealias Version = Int

/// The random identifier of a store's history; a restore or an import begins a new one.
///
/// Versions of different epochs are never compared: a new epoch replaces everything that a client holds.
public struct Epoch: Hashable, Sendable, CustomStringConvertible {
    /// The epoch as it is written in revisions and messages: 1…32 ASCII letters and digits.
    public let text: String

    /// Creates an epoch from its text.
    public init(_ text: String) { self.text = text }

    /// The text of the epoch.
    public var description: String { text }
}

/// The revision of a document: its epoch and version, written `k3.44`.
public struct Revision: Hashable, Sendable, CustomStringConvertible {
    /// The store's epoch.
    public let epoch: Epoch
    /// The document's version within the epoch.
    public let version: Version

    /// Creates a revision.
    public init(epoch: Epoch, version: Version) {
        self.epoch = epoch
        self.version = version
    }

    /// Reads `epoch.version`; `nil` for anything else.
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

    /// Creates a moment from the microseconds since the Unix epoch.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Compares moments: the earlier one is smaller.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Returns the moment so many seconds later, or earlier if negative, clamped to the range of moments.
    public func adding(seconds: Int64) -> Timestamp {
        let (distance, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (moment, isBeyond) = microseconds.addingReportingOverflow(distance)
        if isTooFar || isBeyond { return Timestamp(microseconds: seconds < 0 ? .min : .max) }
        return Timestamp(microseconds: moment)
    }
}
