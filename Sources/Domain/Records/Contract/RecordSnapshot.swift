public import Shared

/// A record at one moment.
public struct RecordSnapshot: Sendable, Equatable {
    /// The owner of the record and its rules.
    public let head: RecordHead
    /// The store's epoch.
    public let epoch: Epoch
    /// The version of the full view.
    public let fullVersion: Version
    /// The version of the released view.
    public let releasedVersion: Version
    /// The full view, which staff see.
    public let full: RecordContent
    /// The released view, which the student sees; `nil` if it is the same, as it is while nothing is hidden.
    public let released: RecordContent?

    /// Creates a snapshot of a record.
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
        // An entry names the member of staff who entered it. Inside a text, the quotation marks would be escaped.
        released != nil || full.tree.holds(Self.mark, searchingFor: 9)
    }

    /// Whether an entry of the record is linked to a row of a class.
    public var holdsLinks: Bool {
        // In a linked entry, `given` follows the text of the enrolment; in others, where people gave it, it follows a
        // Boolean or an object.
        Self.holdsLinks(in: full.tree)
    }

    static func holdsLinks(in tree: [UInt8]) -> Bool { tree.holds(linkMark, searchingFor: 3) }

    // `B` and `g` are rare in a stored record, so the search looks for these.
    private static let mark = Array(",\"enteredBy\":{".utf8)
    private static let linkMark = Array("\",\"given\":{\"figures\":{".utf8)

    /// Returns the documents of one view.
    public func content(_ view: RecordView) -> RecordContent {
        switch view {
        case .full: full
        case .released: released ?? full
        }
    }

    /// Returns the revision of one view.
    public func revision(_ view: RecordView) -> Revision { outline.revision(view) }
}
