public import Synchronization

/// The changes of access that this node knows about, which invalidate caches.
///
/// A store announces its own changes here before their calls return, and those of other nodes when it learns of them.
/// Writes do not depend on it: they compare versions with the stored ones (``AccessVersions``).
///
/// Its size is fixed: several subjects share a place, so that a change of one may invalidate cached values of another.
public final class AccessNews: Sendable {
    // Inlinable, because every request calls it several times.
    @usableFromInline let last: [Place]
    private let count = Atomic<Int>(0)

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

    /// Returns whether no change of the stamp's subject is known since its moment.
    @inlinable public func isCurrent(_ stamp: AccessStamp) -> Bool {
        last[stamp.place].number.load(ordering: .acquiring) <= stamp.moment
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
