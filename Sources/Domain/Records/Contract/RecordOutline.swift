public import Shared

/// A record without its documents: its owner, its rules, and the versions of its views.
public struct RecordOutline: Sendable, Equatable {
    /// The owner of the record and its rules.
    public let head: RecordHead
    /// The store's epoch.
    public let epoch: Epoch
    /// The version of the full view.
    public let fullVersion: Version
    /// The version of the released view.
    public let releasedVersion: Version

    /// Creates the outline of a record.
    public init(head: RecordHead, epoch: Epoch, fullVersion: Version, releasedVersion: Version) {
        self.head = head
        self.epoch = epoch
        self.fullVersion = fullVersion
        self.releasedVersion = releasedVersion
    }

    /// Returns the revision of one view.
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
