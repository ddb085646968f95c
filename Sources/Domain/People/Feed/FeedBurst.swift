import Shared

/// Changes of one record that follow each other within a second and are of the same types: one event.
///
/// The time is short: a person who gains access during a burst learns from its event that there were earlier changes.
struct FeedBurst {
    /// The length of a second in microseconds.
    static let length: Int64 = 1_000_000

    private let types: FeedTypes
    /// The place of the change before the first one that the student could see.
    private let former: Int?
    private let isJob: Bool
    /// What a class does is counted with the events of its acts, by their moments, and so makes no burst.
    private let isOfClass: Bool
    private var places: [Int]
    /// The moment of the last change.
    private var at: Timestamp
    /// The number of changes of different moments.
    private var count = 1
    /// The index of the last change.
    private(set) var last: Int

    /// Begins with a change, which has an index in the caller's list.
    init(_ fact: RecordFact, at index: Int, _ types: FeedTypes) {
        self.types = types
        (former, isJob, isOfClass) = (fact.former, fact.isJob, fact.isOfClass)
        (places, at, last) = ([fact.change], fact.at, index)
    }

    /// Takes in the next change of the record, if it belongs to the burst; otherwise returns `false`.
    mutating func take(_ fact: RecordFact, at index: Int, _ types: FeedTypes) -> Bool {
        guard types == self.types, fact.former == places.last, fact.isJob == isJob, !fact.isOfClass, !isOfClass,
            Self.second(of: fact.at) == Self.second(of: at)
        else { return false }
        if fact.at != at { count += 1 }
        places.append(fact.change)
        (at, last) = (fact.at, index)
        return true
    }

    /// Returns the event, given the last change.
    func event(of fact: RecordFact) -> FeedEvent { fact.event(types, after: former, places: places, count: count) }

    /// Returns the second of the clock of a moment.
    static func second(of moment: Timestamp) -> Int64 { moment.microseconds / length }
}
