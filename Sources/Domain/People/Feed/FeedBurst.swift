import Shared

/// Changes of one record that follow each other within a second and are of the same types: one event.
///
/// A second is short enough that nobody who was given a right in between learns of more than that there was a change.
struct FeedBurst {
    /// The length of a second in microseconds.
    static let length: Int64 = 1_000_000

    private let types: FeedTypes
    /// The place of the change before the first one that the student could see.
    private let former: Int?
    private var places: [Int]
    private var last: RecordFact
    /// The number of changes of different moments.
    private var count = 1

    init(_ fact: RecordFact, _ types: FeedTypes) {
        self.types = types
        former = fact.former
        places = [fact.change]
        last = fact
    }

    /// Takes in the next change of the record, if it belongs to the burst; otherwise returns `false`.
    mutating func take(_ fact: RecordFact, _ types: FeedTypes) -> Bool {
        // What a class does is counted with the events of its acts, by their moments.
        guard types == self.types, fact.former == last.change, fact.isJob == last.isJob, !fact.isOfClass,
            !last.isOfClass, Self.second(of: fact.at) == Self.second(of: last.at)
        else { return false }
        if fact.at != last.at { count += 1 }
        places.append(fact.change)
        last = fact
        return true
    }

    var event: FeedEvent { last.event(types, after: former, places: places, count: count) }

    /// Returns the second of the clock of a moment.
    static func second(of moment: Timestamp) -> Int64 { moment.microseconds / length }
}
