import HTTP
import Storage
import Synchronization

/// Who may have how many connections of this node, whichever loop serves them.
final class LiveAdmissions: Sendable {
    private struct Counts {
        var strangers: [IPAddress: Int] = [:]
        var accounts: [AccountID: Int] = [:]
    }

    private let strangersPerAddress: Int
    private let connectionsPerAccount: Int
    private let counts = Mutex(Counts())

    init(strangersPerAddress: Int, connectionsPerAccount: Int) {
        self.strangersPerAddress = strangersPerAddress
        self.connectionsPerAccount = connectionsPerAccount
    }

    /// Whether an address may have another connection of which nobody knows whose it is.
    func hasRoom(forStrangerFrom address: IPAddress) -> Bool {
        counts.withLock { $0.strangers[address.network, default: 0] < strangersPerAddress }
    }

    /// Counts a connection of which nobody knows whose it is.
    func admit(strangerFrom address: IPAddress) {
        counts.withLock { _ = Self.take(&$0.strangers, address.network, limit: .max) }
    }

    func release(strangerFrom address: IPAddress) {
        counts.withLock { Self.give(&$0.strangers, address.network) }
    }

    /// Counts a connection of an account; `false` if it has enough.
    func admit(_ account: AccountID) -> Bool {
        counts.withLock { Self.take(&$0.accounts, account, limit: connectionsPerAccount) }
    }

    func release(_ account: AccountID) {
        counts.withLock { Self.give(&$0.accounts, account) }
    }

    private static func take<Key>(_ counts: inout [Key: Int], _ key: Key, limit: Int) -> Bool {
        let count = counts[key, default: 0]
        guard count < limit else { return false }
        counts[key] = count + 1
        return true
    }

    private static func give<Key>(_ counts: inout [Key: Int], _ key: Key) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}
