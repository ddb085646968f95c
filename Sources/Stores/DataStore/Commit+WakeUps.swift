import Records
public import Shared

extension Commit {
    /// What other nodes are told of the commit. What takes permissions away is in the store's log.
    public var wakeUps: [WakeUp] {
        records.map(\.wakeUp)
            + events.compactMap { event in
                if case .classChanged(let news) = event { .taughtClass(news) } else { nil }
            }
    }
}

extension RecordEvent {
    fileprivate var wakeUp: WakeUp {
        switch self {
        case .changed(let snapshot, _): .record(snapshot.head.id, of: snapshot.head.student)
        case .deleted(let head): .record(head.id, of: head.student)
        }
    }
}
