import People
import Records
import Shared
import Synchronization

/// A change of a record that this program has committed, with what its followers ask of it.
///
/// It is an object because it is handed on several times: copying a value would change the reference count of each of its
/// texts, and threads contend for those that they share.
final class HeldChange: Sendable {
    /// Its place in the log.
    let number: Int
    /// The place of the change before it of the same record; `nil` for the first.
    let previous: Int?
    let record: RecordID
    /// The change as its student sees it, without the one before it; `nil` if the student cannot see it, or there is no
    /// student.
    let fact: RecordFact?

    init(_ appended: AppendedChange, _ snapshot: RecordSnapshot, _ end: TrailEnd) {
        number = end.change
        previous = appended.previous
        record = snapshot.head.id
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
    fileprivate var bytes: Int { 512 + (fact?.figures.count ?? 0) }
}

/// The changes of records that this program has committed and its projector has not read yet, so that it need not read
/// them from the database.
///
/// Changes with consecutive numbers have no other change between them, even if other programs write to the database. After
/// a gap, when there is no room, and when a record or its student is deleted, the memory starts empty, and the projector
/// reads the changes from the database. Nothing is kept until the projector first asks.
package final class RecentChanges: Sendable {
    /// Changes without a gap, and the standing after them of each of their records, as its student sees it.
    struct Run: Sendable {
        fileprivate(set) var changes: ArraySlice<HeldChange> = []
        fileprivate(set) var standings: [RecordID: [UInt8]] = [:]
        /// What they keep in memory, in bytes.
        fileprivate var bytes = 0
        /// Whether there may be more behind them.
        fileprivate(set) var isFull = false
    }

    private struct State {
        var isFollowed = false
        /// What was handed out last, and may be asked for again.
        var taken = Run()
        /// What was committed since then.
        var new = Run()
        /// The number of the last change.
        var end = 0

        mutating func clear() { (taken, new) = (Run(), Run()) }
    }

    /// The most changes.
    private let count: Int
    /// The most changes that are handed out at once: they become events in one transaction.
    private let share: Int
    /// The greatest size of changes, in bytes.
    private let capacity: Int
    private let state = Mutex(State())

    /// Creates an empty memory.
    ///
    /// - Parameters:
    ///   - capacity: The greatest size of what has not been handed out yet, and again of what was handed out last, in
    ///     bytes.
    ///   - count: The greatest number of changes of each.
    ///   - share: The greatest number of changes that are handed out at once.
    package init(capacity: Int = 8 << 20, count: Int = 4_096, share: Int = 1_024) {
        self.capacity = capacity
        self.count = count
        self.share = share
    }

    /// Whether somebody asks for changes.
    var isFollowed: Bool { state.withLock { $0.isFollowed } }

    /// Adds committed changes, in the order of their numbers, each with the standing after it as the student sees it.
    func add(_ committed: [(change: HeldChange, standing: [UInt8])]) {
        state.withLock { state in
            guard state.isFollowed else { return }
            for (change, standing) in committed {
                if change.number != state.end + 1 { state.clear() }
                state.end = change.number
                let former = state.new.standings.updateValue(standing, forKey: change.record)
                state.new.bytes += change.bytes + standing.count - (former?.count ?? 0)
                state.new.changes.append(change)
                if state.new.bytes > capacity || state.new.changes.count > count { state.clear() }
            }
        }
    }

    /// Forgets all changes: a record was deleted or lost its student.
    func clear() { state.withLock { $0.clear() } }

    /// Returns the changes that follow a place; `nil` if they must be read from the database.
    func changes(after place: Int) -> Run? {
        state.withLock { state in
            state.isFollowed = true
            state.taken.changes = state.taken.changes.drop { $0.number <= place }
            if state.taken.changes.isEmpty {
                state.taken = Run()
                state.new.changes = state.new.changes.drop { $0.number <= place }
                // Where it begins later, it waits until the database has been read up to there.
                if state.new.changes.first?.number == place + 1 {
                    state.taken = state.new.takeFirst(share)
                } else if state.new.changes.isEmpty {
                    state.new = Run()
                }
            }
            guard state.taken.changes.first?.number == place + 1 else { return nil }
            state.taken.isFull = !state.new.changes.isEmpty
            return state.taken
        }
    }
}

extension RecentChanges.Run {
    /// Removes the first changes and returns them with the newest known standing of each of their records.
    fileprivate mutating func takeFirst(_ most: Int) -> RecentChanges.Run {
        var first = self
        guard changes.count > most else {
            self = RecentChanges.Run()
            changes.reserveCapacity(first.changes.count)
            return first
        }
        first.changes = changes.prefix(most)
        changes = changes.dropFirst(most)
        bytes -= first.changes.reduce(0) { $0 + $1.bytes }
        let (here, behind) = (Set(first.changes.map(\.record)), Set(changes.map(\.record)))
        first.standings = standings.filter { here.contains($0.key) }
        for (record, standing) in standings where !behind.contains(record) {
            standings[record] = nil
            bytes -= standing.count
        }
        return first
    }
}
