import Shared

/// The parts of sequences of one collection that a loop has at hand or asks for, oldest first.
///
/// Readers that hold the same version share one part. What was handed out stays while there is room for it, and until
/// the second sweep after its last use; what a reader still waits for stays until then in any case. So memory follows the
/// readers that are behind, each by one part.
struct RowParts {
    fileprivate enum State {
        /// In the hub's queue.
        case wanted
        /// Under way.
        case running(serial: UInt32)
        /// The store did not answer; the next sweep asks again.
        case failed
        /// At hand; `isUsed` once a reader took it.
        case ready(RowsMessage, isUsed: Bool, isWarm: Bool)
    }

    fileprivate struct Entry {
        let cursor: RowsCursor
        var state: State
    }

    /// How many there are at most; readers at further places wait until one is done.
    private static let most = 64

    private var entries: [Entry] = []

    private func place(of cursor: RowsCursor) -> Int? { entries.firstIndex { $0.cursor == cursor } }

    /// The cursors of parts that are wanted and not asked for yet.
    var wanted: [RowsCursor] {
        entries.compactMap { if case .wanted = $0.state { $0.cursor } else { nil } }
    }

    /// The part at a cursor, if it is at hand.
    mutating func take(_ cursor: RowsCursor) -> RowsMessage? {
        guard let place = place(of: cursor), case .ready(let message, _, _) = entries[place].state else { return nil }
        entries[place].state = .ready(message, isUsed: true, isWarm: true)
        return message
    }

    /// What became of the wish for a part.
    enum Wish {
        /// It has to be put into the hub's queue.
        case new
        /// It is on its way, or will be asked for again when something else has come.
        case known
        /// The store did not answer.
        case failed
    }

    /// Notes that a part is wanted.
    mutating func want(_ cursor: RowsCursor) -> Wish {
        if let place = place(of: cursor) {
            if case .failed = entries[place].state { return .failed }
            return .known
        }
        if entries.count >= Self.most {
            // What a reader has not taken yet is asked for again; what is still to come wakes this one.
            guard let ready = entries.firstIndex(where: \.isUsed) ?? entries.firstIndex(where: \.isReady) else {
                return .known
            }
            entries.remove(at: ready)
        }
        entries.append(Entry(cursor: cursor, state: .wanted))
        return .new
    }

    mutating func begin(_ cursor: RowsCursor, serial: UInt32) {
        if let place = place(of: cursor) { entries[place].state = .running(serial: serial) }
    }

    func isRunning(_ cursor: RowsCursor, serial: UInt32) -> Bool {
        guard let place = place(of: cursor), case .running(serial) = entries[place].state else { return false }
        return true
    }

    mutating func fail(_ cursor: RowsCursor) {
        if let place = place(of: cursor) { entries[place].state = .failed }
    }

    mutating func forget(_ cursor: RowsCursor) {
        if let place = place(of: cursor) { entries.remove(at: place) }
    }

    /// Takes in a part, and lets go of used ones above so many bytes.
    mutating func keep(_ message: RowsMessage, at cursor: RowsCursor, within bytes: Int) {
        guard let place = place(of: cursor) else { return }
        entries[place].state = .ready(message, isUsed: false, isWarm: true)
        var total = entries.reduce(0) { $0 + $1.size }
        while total > bytes, let used = entries.firstIndex(where: \.isUsed) { total -= entries.remove(at: used).size }
    }

    /// There is a newer version: who begins a sequence begins it with that.
    mutating func outdate() { entries.removeAll { $0.isUsed && $0.cursor.version == nil } }

    /// Has what failed asked for again by those who want it; whether there was such a thing.
    mutating func forgetFailed() -> Bool {
        let count = entries.count
        entries.removeAll { if case .failed = $0.state { true } else { false } }
        return entries.count < count
    }

    /// Lets go of what was not used since the last time.
    mutating func letGo() {
        guard !entries.isEmpty else { return }
        entries.removeAll { if case .ready(_, _, isWarm: false) = $0.state { true } else { false } }
        for index in entries.indices {
            guard case .ready(let message, let isUsed, _) = entries[index].state else { continue }
            entries[index].state = .ready(message, isUsed: isUsed, isWarm: false)
        }
        if entries.isEmpty { entries = [] }
    }
}

extension RowParts.Entry {
    fileprivate var isUsed: Bool { if case .ready(_, isUsed: true, _) = state { true } else { false } }
    fileprivate var isReady: Bool { if case .ready = state { true } else { false } }
    fileprivate var size: Int { if case .ready(let message, _, _) = state { message.size } else { 0 } }
}
