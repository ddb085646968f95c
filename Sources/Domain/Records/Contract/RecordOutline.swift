public import Shared

/// A record without its documents: whose it is, which rules apply, and the versions of its views.
public struct RecordOutline: Sendable, Equatable {
    /// Whose it is and which rules apply.
    public let head: RecordHead
    /// The store's epoch.
    public let epoch: Epoch
    /// The full view's version.
    public let fullVersion: Version
    /// The released view's version.
    public let releasedVersion: Version

    /// A record's outline.
    public init(head: RecordHead, epoch: Epoch, fullVersion: Version, releasedVersion: Version) {
        self.head = head
        self.epoch = epoch
        self.fullVersion = fullVersion
        self.releasedVersion = releasedVersion
    }

    /// The place in time of one view.
    public func revision(_ view: RecordView) -> Revision {
        Revision(epoch: epoch, version: view == .full ? fullVersion : releasedVersion)
    }
}

extension RecordSnapshot {
    /// The record without its documents.
    public var outline: RecordOutline {
        RecordOutline(head: head, epoch: epoch, fullVersion: fullVersion, releasedVersion: releasedVersion)
    }
}
