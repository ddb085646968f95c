import Synchronization

/// The greatest cost of records of given sizes under some rules, counted beforehand from the rules alone.
///
/// The unit is one operation of a formula, about ten nanoseconds.
public struct WorkBound: Sendable, Equatable {
    /// The sizes for which the cost is known, in entries. The last is the size of the greatest record.
    public static let sizes: [Int] = [16, 64, 256, RecordShape.greatestEntryCount]

    /// For each size, the operations of one run over a record of at most that many entries.
    public let parts: [Int]
    /// The approximate memory for the rules, in bytes.
    public let memory: Int

    /// Creates a bound; `parts` has a number for each of ``sizes``.
    public init(parts: [Int], memory: Int) {
        self.parts = parts
        self.memory = memory
    }

    /// The greatest number of operations of one run over a record with this many entries.
    public func parts(ofEntries count: Int) -> Int {
        let place = Self.sizes.firstIndex { count <= $0 } ?? Self.sizes.count - 1
        return place < parts.count ? parts[place] : parts.last ?? 0
    }
}

/// Adds up the work of several standings and of what is done around them, to bound it as a whole. Free to share between
/// threads.
///
/// Work is counted in steps, the same on every machine. A meter may also have an end that does not depend on the count.
public final class WorkMeter: Sendable {
    /// The number of steps between two checks of the end: some milliseconds of work.
    private static let stepsBetweenLooks = 100_000

    private let total = Atomic(0)
    private let nextLook = Atomic(0)
    private let hasEnded = Atomic(false)
    private let end: (@Sendable () -> Bool)?

    /// Creates a meter without work.
    ///
    /// - Parameter end: returns whether the work must end, even after few steps. ``isOver`` calls it from time to time
    ///   until it has returned `true`.
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
