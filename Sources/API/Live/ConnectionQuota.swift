import HTTP
import Live
import Shared
import Synchronization

/// Who may have how many live connections of this node, whichever loop serves them: sockets, event streams and waits.
///
/// A connection counts for the account that it proves; a guest's for the client's address, and so does, under a limit of
/// its own, one that has not said yet who reads. So what has proven nothing never takes the place of what has.
final class ConnectionQuota: Sendable {
    /// For whom a connection counts.
    enum Holder: Hashable, Sendable {
        /// Sockets from an address, or an IPv6 network, that have not said hello.
        case strangers(at: IPAddress)
        /// Connections without an account from an address, or an IPv6 network.
        case guests(at: IPAddress)
        /// Connections of an account.
        case account(AccountID)

        /// For whom a connection of `identity`, or of a guest at `client`, counts.
        init(_ identity: LiveIdentity?, at client: IPAddress) {
            self = identity.map { .account($0.account) } ?? .guests(at: client.network)
        }
    }

    private let limits: LiveLimits
    private let counts = Mutex<[Holder: Int]>([:])

    init(_ limits: LiveLimits) { self.limits = limits }

    /// How many places are taken.
    var total: Int { counts.withLock { $0.values.reduce(0, +) } }

    private func limit(of holder: Holder) -> Int {
        switch holder {
        case .strangers: limits.strangersPerAddress
        case .guests: limits.guestsPerAddress
        case .account: limits.connectionsPerAccount
        }
    }

    /// One more place; `nil` if the holder may have no more.
    func place(for holder: Holder) -> LivePlace? {
        let limit = limit(of: holder)
        let isAdmitted = counts.withLock { counts in
            let count = counts[holder, default: 0]
            guard count < limit else { return false }
            counts[holder] = count + 1
            return true
        }
        return isAdmitted ? LivePlace(holder, in: self) : nil
    }

    fileprivate func giveBack(_ holder: Holder) {
        counts.withLock { counts in
            guard let count = counts[holder] else { return }
            counts[holder] = count > 1 ? count - 1 : nil
        }
    }
}

/// The place of one live connection. It is given back once: with `leave`, or when nothing refers to it any more, as
/// when a client hangs up before its connection begins.
final class LivePlace: Sendable {
    /// For whom it counts.
    let holder: ConnectionQuota.Holder
    private let admissions: ConnectionQuota
    private let isTaken = Atomic(true)

    fileprivate init(_ holder: ConnectionQuota.Holder, in admissions: ConnectionQuota) {
        self.holder = holder
        self.admissions = admissions
    }

    deinit { leave() }

    /// Gives the place back; a second call does nothing.
    func leave() {
        if isTaken.exchange(false, ordering: .relaxed) { admissions.giveBack(holder) }
    }
}
