import Synchronization

/// Lets one copy of the store be there at a time.
final class CopyLease: Sendable {
    /// The right to have a copy; it is given back when its last holder lets go.
    final class Taken: Sendable {
        private let lease: CopyLease

        fileprivate init(_ lease: CopyLease) { self.lease = lease }

        deinit { lease.isTaken.store(false, ordering: .releasing) }
    }

    private let isTaken = Atomic(false)

    /// The right, unless it is taken.
    func take() -> Taken? {
        isTaken.exchange(true, ordering: .acquiring) ? nil : Taken(self)
    }
}
