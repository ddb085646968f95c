import Records
import Shared
import Synchronization

/// A cache of the records read or written most recently, so that readers need not wait for the file.
///
/// A cached record is committed and current: the writer removes a record before it commits a change of it, and adds the
/// new version afterwards. A record read from the file during a commit is not cached.
package final class RecentRecords: Sendable {
    private struct State {
        var memory: BoundedMemory<RecordID, RecordRow>
        /// A counter that rises whenever a commit begins or ends.
        var moment = 0
        var isCommitting = false
    }

    private let state: Mutex<State>

    /// Creates an empty cache.
    ///
    /// - Parameter capacity: the greatest total length of documents, in bytes; 0 for a program beside the one that
    ///   writes records.
    package init(capacity: Int) { state = Mutex(State(memory: BoundedMemory(capacity: capacity))) }

    /// The current record; `nil` if it is not cached.
    subscript(record: RecordID) -> RecordRow? { state.withLock { $0.memory.value(for: record) } }

    /// The current moment. Take it before reading from the file, and pass it on with the row that was read.
    var moment: Int { state.withLock { $0.moment } }

    /// Caches a row read from the file, unless a commit has begun or ended since that moment or is running.
    func keep(_ row: RecordRow, readSince moment: Int) {
        state.withLock { state in
            if state.moment == moment, !state.isCommitting { state.memory.keep(row) }
        }
    }

    /// Removes the records that a commit is about to change. A commit that fails needs no matching end; that of the
    /// next one suffices.
    func commitBegins(of records: some Sequence<RecordID>) {
        state.withLock { state in
            state.moment += 1
            state.isCommitting = true
            for record in records { state.memory.forget(record) }
        }
    }

    /// Caches committed rows, in order; removes a record whose row is `nil` because it was deleted or must be read
    /// again.
    func commitEnds(with changed: [(record: RecordID, row: RecordRow?)]) {
        state.withLock { state in
            state.moment += 1
            state.isCommitting = false
            for (record, row) in changed {
                if let row { state.memory.keep(row) } else { state.memory.forget(record) }
            }
        }
    }
}

extension BoundedMemory<RecordID, RecordRow> {
    fileprivate mutating func keep(_ row: RecordRow) {
        let snapshot = row.snapshot
        let bytes = snapshot.full.byteCount + (snapshot.released?.byteCount ?? 0)
        keep(row, for: snapshot.head.id, bytes: bytes)
    }
}

extension RecordContent {
    fileprivate var byteCount: Int { tree.count + standing.count }
}
