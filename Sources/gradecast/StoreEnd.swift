import Synchronization

/// Why the store can no longer be served; `nil` while it can.
final class StoreEnd: Sendable {
    private let why = Mutex<String?>(nil)

    var reason: String? {
        get { why.withLock { $0 } }
        set { why.withLock { $0 = newValue } }
    }
}
