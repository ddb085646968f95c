import Synchronization

/// The lease that allows one copy of the store at a time.
final class CopyLease: Sendable {
    /// The right to make a copy. It ends with the last reference to it.
    final class Taken: Sendable {
        private let lease: CopyLease

        fileprivate init(_ lease: CopyLease) { self.lease = lease }

        deinit { lease.isTaken.store(false, ordering: .releasing) }
    }

    private let isTaken = Atomic(false)

    /// Takes the lease; `nil` while another copy holds it.
    func take() -> Taken? {
        isTaken.exchange(true, ordering: .acquiring) ? nil : Taken(self)
    }
}
