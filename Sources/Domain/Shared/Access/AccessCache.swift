public import Synchronization

/// Values looked up lately, which hold until something is heard of what they rest on.
///
/// Ask for the moment before the value is read: a change in between makes the entry worthless rather than wrong.
public final class AccessCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    // Inlinable, because every request looks into several of these: so they are compiled for their own types.
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let stamp: AccessStamp
    }

    private let capacity: Int
    @usableFromInline let news: AccessNews
    @usableFromInline let entries = Mutex<[Key: Entry]>([:])

    /// An empty cache, which forgets what no longer holds, or all, when it would hold more than `capacity` values.
    public init(capacity: Int, news: AccessNews) {
        self.capacity = capacity
        self.news = news
    }

    /// The moment before a value is read.
    public var moment: Int { news.moment }

    /// The value, if nothing has changed since it was read.
    @inlinable public func value(_ key: Key) -> Value? {
        guard let entry = entries.withLock({ $0[key] }), news.isCurrent(entry.stamp) else { return nil }
        return entry.value
    }

    /// Keeps a value that rests on a subject and was read after that moment.
    public func keep(_ value: Value, for key: Key, restingOn subject: AccessSubject, readAt moment: Int) {
        let entry = Entry(value: value, stamp: news.stamp(of: subject, at: moment))
        entries.withLock { entries in
            if let known = entries[key], known.stamp.moment > moment { return }
            if entries.count >= capacity {
                entries = entries.filter { news.isCurrent($0.value.stamp) }
                if entries.count > capacity / 2 { entries = [:] }
            }
            entries[key] = entry
        }
    }
}
