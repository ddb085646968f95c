import GradingKit
public import Shared

/// The position that a projector has reached in the three logs.
public struct FeedProgress: Sendable, Equatable {
    /// The place of the last change of a record.
    public let changes: Int
    /// The place of the last line of an audit trail.
    public let audit: Int
    /// The place of the last line of a class's ledger.
    public let classes: Int

    /// Creates a position.
    public init(changes: Int, audit: Int, classes: Int) {
        self.changes = changes
        self.audit = audit
        self.classes = classes
    }
}

/// A slice of the logs behind a position.
public struct FeedSlice: Sendable {
    /// The position from which it was read.
    public let from: FeedProgress
    /// The position behind it.
    public let to: FeedProgress
    /// Whether the logs may have more behind it.
    public let isFull: Bool
    /// The changes of records that their students can see, in order.
    public let records: [RecordFact]
    /// The lines of the trails, in order.
    public let audit: [AuditFact]
    /// The acts of classes, in order: those that changed, showed or hid results before students' eyes, and corrections.
    public let classes: [ClassFact]
    /// For each changed record, its standing now as the student sees it, and the outcomes known to be met; `nil` for a
    /// record that was not looked at before.
    public let standings: [RecordID: (standing: [UInt8], met: Set<String>?)]

    /// Creates a slice.
    public init(
        from: FeedProgress, to: FeedProgress, isFull: Bool = false, records: [RecordFact], audit: [AuditFact],
        classes: [ClassFact], standings: [RecordID: (standing: [UInt8], met: Set<String>?)]
    ) {
        self.from = from
        self.to = to
        self.isFull = isFull
        self.records = records
        self.audit = audit
        self.classes = classes
        self.standings = standings
    }

    /// Returns the events of the slice, and the outcomes met by each record whose outcomes changed. A change that is
    /// no news, such as a calculation that moved no figure, makes no event. Changes of one record that follow each other
    /// within a second and are of the same types make one event.
    ///
    /// An outcome counts as reached by the last change of its record in the slice. Of a record that was not looked at
    /// before, outcomes count from its beginning only if that is in the slice.
    public func projected() -> (events: [FeedEvent], met: [RecordID: Set<String>]) {
        var (last, begun): ([RecordID: Int], Set<RecordID>) = ([:], [])
        for (index, fact) in records.enumerated() {
            last[fact.record] = index
            if fact.version == 1 { begun.insert(fact.record) }
        }
        var (met, reaching): ([RecordID: Set<String>], Set<Int>) = ([:], [])
        for (record, found) in standings {
            let now = Self.met(in: found.standing)
            if now != found.met { met[record] = now }
            let known = found.met ?? (begun.contains(record) ? [] : now)
            if !now.isSubset(of: known), let index = last[record] { reaching.insert(index) }
        }
        return (bursts(reaching) + audit.compactMap(\.event) + classes.compactMap(\.event), met)
    }

    /// Returns the events of changes of records.
    ///
    /// - Parameter reaching: The indices of changes by which an outcome was reached.
    private func bursts(_ reaching: Set<Int>) -> [FeedEvent] {
        var bursts: [FeedBurst] = []
        var open: [RecordID: Int] = [:]
        for (index, fact) in records.enumerated() {
            let types = fact.types(reachesOutcome: reaching.contains(index))
            if types.isEmpty { continue }
            if let known = open[fact.record], bursts[known].take(fact, at: index, types) { continue }
            open[fact.record] = bursts.count
            bursts.append(FeedBurst(fact, at: index, types))
        }
        return bursts.map { $0.event(of: records[$0.last]) }
    }

    /// Returns the names of the outcomes that a standing has met.
    public static func met(in standing: [UInt8]) -> Set<String> {
        let outcomes = ((try? JSON.member("outcomes", of: standing)) ?? nil)?.object ?? JSONObject()
        return Set(outcomes.filter { $0.value["state"]?.string == "met" }.map(\.name))
    }
}
