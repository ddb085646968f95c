public import Synchronization

/// A cache of values, each valid until the subject it depends on changes.
///
/// Take ``moment`` before you read a value: a change in between makes the entry useless, but not wrong.
public final class AccessCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    // Inlinable, so that it is specialised for each type: every request looks into several of these caches.
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let stamp: AccessStamp
    }

    private let capacity: Int
    @usableFromInline let news: AccessNews
    @usableFromInline let entries = Mutex<[Key: Entry]>([:])

    /// Creates an empty cache. When it is full, it drops the invalid values, or all if too many are valid.
    public init(capacity: Int, news: AccessNews) {
        self.capacity = capacity
        self.news = news
    }

    /// The current moment, to take before a value is read.
    public var moment: Int { news.moment }

    /// Returns a value; `nil` if it is not cached or its subject has changed since it was read.
    @inlinable public func value(_ key: Key) -> Value? {
        guard let entry = entries.withLock({ $0[key] }), news.isCurrent(entry.stamp) else { return nil }
        return entry.value
    }

    /// Caches a value that depends on a subject and was read after the moment.
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
