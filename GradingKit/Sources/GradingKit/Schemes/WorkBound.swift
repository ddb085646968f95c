import Synchronization

/// What records cost at most under some rules, by their size: counted beforehand, from the rules alone.
///
/// A part is one operation of a formula, done once: some ten nanoseconds.
public struct WorkBound: Sendable, Equatable {
    /// The sizes for which the work is known, in entries; the last is that of the greatest record.
    public static let sizes: [Int] = [16, 64, 256, RecordShape.greatestEntryCount]

    /// The parts of one run over a record of at most so many entries, size by size.
    public let parts: [Int]
    /// The memory that the rules take, in bytes, roughly.
    public let memory: Int

    /// What was counted; `parts` has a number for each of ``sizes``.
    public init(parts: [Int], memory: Int) {
        self.parts = parts
        self.memory = memory
    }

    /// The parts of one run over a record of so many entries, at most.
    public func parts(ofEntries count: Int) -> Int {
        let place = Self.sizes.firstIndex { count <= $0 } ?? Self.sizes.count - 1
        return place < parts.count ? parts[place] : parts.last ?? 0
    }
}

/// Adds up the work of several standings, and of what is done around them, so that together they can be bounded. Free to
/// share between threads.
///
/// Work is counted in steps, the same on every machine. A meter may also have an end that no count foresees.
public final class WorkMeter: Sendable {
    /// How many steps are counted between two looks whether the end has come: some milliseconds of work.
    private static let stepsBetweenLooks = 100_000

    private let total = Atomic(0)
    private let nextLook = Atomic(0)
    private let hasEnded = Atomic(false)
    private let end: (@Sendable () -> Bool)?

    /// No work yet.
    ///
    /// - Parameter end: Returns whether the work must end, even if few steps were counted. ``isOver`` calls it from time to
    ///   time, and no more after it returned `true`.
    public init(until end: (@Sendable () -> Bool)? = nil) { self.end = end }

    /// The work so far, in steps.
    public var spent: Int { total.load(ordering: .relaxed) }

    /// Adds some work, in steps.
    public func add(_ work: Int) { total.wrappingAdd(min(max(work, 0), 1 << 40), ordering: .relaxed) }

    /// Whether the work must end now.
    public var isOver: Bool {
        guard let end else { return false }
        if hasEnded.load(ordering: .relaxed) { return true }
        let spent = spent
        guard spent >= nextLook.load(ordering: .relaxed) else { return false }
        nextLook.store(spent + Self.stepsBetweenLooks, ordering: .relaxed)
        guard end() else { return false }
        hasEnded.store(true, ordering: .relaxed)
        return true
    }
}
