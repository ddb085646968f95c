import Shared

/// Gathers the events of one page of a feed into lines, from the latest to the earliest.
///
/// The page ends at the first event that would begin one line too many, when the events end, or when it has looked at
/// as many as it may. Lines that have begun by then still take in the rest of their ten minutes, so that a line stands
/// for all of its events. Each event belongs to one line of one page: the next page begins where this one ended, and
/// its cursor names the lines that are told already.
public struct FeedGathering: Sendable {
    /// What is to be done with an event.
    public enum Verdict: Sendable {
        /// The reader does not want it, it belongs to a line of a page before, or it begins a line of the next one.
        case passed
        /// There is nothing more to look at for the lines of this page.
        case full
        /// It is taken if the reader may see it.
        case candidate
    }

    private enum Phase {
        /// Lines begin.
        case gathering
        /// No line begins any more, and those that have begun take in what is left of a span of time. The place is that
        /// of the last event before the first that was left out.
        case finishing(span: Int64, from: FeedPlace?)
        /// The lines are complete; the place is the same.
        case complete(from: FeedPlace?)
        /// There are no further events.
        case exhausted
    }

    /// The place of the last event that was looked at; `nil` at the beginning.
    public private(set) var place: FeedPlace?
    private var phase = Phase.gathering
    private var groups: [FeedGroup] = []
    private var index: [String: Int] = [:]
    /// The short names of the lines that are told, to which no event is added any more, with their spans.
    private var closed: [String: Int64]
    private var room: Int
    /// How many events may still be looked at while lines begin, and after that.
    private var left: (beginning: Int, finishing: Int)

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of lines.
    ///   - budget: The maximum number of events to look at while lines begin, and as many again to complete them.
    public init(after cursor: FeedCursor?, limit: Int, budget: Int) {
        place = cursor?.place
        let span = cursor.map { FeedGroup.span(of: $0.place) } ?? 0
        closed = Dictionary((cursor?.open ?? []).map { ($0, span) }) { first, _ in first }
        room = max(0, limit)
        left = (budget, budget)
    }

    /// Returns what to do with the next event, given the types in it that the reader wants.
    public mutating func verdict(on event: FeedEvent, _ types: FeedTypes) -> Verdict {
        let id = FeedGroup.id(of: event, types)
        let isTold = types.isEmpty || closed[FeedCursor.name(of: id)] != nil
        if case .gathering = phase {
            let isOneTooMany = !isTold && index[id] == nil && groups.count >= room
            if isOneTooMany || left.beginning <= 0 { leaveOut(event) }
        }
        switch phase {
        case .gathering: left.beginning -= 1
        case .finishing(let span, let from):
            guard FeedGroup.span(of: event.place) == span, left.finishing > 0 else {
                phase = .complete(from: from)
                return .full
            }
            left.finishing -= 1
            if index[id] == nil {
                place = event.place
                return .passed
            }
        case .complete, .exhausted: return .full
        }
        guard isTold else { return .candidate }
        place = event.place
        return .passed
    }

    /// Ends the page before an event. Lines of the same span go on if they can take in more.
    private mutating func leaveOut(_ event: FeedEvent) {
        let span = FeedGroup.span(of: event.place)
        let isOpen = groups.contains { $0.id != $0.latest.id && FeedGroup.span(of: $0.latest.place) == span }
        phase = isOpen ? .finishing(span: span, from: place) : .complete(from: place)
    }

    /// Takes a candidate, or passes it over if the reader may not see it.
    public mutating func take(_ event: FeedEvent, _ types: FeedTypes, isVisible: Bool) {
        place = event.place
        guard isVisible else { return }
        let id = FeedGroup.id(of: event, types)
        if let known = index[id] {
            groups[known].add(event, types)
        } else {
            index[id] = groups.count
            groups.append(FeedGroup(event, types))
        }
    }

    /// Notes that there are no further events.
    public mutating func end() {
        switch phase {
        case .gathering: phase = .exhausted
        case .finishing(_, let from): phase = .complete(from: from)
        case .complete, .exhausted: break
        }
    }

    /// Whether the lines that were gathered are to be taken now.
    public var isReady: Bool {
        switch phase {
        case .gathering, .finishing: false
        case .complete, .exhausted: true
        }
    }

    /// Takes the lines that were gathered, and closes them.
    public mutating func takeGroups() -> [FeedGroup] {
        defer {
            for group in groups where group.id != group.latest.id {
                closed[FeedCursor.name(of: group.id)] = FeedGroup.span(of: group.latest.place)
            }
            (groups, index) = ([], [:])
        }
        return groups
    }

    /// Continues the page with room for so many lines; returns whether there is anything to continue with.
    public mutating func resume(withRoomFor lines: Int) -> Bool {
        room = max(0, lines)
        guard room > 0, left.beginning > 0, case .complete(let from) = phase else { return false }
        place = from
        phase = .gathering
        return true
    }

    /// Where the next page begins; `nil` at the end.
    public var next: FeedCursor? {
        let start: FeedPlace? =
            switch phase {
            case .gathering: place
            case .finishing(_, let from), .complete(let from): from
            case .exhausted: nil
            }
        guard let start else { return nil }
        let span = FeedGroup.span(of: start)
        return FeedCursor(after: start, open: Set(closed.filter { $0.value == span }.keys))
    }
}
