public import Synchronization

/// What this node has heard of changes of access, for those who remember what they have read.
///
/// A store tells it of its own changes before their calls return, and of those of others as it hears of them. Writes do not
/// rest on it: they compare versions with the stored ones (``AccessVersions``).
///
/// It is bounded: subjects share places, so that a change of one may cost a look-up of another.
public final class AccessNews: Sendable {
    // Inlinable, because every request asks several times.
    @usableFromInline let last: [Place]
    private let count = Atomic<Int>(0)

    /// The number of the last change of a subject at this place.
    @usableFromInline final class Place: Sendable {
        @usableFromInline let number = Atomic<Int>(0)
        init() {}
    }

    /// Nothing was heard yet.
    ///
    /// - Parameter places: among how many places the subjects are spread; at least 1.
    public init(places: Int = 4_096) { last = (0..<max(1, places)).map { _ in Place() } }

    /// The moment before something is read, to be given with what was read.
    public var moment: Int { count.load(ordering: .acquiring) }

    /// A change of what is said about a subject: to be told once it is committed, before its call returns.
    public func tell(of subject: AccessSubject) {
        let number = count.add(1, ordering: .acquiringAndReleasing).newValue
        last[place(of: subject)].number.max(number, ordering: .releasing)
    }

    /// The stamp of something that rests on a subject and was read after that moment.
    public func stamp(of subject: AccessSubject, at moment: Int) -> AccessStamp {
        AccessStamp(place: place(of: subject), moment: moment)
    }

    /// Whether nothing has changed since, as far as was heard.
    @inlinable public func isCurrent(_ stamp: AccessStamp) -> Bool {
        last[stamp.place].number.load(ordering: .acquiring) <= stamp.moment
    }

    private func place(of subject: AccessSubject) -> Int {
        Int(UInt(bitPattern: subject.hashValue) % UInt(last.count))
    }
}

/// On what something rests that is remembered, and when it was read.
public struct AccessStamp: Sendable {
    @usableFromInline let place: Int
    @usableFromInline let moment: Int

    init(place: Int, moment: Int) {
        self.place = place
        self.moment = moment
    }
}
