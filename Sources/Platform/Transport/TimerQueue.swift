/// Identifies one timer of one loop; harmless when the timer is gone.
public struct TimerToken: Hashable, Sendable {
    fileprivate let slot: UInt32
    fileprivate let generation: UInt32
}

/// Timers in a binary heap by deadline. Each timer has a slot that knows its place in the heap, so that cancelling
/// removes it at once and no dead timers remain.
struct TimerQueue {
    private struct Entry {
        var deadline: MonotonicInstant
        let slot: UInt32
    }

    private struct Slot {
        var generation: UInt32 = 0
        /// The index of its timer in the heap.
        var place: UInt32 = 0
        var action: (() -> Void)?
    }

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var free: [UInt32] = []

    /// How many timers are waiting.
    var count: Int { heap.count }

    /// The earliest deadline; `nil` if no timer is waiting.
    var next: MonotonicInstant? { heap.first?.deadline }

    mutating func schedule(at deadline: MonotonicInstant, _ action: @escaping () -> Void) -> TimerToken {
        let slot = free.popLast() ?? newSlot()
        slots[Int(slot)].action = action
        note(heap.count, of: slot)
        heap.append(Entry(deadline: deadline, slot: slot))
        rise(from: heap.count - 1)
        return TimerToken(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Removes a timer, if it is still waiting.
    mutating func cancel(_ token: TimerToken) {
        if isWaiting(token) { _ = remove(at: position(of: token.slot)) }
    }

    /// The deadline of a timer; `nil` once it has run or been cancelled.
    func deadline(of token: TimerToken) -> MonotonicInstant? {
        isWaiting(token) ? heap[position(of: token.slot)].deadline : nil
    }

    /// Returns whether the timer has neither run nor been cancelled.
    func isWaiting(_ token: TimerToken) -> Bool {
        guard Int(token.slot) < slots.count else { return false }
        let slot = slots[Int(token.slot)]
        return slot.generation == token.generation && slot.action != nil
    }

    /// Removes the earliest timer if it is due, and returns its action; otherwise `nil`.
    mutating func popDue(_ now: MonotonicInstant) -> (() -> Void)? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        return remove(at: 0)
    }

    private mutating func newSlot() -> UInt32 {
        slots.append(Slot())
        return UInt32(truncatingIfNeeded: slots.count - 1)
    }

    private mutating func remove(at position: Int) -> (() -> Void)? {
        let entry = heap[position]
        let last = heap.removeLast()
        if position < heap.count {
            heap[position] = last
            note(position, of: last.slot)
            rise(from: position)
            sink(from: self.position(of: last.slot))
        }
        let action = slots[Int(entry.slot)].action
        slots[Int(entry.slot)].action = nil
        slots[Int(entry.slot)].generation &+= 1
        free.append(entry.slot)
        return action
    }

    private mutating func rise(from start: Int) {
        var position = start
        while position > 0, heap[position].deadline < heap[(position - 1) / 2].deadline {
            swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var position = start
        while true {
            var least = position
            for child in [position * 2 + 1, position * 2 + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline {
                least = child
            }
            guard least != position else { return }
            swap(position, least)
            position = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        note(left, of: heap[left].slot)
        note(right, of: heap[right].slot)
    }

    private func position(of slot: UInt32) -> Int { Int(slots[Int(slot)].place) }

    private mutating func note(_ position: Int, of slot: UInt32) {
        slots[Int(slot)].place = UInt32(truncatingIfNeeded: position)
    }
}
