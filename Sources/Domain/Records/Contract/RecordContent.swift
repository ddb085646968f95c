public import GradingKit
import Shared

/// The two documents of one view, as they are stored and served.
public struct RecordContent: Sendable, Equatable {
    /// The `record` object: `{"id","program","fields","entries"}`.
    public let tree: [UInt8]
    /// The `standing` object, which the scheme computes from the tree.
    public let standing: [UInt8]

    /// The build that computed the standing; the standing names it only if the scheme runs in a process of its own.
    public var executable: SchemeExecutable? { SchemeExecutable((try? JSON.parse(standing))?["executable"]) }

    /// Creates the content of a view from the bytes of its two documents.
    public init(tree: [UInt8], standing: [UInt8]) {
        self.tree = tree
        self.standing = standing
    }

    /// Returns whether both documents are equal byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.tree.isSame(as: right.tree) && left.standing.isSame(as: right.standing)
    }
}

/// One of the two views of a record: staff see everything, the student sees what is released.
public enum RecordView: Sendable {
    case full
    case released
}
