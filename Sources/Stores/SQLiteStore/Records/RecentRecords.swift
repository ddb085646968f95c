import Records
import Shared
import Synchronization

/// The records that were read or written last, as they stand, so that who asks for one of them does not wait for the
/// file.
///
/// What it says is committed, and there is nothing newer: the writer forgets a record before it commits a change of it,
/// and keeps the new version afterwards. What is read from the file while that happens is not kept.
final class RecentRecords: Sendable {
    private struct State {
        var memory: BoundedMemory<RecordID, RecordRow>
        /// Rises whenever a commit begins or has ended.
        var moment = 0
        var isCommitting = false
    }

    private let state: Mutex<State>

    /// An empty memory.
    ///
    /// - Parameter capacity: how many bytes of documents it may hold; 0 for a program beside the one that writes records.
    init(capacity: Int) { state = Mutex(State(memory: BoundedMemory(capacity: capacity))) }

    /// The record as it stands; `nil` says nothing.
    subscript(record: RecordID) -> RecordRow? { state.withLock { $0.memory[record] } }

    /// The moment before something is read from the file, to be given with what was read.
    var moment: Int { state.withLock { $0.moment } }

    /// Keeps what was read from the file, unless there was or is a commit since that moment.
    func keep(_ row: RecordRow, readSince moment: Int) {
        state.withLock { state in
            if state.moment == moment, !state.isCommitting { state.memory.keep(row) }
        }
    }

    /// Forgets records that are about to be others. A commit that fails needs no end: the next one has it.
    func commitBegins(of records: some Sequence<RecordID>) {
        state.withLock { state in
            state.moment += 1
            state.isCommitting = true
            for record in records { state.memory.forget(record) }
        }
    }

    /// Keeps what was just committed, in its order; what is `nil` is gone, or has to be read.
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
