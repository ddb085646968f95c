private import Glibc
public import Synchronization

/// The changes of access that this node knows about, which invalidate caches.
///
/// A store announces its own changes here before their calls return, and those of other nodes when it learns of them.
/// Writes do not depend on it: they compare versions with the stored ones (``AccessVersions``).
///
/// A store that several nodes write to follows their changes in a log (``LogReading``). It says until when the log has
/// been followed, and from then on nothing is current.
///
/// Its size is fixed: several subjects share a place, so that a change of one may invalidate cached values of another.
public final class AccessNews: Sendable {
    // Inlinable, because every request calls it several times.
    @usableFromInline let last: [Place]
    private let count = Atomic<Int>(0)
    /// Until when other nodes' changes are known, in nanoseconds since the machine started; the greatest number where
    /// this node alone writes.
    @usableFromInline let knownUntil = Atomic<Int64>(.max)

    /// A place of subjects, with the number of the last change of any of them.
    @usableFromInline final class Place: Sendable {
        @usableFromInline let number = Atomic<Int>(0)
        init() {}
    }

    /// Creates news without any change.
    ///
    /// - Parameter places: The number of places that the subjects are spread over; at least 1.
    public init(places: Int = 4_096) { last = (0..<max(1, places)).map { _ in Place() } }

    /// The current moment; take it before you read something, and pass it with what was read.
    public var moment: Int { count.load(ordering: .acquiring) }

    /// Announces a change of a subject. Call it after the commit, before the call that made the change returns.
    public func tell(of subject: AccessSubject) {
        let number = count.add(1, ordering: .acquiringAndReleasing).newValue
        last[place(of: subject)].number.max(number, ordering: .releasing)
    }

    /// Returns the stamp of a value that depends on a subject and was read after the moment.
    public func stamp(of subject: AccessSubject, at moment: Int) -> AccessStamp {
        AccessStamp(place: place(of: subject), moment: moment)
    }

    /// Returns whether no change of the stamp's subject is known since its moment, and other nodes' changes are known.
    @inlinable public func isCurrent(_ stamp: AccessStamp) -> Bool {
        last[stamp.place].number.load(ordering: .acquiring) <= stamp.moment
            && (knownUntil.load(ordering: .relaxed) == .max || isFollowed)
    }

    /// Whether the changes of other nodes are known, up to a moment ago.
    public var isFollowed: Bool { Self.sinceStart < knownUntil.load(ordering: .acquiring) }

    /// How long ago the log of other nodes was read to its end; nothing where this node alone writes.
    public var followedAgo: Duration {
        let until = knownUntil.load(ordering: .acquiring)
        guard until != .max else { return .zero }
        return max(.zero, LogReading.trust - .nanoseconds(until - Self.sinceStart))
    }

    /// Announces that anything may have changed.
    public func tellOfEverything() {
        let number = count.add(1, ordering: .acquiringAndReleasing).newValue
        for place in last { place.number.max(number, ordering: .releasing) }
    }

    /// Announces that other nodes' changes are known, and will be until a moment.
    public func follow(until moment: ContinuousClock.Instant) {
        let left = ContinuousClock.now.duration(to: moment).components
        knownUntil.store(
            Self.sinceStart + left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000,
            ordering: .releasing)
    }

    /// Nanoseconds since the machine started, those included in which it slept.
    private static var sinceStart: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func place(of subject: AccessSubject) -> Int {
        Int(UInt(bitPattern: subject.hashValue) % UInt(last.count))
    }
}

/// What a cached value depends on, and when it was read.
public struct AccessStamp: Sendable {
    @usableFromInline let place: Int
    @usableFromInline let moment: Int

    init(place: Int, moment: Int) {
        self.place = place
        self.moment = moment
    }
}
