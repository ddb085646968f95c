import HTTP
import Shared
import Synchronization

/// Who may have how many live connections of this node, whichever loop serves them: sockets, event streams and waits.
///
/// A connection counts for the account that its request proves, otherwise for the client's address. So what has proven
/// nothing never takes the place of what has.
final class ConnectionQuota: Sendable {
    /// For whom a connection counts.
    enum Holder: Hashable, Sendable {
        /// An address, or an IPv6 network of them, from which somebody came who has proven nothing.
        case address(IPAddress)
        case account(AccountID)
    }

    private let strangersPerAddress: Int
    private let connectionsPerAccount: Int
    private let counts = Mutex<[Holder: Int]>([:])

    init(strangersPerAddress: Int, connectionsPerAccount: Int) {
        self.strangersPerAddress = strangersPerAddress
        self.connectionsPerAccount = connectionsPerAccount
    }

    /// A place of an account; `nil` if the account has no more.
    func place(of account: AccountID) -> LivePlace? { place(.account(account), limit: connectionsPerAccount) }

    /// A place of an address, for what has proven nothing; `nil` if the address has no more.
    func place(at address: IPAddress) -> LivePlace? {
        place(.address(address.network), limit: strangersPerAddress)
    }

    /// How many places are taken.
    var total: Int { counts.withLock { $0.values.reduce(0, +) } }

    private func place(_ holder: Holder, limit: Int) -> LivePlace? {
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
    private let holder: ConnectionQuota.Holder
    private let admissions: ConnectionQuota
    private let isTaken = Atomic(true)

    fileprivate init(_ holder: ConnectionQuota.Holder, in admissions: ConnectionQuota) {
        self.holder = holder
        self.admissions = admissions
    }

    deinit { leave() }

    /// Whether it is one of this account's.
    func belongs(to account: AccountID) -> Bool { holder == .account(account) }

    /// Gives the place back; a second call does nothing.
    func leave() {
        if isTaken.exchange(false, ordering: .relaxed) { admissions.giveBack(holder) }
    }
}
