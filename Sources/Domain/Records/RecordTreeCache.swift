import GradingKit
import Shared
private import Synchronization

/// Records read or written lately, in the form in which they are judged.
///
/// Caches parsed trees under the exact text that was stored. The caller passes the text that the store holds now, so
/// rollbacks, deletions and restores need no invalidation.
public final class RecordTreeCache: Sendable {
    private struct Entry {
        let text: [UInt8]
        let programVersion: Version
        let tree: RecordTree
    }

    private let entries: Mutex<BoundedMemory<RecordID, Entry>>

    /// An empty memory.
    ///
    /// - Parameter capacity: how many bytes of text it may hold; the trees come to about four times as much.
    public init(capacity: Int = 8 << 20) { entries = Mutex(BoundedMemory(capacity: capacity)) }

    /// What reading this text of a record gave under these rules; `nil` when that is not remembered.
    func tree(of record: RecordID, in text: [UInt8], under programVersion: Version) -> RecordTree? {
        entries.withLock { entries in
            guard let entry = entries[record], entry.programVersion == programVersion, entry.text.isSame(as: text)
            else { return nil }
            return entry.tree
        }
    }

    /// Remembers that this text of a record reads as `tree` under these rules.
    func keep(_ tree: RecordTree, of record: RecordID, in text: [UInt8], under programVersion: Version) {
        let entry = Entry(text: text, programVersion: programVersion, tree: tree)
        entries.withLock { $0.keep(entry, for: record, bytes: text.count) }
    }
}
