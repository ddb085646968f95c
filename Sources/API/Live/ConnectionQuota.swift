import HTTP
import Live
import Shared
import Synchronization

/// Limits the live connections of this node by holder, whichever loop serves them: sockets, event streams and waits.
///
/// A connection counts for the account that it proves; a guest's counts for the client's address. A connection that has
/// not yet identified its reader also counts for the address, under a limit of its own. So an unproven connection never
/// takes the place of a proven one.
final class ConnectionQuota: Sendable {
    /// The holder for whom a connection counts.
    enum Holder: Hashable, Sendable {
        /// Sockets from an address, or an IPv6 network, that have not said hello.
        case strangers(at: IPAddress)
        /// Connections without an account from an address, or an IPv6 network.
        case guests(at: IPAddress)
        /// Connections of an account.
        case account(AccountID)

        /// The holder of a connection with `identity`, or of a guest at `client`.
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

    /// Takes another place; `nil` if the holder may have no more.
    func place(for holder: Holder) -> LivePlace? { take(holder) ? LivePlace(holder, in: self) : nil }

    /// Moves a place from `holder` to `other`; `false` if that may have no more.
    func move(_ holder: Holder, to other: Holder) -> Bool {
        guard take(other) else { return false }
        giveBack(holder)
        return true
    }

    private func take(_ holder: Holder) -> Bool {
        let limit = limit(of: holder)
        return counts.withLock { counts in
            let count = counts[holder, default: 0]
            guard count < limit else { return false }
            counts[holder] = count + 1
            return true
        }
    }

    /// Gives back the place of a connection that has ended.
    func giveBack(_ holder: Holder) {
        counts.withLock { counts in
            guard let count = counts[holder] else { return }
            counts[holder] = count > 1 ? count - 1 : nil
        }
    }
}

/// The place of a live connection that is about to begin. If the client leaves before, nothing takes the place over,
/// and it is given back.
final class LivePlace: Sendable {
    private let holder: ConnectionQuota.Holder
    private let admissions: ConnectionQuota
    private let isWaiting = Atomic(true)

    fileprivate init(_ holder: ConnectionQuota.Holder, in admissions: ConnectionQuota) {
        self.holder = holder
        self.admissions = admissions
    }

    deinit { if isWaiting.load(ordering: .relaxed) { admissions.giveBack(holder) } }

    /// Called once when the connection begins. From then on the connection itself gives the place back.
    func takeOver() -> ConnectionQuota.Holder {
        isWaiting.store(false, ordering: .relaxed)
        return holder
    }
}
