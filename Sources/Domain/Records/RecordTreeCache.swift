import GradingKit
import Shared
private import Synchronization

/// Records read or written lately, in the form in which they are judged.
///
/// Only the outcome of reading a text is remembered, under that very text: whoever asks brings the text that the store
/// holds now. So nothing has to be forgotten when a change is rolled back, a record deleted or a backup restored; what
/// was remembered of another text is simply no answer.
public final class RecordTreeCache: Sendable {
    private struct Entry {
        let text: [UInt8]
        let programVersion: Version
        let tree: RecordTree
    }

    private struct Entries {
        var all: [RecordID: Entry] = [:]
        /// Whose turn it is to be forgotten, from `first` on: those that came first.
        var order: [RecordID] = []
        var first = 0
        var bytes = 0

        mutating func add(_ entry: Entry, of record: RecordID) {
            bytes += entry.text.count
            if let replaced = all.updateValue(entry, forKey: record) {
                bytes -= replaced.text.count
            } else {
                order.append(record)
            }
        }

        /// Forgets a few at a time, so that no change waits for many.
        mutating func forget(downTo capacity: Int) {
            while bytes > capacity, first < order.count {
                bytes -= all.removeValue(forKey: order[first])?.text.count ?? 0
                first += 1
            }
            guard first >= 256, first * 2 >= order.count else { return }
            order.removeFirst(first)
            first = 0
        }
    }

    private let capacity: Int
    private let entries = Mutex(Entries())

    /// An empty memory.
    ///
    /// - Parameter capacity: how many bytes of text it may hold; the trees come to about four times as much.
    public init(capacity: Int = 8 << 20) { self.capacity = capacity }

    /// What reading this text of a record gave under these rules; `nil` when that is not remembered.
    func tree(of record: RecordID, in text: [UInt8], under programVersion: Version) -> RecordTree? {
        entries.withLock { entries in
            guard let entry = entries.all[record], entry.programVersion == programVersion, entry.text.isSame(as: text)
            else { return nil }
            return entry.tree
        }
    }

    /// Remembers that this text of a record reads as `tree` under these rules.
    func keep(_ tree: RecordTree, of record: RecordID, in text: [UInt8], under programVersion: Version) {
        guard text.count <= capacity / 16 else { return }
        entries.withLock { entries in
            entries.add(Entry(text: text, programVersion: programVersion, tree: tree), of: record)
            entries.forget(downTo: capacity)
        }
    }
}
