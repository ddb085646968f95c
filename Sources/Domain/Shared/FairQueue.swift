/// A queue with one line per caller: a caller's many requests delay that caller, not the others.
///
/// Start-time fair queueing: a piece of work starts where the caller's work before it ends, or where the piece taken last
/// started, whichever is later, and ends its cost later. The piece that starts first is taken first; of several, the one
/// that came first.
public struct FairQueue<Caller: Hashable & Sendable, Work: Sendable>: Sendable {
    /// Whether work may wait.
    public enum Admission {
        /// It waits. The displaced work does not: the newest pieces of the callers that had most in the queue.
        case accepted(displaced: [Work])
        /// The queue is full, and no other caller has more work in it than this one.
        case full
        /// This caller has too much work in the queue.
        case lineFull
    }

    private struct Piece {
        let number: Int
        let cost: Int
        let work: Work
    }

    /// The waiting work of one caller: at least one piece.
    private struct Line {
        var pieces: [Piece] = []
        var cost = 0
        /// The start of the first piece.
        var start: Int

        /// The number of the first piece.
        var first: Int { pieces.first?.number ?? 0 }
    }

    /// Number of callers without waiting work that are remembered.
    private static var longestMemory: Int { 10_000 }

    private let capacity: Int
    private let capacityOfLine: Int
    private var lines: [Caller: Line] = [:]
    /// For callers without waiting work: the start of their next piece.
    private var starts: [Caller: Int] = [:]
    /// The start of the piece taken last.
    private var now = 0
    /// What everything that waits costs together.
    public private(set) var cost = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - capacity: what everything that waits may cost together.
    ///   - capacityOfLine: what may wait of one caller. Alone, a piece of work may always wait.
    public init(capacity: Int, capacityOfLine: Int) {
        self.capacity = capacity
        self.capacityOfLine = capacityOfLine
    }

    /// Queues work, unless there is too much already. `number` identifies the piece and rises with each one.
    ///
    /// Where the queue is full, work of callers that have more in it than this one gives way.
    ///
    /// - Parameter limit: what everything may cost together in place of the capacity.
    public mutating func push(
        _ work: Work, number: Int, cost: Int, of caller: Caller, within limit: Int? = nil
    ) -> Admission {
        let waiting = lines[caller]?.cost ?? 0
        if waiting > 0, waiting + cost > capacityOfLine { return .lineFull }
        let room = limit ?? capacity
        guard let displaced = makeRoom(for: cost, within: room, costing: waiting + cost) else { return .full }
        var line = lines[caller] ?? Line(start: max(starts.removeValue(forKey: caller) ?? now, now))
        line.pieces.append(Piece(number: number, cost: cost, work: work))
        line.cost += cost
        lines[caller] = line
        self.cost += cost
        return .accepted(displaced: displaced)
    }

    /// Takes the newest pieces out of lines that cost more than a caller's would, until there is room for `cost`; takes
    /// nothing and returns `nil` if that is not enough.
    private mutating func makeRoom(for cost: Int, within capacity: Int, costing line: Int) -> [Work]? {
        guard !lines.isEmpty, self.cost + cost > capacity else { return [] }
        var trial = self
        var displaced: [Work] = []
        while !trial.lines.isEmpty, trial.cost + cost > capacity {
            guard let (caller, costliest) = trial.lines.max(by: { $0.value.cost < $1.value.cost }),
                costliest.cost > line
            else { return nil }
            displaced.append(trial.take(costliest.pieces.count - 1, of: caller, from: costliest).work)
        }
        self = trial
        return displaced
    }

    /// Takes the work whose turn it is.
    public mutating func pop() -> Work? {
        let next = lines.min { ($0.value.start, $0.value.first) < ($1.value.start, $1.value.first) }
        guard let next else { return nil }
        var line = next.value
        now = line.start
        line.start += line.pieces.first?.cost ?? 0
        return take(0, of: next.key, from: line).work
    }

    /// Takes work back that still waits.
    public mutating func remove(number: Int, of caller: Caller) -> Work? {
        guard let line = lines[caller], let place = line.pieces.firstIndex(where: { $0.number == number }) else {
            return nil
        }
        return take(place, of: caller, from: line).work
    }

    /// Takes the newest work of the caller who has most in the queue; `nil` if nothing waits.
    public mutating func dropNewest() -> Work? {
        guard let (caller, line) = lines.max(by: { $0.value.cost < $1.value.cost }) else { return nil }
        return take(line.pieces.count - 1, of: caller, from: line).work
    }

    /// Whether nothing waits.
    public var isEmpty: Bool { lines.isEmpty }

    /// Takes a piece out of a caller's line; the rest of the line stays.
    private mutating func take(_ place: Int, of caller: Caller, from line: Line) -> Piece {
        var line = line
        lines[caller] = nil
        let piece = line.pieces.remove(at: place)
        line.cost -= piece.cost
        cost -= piece.cost
        if line.pieces.isEmpty { starts[caller] = line.start } else { lines[caller] = line }
        if lines.isEmpty {
            // With an empty queue, past turns no longer say whose turn is next.
            (starts, now) = ([:], 0)
        } else if starts.count > Self.longestMemory {
            starts = [:]
        }
        return piece
    }
}
