public import Synchronization

/// Values looked up lately, which hold as long as the store's access version is the one they were read under.
///
/// Read the access version before the value: a change in between makes the entry worthless rather than wrong.
public final class AccessCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    // Inlinable, because every request looks into several of these: so they are compiled for their own types.
    @usableFromInline struct Entries {
        @usableFromInline var accessVersion = 0
        @usableFromInline var values: [Key: Value] = [:]

        @usableFromInline init(accessVersion: Int = 0) { self.accessVersion = accessVersion }
    }

    private let capacity: Int
    @usableFromInline let entries = Mutex(Entries())

    /// An empty cache, which forgets everything when it would hold more than `capacity` values.
    public init(capacity: Int) { self.capacity = capacity }

    /// The value, if it was kept under this access version.
    @inlinable public func value(_ key: Key, accessVersion: Int) -> Value? {
        entries.withLock { $0.accessVersion == accessVersion ? $0.values[key] : nil }
    }

    /// Keeps a value that was read under this access version.
    public func keep(_ value: Value, for key: Key, accessVersion: Int) {
        entries.withLock { entries in
            if entries.accessVersion > accessVersion { return }
            if entries.accessVersion < accessVersion || entries.values.count >= capacity {
                entries = Entries(accessVersion: accessVersion)
            }
            entries.values[key] = value
        }
    }
}
