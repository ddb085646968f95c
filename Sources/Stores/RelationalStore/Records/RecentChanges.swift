import People
import Records
import Shared
import Synchronization

/// A change of a record that this program has committed, with what its followers ask of it.
struct HeldChange: Sendable {
    /// Its place in the log.
    let number: Int
    /// The place of the change before it of the same record; `nil` for the first.
    let previous: Int?
    let record: RecordID
    /// The change as its student sees it, without the one before it; `nil` if the student cannot see it, or there is no
    /// student.
    let fact: RecordFact?
    /// The record's standing after it, as the student sees it; `nil` where a later change of the record is held, too.
    fileprivate(set) var standing: [UInt8]?

    init(_ appended: AppendedChange, _ snapshot: RecordSnapshot, _ end: TrailEnd) {
        number = end.change
        previous = appended.previous
        record = snapshot.head.id
        standing = snapshot.content(.released).standing
        let (row, head) = (appended.row, snapshot.head)
        guard let version = row.releasedVersion, let student = head.student else {
            fact = nil
            return
        }
        let told = row.description(.released)
        fact = RecordFact(
            change: end.change, former: nil, record: head.id, institution: head.institution, program: head.program,
            student: student, at: row.at, version: version, operation: told.operation, figures: told.figures,
            formerFigures: nil, link: end.link)
    }

    /// What it keeps in memory, in bytes.
    fileprivate var bytes: Int { 512 + (standing?.count ?? 0) + (fact?.figures.count ?? 0) }
}

/// The changes of records that this program has committed and its projector has not read yet, so that it need not read
/// them from the database.
///
/// Numbers that follow each other have nothing between them, whoever else writes to the database: after a gap the memory
/// begins anew, and what was before is read from the database. So it is where there is no room, and after the deletion
/// of a record or of its student. Nothing is kept before somebody asks.
package final class RecentChanges: Sendable {
    private struct State {
        var isFollowed = false
        /// What was handed out last, and may be asked for again.
        var taken: ArraySlice<HeldChange> = []
        /// What was committed since then.
        var changes: [HeldChange] = []
        /// The last change in `changes` of each record.
        var latest: [RecordID: Int] = [:]
        var bytes = 0
        /// The number of the last change.
        var end = 0

        mutating func clear() {
            taken = []
            changes.removeAll(keepingCapacity: true)
            latest.removeAll(keepingCapacity: true)
            bytes = 0
        }
    }

    /// The most changes.
    private let count: Int
    /// The greatest size of changes, in bytes.
    private let capacity: Int
    private let state = Mutex(State())

    /// Creates an empty memory.
    ///
    /// - Parameters:
    ///   - capacity: The greatest size of what has not been handed out yet, and again of what was handed out last, in
    ///     bytes.
    ///   - count: The greatest number of changes of each.
    package init(capacity: Int = 8 << 20, count: Int = 4_096) {
        self.capacity = capacity
        self.count = count
    }

    /// Whether somebody asks for changes.
    var isFollowed: Bool { state.withLock { $0.isFollowed } }

    /// Adds committed changes, in the order of their numbers.
    func add(_ new: [HeldChange]) {
        state.withLock { state in
            guard state.isFollowed else { return }
            for change in new {
                if change.number != state.end + 1 { state.clear() }
                state.end = change.number
                state.bytes += change.bytes
                if let former = state.latest.updateValue(state.changes.count, forKey: change.record) {
                    state.bytes -= state.changes[former].standing?.count ?? 0
                    state.changes[former].standing = nil
                }
                state.changes.append(change)
                if state.bytes > capacity || state.changes.count > count { state.clear() }
            }
        }
    }

    /// Forgets all changes: a record was deleted or lost its student.
    func clear() { state.withLock { $0.clear() } }

    /// Returns the changes that follow a place, without a gap, and whether there may be more; `nil` where they must be
    /// read from the database.
    func changes(after place: Int) -> (changes: ArraySlice<HeldChange>, isFull: Bool)? {
        state.withLock { state in
            state.isFollowed = true
            let read = state.taken.prefix { $0.number <= place }.count
            state.taken = state.taken.dropFirst(read)
            if state.taken.isEmpty, let last = state.changes.last {
                if last.number > place {
                    state.taken = state.changes.drop { $0.number <= place }
                    guard state.taken.first?.number == place + 1 else {
                        state.taken = []
                        return nil
                    }
                }
                state.changes = []
                state.changes.reserveCapacity(state.taken.count)
                state.latest.removeAll(keepingCapacity: true)
                state.bytes = 0
            }
            guard state.taken.first?.number == place + 1 else { return nil }
            return (state.taken, !state.changes.isEmpty)
        }
    }
}
