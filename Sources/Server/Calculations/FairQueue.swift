/// Work that waits, in a line for each caller. A caller with a hundred requests waits for their cost; the others do not.
///
/// Start-time fair queueing: a piece of work starts where the caller's work before it ends, or where the piece taken last
/// started, whichever is later, and ends its cost later. The piece that starts first is taken first; of several, the one
/// that came first.
struct FairQueue<Caller: Hashable & Sendable, Work: Sendable>: Sendable {
    /// Why work may not wait.
    enum Refusal: Equatable, Sendable {
        /// Too much of everybody waits.
        case full
        /// Too much of this caller waits.
        case lineFull
    }

    private struct Piece {
        let number: Int
        let cost: Int
        let work: Work
    }

    private struct Line {
        var pieces: [Piece] = []
        var cost = 0
        /// Where the first piece starts, or the next one to come.
        var start: Int
    }

    /// Callers of whom nothing waits are forgotten beyond that many.
    private static var longestMemory: Int { 10_000 }

    private let capacity: Int
    private let capacityOfLine: Int
    private var lines: [Caller: Line] = [:]
    /// Where the piece taken last started.
    private var now = 0
    private var count = 0
    /// What everything that waits costs together.
    private(set) var cost = 0

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - capacity: what everything that waits may cost together.
    ///   - capacityOfLine: what may wait of one caller. Alone, a piece of work may always wait.
    init(capacity: Int, capacityOfLine: Int) {
        self.capacity = capacity
        self.capacityOfLine = capacityOfLine
    }

    /// Lets work wait, unless there is too much already. `number` names it, and rises with each piece.
    mutating func push(_ work: Work, number: Int, cost: Int, of caller: Caller) -> Refusal? {
        if count > 0, self.cost + cost > capacity { return .full }
        var line = lines[caller] ?? Line(start: now)
        if line.pieces.isEmpty {
            line.start = max(line.start, now)
        } else if line.cost + cost > capacityOfLine {
            return .lineFull
        }
        line.pieces.append(Piece(number: number, cost: cost, work: work))
        line.cost += cost
        lines[caller] = line
        count += 1
        self.cost += cost
        return nil
    }

    /// Takes the work whose turn it is.
    mutating func pop() -> Work? {
        let waiting = lines.lazy.compactMap { caller, line in
            line.pieces.first.map { (caller: caller, start: line.start, number: $0.number) }
        }
        guard let next = waiting.min(by: { ($0.start, $0.number) < ($1.start, $1.number) }) else { return nil }
        now = next.start
        guard let piece = lines[next.caller]?.pieces.removeFirst() else { return nil }
        lines[next.caller]?.cost -= piece.cost
        lines[next.caller]?.start += piece.cost
        forget(piece)
        return piece.work
    }

    /// Takes work back that still waits.
    mutating func remove(number: Int, of caller: Caller) -> Work? {
        guard let place = lines[caller]?.pieces.firstIndex(where: { $0.number == number }),
            let piece = lines[caller]?.pieces.remove(at: place)
        else { return nil }
        lines[caller]?.cost -= piece.cost
        forget(piece)
        return piece.work
    }

    private mutating func forget(_ piece: Piece) {
        count -= 1
        cost -= piece.cost
        if count == 0 {
            // Nobody waits: who was given how much says nothing about who is next.
            lines = [:]
            now = 0
        } else if lines.count > Self.longestMemory {
            lines = lines.filter { !$0.value.pieces.isEmpty }
        }
    }
}
