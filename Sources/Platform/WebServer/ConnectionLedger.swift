internal import HTTP
internal import Synchronization

/// Counts the connections of the whole server, over all loops, and limits them.
final class ConnectionLedger: Sendable {
    private struct Counts {
        var total = 0
        var networks: [IPAddress: Int] = [:]
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let proxies: [IPNetwork]
    private let counts = Mutex(Counts())

    /// - Parameter proxies: networks without a limit per address.
    init(limit: Int, limitPerAddress: Int, proxies: [IPNetwork] = []) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
        self.proxies = proxies
    }

    /// How many connections there are.
    var total: Int { counts.withLock { $0.total } }

    /// Counts a connection, or returns why it is refused; a refused connection does not count.
    func enter(_ address: IPAddress) -> Refusal? {
        counts.withLock { counts in
            guard counts.total < limit else { return .tooManyConnections }
            let ofAddress = counts.networks[address.network, default: 0]
            guard ofAddress < limitPerAddress || proxies.contain(address) else { return .tooManyConnectionsOfAddress }
            counts.total += 1
            counts.networks[address.network] = ofAddress + 1
            return nil
        }
    }

    /// Removes a connection from the count.
    func leave(_ address: IPAddress) {
        counts.withLock { counts in
            counts.total -= 1
            let left = counts.networks[address.network, default: 1] - 1
            counts.networks[address.network] = left > 0 ? left : nil
        }
    }
}
