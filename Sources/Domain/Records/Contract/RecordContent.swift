public import GradingKit
import Shared

/// The two documents of one view, as they are stored and served.
public struct RecordContent: Sendable, Equatable {
    /// The `record` object: `{"id","program","fields","entries"}`.
    public let tree: [UInt8]
    /// The standing.
    public let standing: [UInt8]

    /// The build that computed the standing, which the standing names where its scheme runs in a process of its own.
    public var executable: SchemeExecutable? { SchemeExecutable((try? JSON.parse(standing))?["executable"]) }

    /// The two documents' bytes.
    public init(tree: [UInt8], standing: [UInt8]) {
        self.tree = tree
        self.standing = standing
    }

    /// Whether both documents are the same to the byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.tree.isSame(as: right.tree) && left.standing.isSame(as: right.standing)
    }
}

/// Which of a record's two views: staff see everything, the student sees what is released.
public enum RecordView: Sendable {
    case full
    case released
}
