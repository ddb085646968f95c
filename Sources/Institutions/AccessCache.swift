private import Synchronization

/// Values looked up lately, which hold as long as the store's access version is the one they were read under.
final class AccessCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entries {
        var accessVersion = 0
        var values: [Key: Value] = [:]
    }

    private let capacity: Int
    private let entries = Mutex(Entries())

    init(capacity: Int) { self.capacity = capacity }

    func value(_ key: Key, accessVersion: Int) -> Value? {
        entries.withLock { $0.accessVersion == accessVersion ? $0.values[key] : nil }
    }

    func keep(_ value: Value, for key: Key, accessVersion: Int) {
        entries.withLock { entries in
            if entries.accessVersion > accessVersion { return }
            if entries.accessVersion < accessVersion || entries.values.count >= capacity {
                entries = Entries(accessVersion: accessVersion)
            }
            entries.values[key] = value
        }
    }
}
