public import Shared

/// A record as it stands at one moment.
public struct RecordSnapshot: Sendable, Equatable {
    /// Whose it is and which rules apply.
    public let head: RecordHead
    /// The store's epoch.
    public let epoch: Epoch
    /// The full view's version.
    public let fullVersion: Version
    /// The released view's version.
    public let releasedVersion: Version
    /// What staff see.
    public let full: RecordContent
    /// What the student sees; `nil` when it is the same, which it is while nothing is hidden.
    public let released: RecordContent?

    /// A record as it stands.
    public init(
        head: RecordHead, epoch: Epoch, fullVersion: Version, releasedVersion: Version, full: RecordContent,
        released: RecordContent?
    ) {
        self.head = head
        self.epoch = epoch
        self.fullVersion = fullVersion
        self.releasedVersion = releasedVersion
        self.full = full
        self.released = released
    }

    /// Whether staff entered or hid anything in the record.
    public var holdsWorkOfStaff: Bool {
        // Names who entered it; inside a text the quotation marks would be escaped.
        released != nil || full.tree.contains(Self.mark)
    }

    /// Whether an entry of the record stands for a row of a class.
    public var holdsLinks: Bool {
        // Behind the enrolment's text; what is given by people stands behind a truth value.
        full.tree.contains(Self.linkMark)
    }

    private static let mark = Array(",\"enteredBy\":{".utf8)
    private static let linkMark = Array("\",\"given\":{\"figures\":{".utf8)

    /// The documents of one view.
    public func content(_ view: RecordView) -> RecordContent {
        switch view {
        case .full: full
        case .released: released ?? full
        }
    }

    /// The place in time of one view.
    public func revision(_ view: RecordView) -> Revision { outline.revision(view) }
}
