import People
import Shared
import Synchronization

/// What the projector of feeds has learnt of records, so that it need not ask the database again for records that change
/// once more.
///
/// A change names the one before it, which tells whether what is known of its record is current. Outcomes met are known as
/// long as no other program has moved the position of the feeds.
final class FeedMemory: Sendable {
    /// What is known of a record.
    struct Trace: Sendable {
        /// The place of its last change.
        var end = 0
        /// The place of the last one that the student can see; `nil` for none.
        var seen: Int?
        /// The figures after that; `nil` after they were erased.
        var figures: [UInt8]?
        /// The outcomes stored as met; `nil` if none were stored.
        var met: Set<String>?
        /// Whether `met` is known.
        var knowsMet = false

        fileprivate var bytes: Int { 256 + (figures?.count ?? 0) + (met?.reduce(0) { $0 + 64 + $1.utf8.count } ?? 0) }
    }

    private struct State {
        var traces: BoundedMemory<RecordID, Trace>
        /// The position stored when the outcomes were met.
        var position: FeedProgress?
    }

    private let capacity: Int
    private let state: Mutex<State>

    /// Creates an empty memory of at most this many bytes.
    init(capacity: Int = 4 << 20) {
        self.capacity = capacity
        state = Mutex(State(traces: BoundedMemory(capacity: capacity)))
    }

    /// Begins to read behind a position; forgets everything if it is not the one reached here.
    func begin(at position: FeedProgress) {
        state.withLock { state in
            guard state.position != position else { return }
            state = State(traces: BoundedMemory(capacity: capacity), position: position)
        }
    }

    subscript(record: RecordID) -> Trace? { state.withLock { $0.traces.value(for: record) } }

    func keep(_ trace: Trace, of record: RecordID) {
        state.withLock { $0.traces.keep(trace, for: record, bytes: trace.bytes) }
    }

    /// Notes the outcomes that were stored, with the position.
    func note(_ met: [RecordID: Set<String>], reaching position: FeedProgress) {
        state.withLock { state in
            for (record, outcomes) in met {
                guard var trace = state.traces.value(for: record) else { continue }
                (trace.met, trace.knowsMet) = (outcomes, true)
                state.traces.keep(trace, for: record, bytes: trace.bytes)
            }
            state.position = position
        }
    }

    /// Forgets everything, for when it is unknown what was stored.
    func forget() { state.withLock { $0 = State(traces: BoundedMemory(capacity: capacity), position: nil) } }
}
