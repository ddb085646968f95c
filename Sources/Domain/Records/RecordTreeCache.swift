import GradingKit
import Shared
private import Synchronization

/// A cache of the parsed trees of records that were recently read or written.
///
/// A tree is found by the exact text that was stored. Callers pass the text that the store holds now, so rollbacks,
/// deletions and restores need no invalidation.
public final class RecordTreeCache: Sendable {
    private struct Entry {
        let text: [UInt8]
        let programVersion: Version
        let tree: RecordTree
    }

    private let entries: Mutex<BoundedMemory<RecordID, Entry>>

    /// Creates an empty cache.
    ///
    /// - Parameter capacity: The maximum bytes of text; the trees take about four times as much.
    public init(capacity: Int = 8 << 20) { entries = Mutex(BoundedMemory(capacity: capacity)) }

    /// Returns the tree that was read from this text of a record under these rules; `nil` if it is not cached.
    func tree(of record: RecordID, in text: [UInt8], under programVersion: Version) -> RecordTree? {
        entries.withLock { entries in
            guard let entry = entries.value(for: record), entry.programVersion == programVersion,
                entry.text.isSame(as: text)
            else { return nil }
            return entry.tree
        }
    }

    /// Caches the tree of this text of a record under these rules.
    func keep(_ tree: RecordTree, of record: RecordID, in text: [UInt8], under programVersion: Version) {
        let entry = Entry(text: text, programVersion: programVersion, tree: tree)
        entries.withLock { $0.keep(entry, for: record, bytes: text.count) }
    }
}
