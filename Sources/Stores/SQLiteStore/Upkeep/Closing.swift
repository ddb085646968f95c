import Synchronization

/// Whether a store is being closed, for work that would otherwise delay the closing.
final class Closing: Sendable {
    private let hasBegun = Atomic(false)

    var isUnderWay: Bool { hasBegun.load(ordering: .relaxed) }

    func begin() { hasBegun.store(true, ordering: .relaxed) }
}
