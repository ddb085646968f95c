import Shared

/// Gathers the events of one page of a feed into lines, from the latest to the earliest.
///
/// The page ends with the first event that would begin one line too many, when the events end, or when it has looked at
/// as many as it may. Each event belongs to one line of one page: the cursor of the next page names the lines that
/// events behind it would still join.
public struct FeedGathering: Sendable {
    /// What is to be done with an event.
    public enum Verdict: Sendable {
        /// The reader does not want it, or it belongs to a line of a page before.
        case passed
        /// It begins a line for which there is no room.
        case full
        /// It is taken if the reader may see it.
        case candidate
    }

    /// The place of the last event that was looked at; `nil` at the beginning.
    public private(set) var place: FeedPlace?
    private var groups: [FeedGroup] = []
    private var index: [String: Int] = [:]
    /// The lines that are closed, to which no event is added any more.
    private var closed: [String: Int64]
    private var room: Int
    private var left: Int
    private var isFull = false
    private var isExhausted = false

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of lines.
    ///   - budget: The maximum number of events to look at.
    public init(after cursor: FeedCursor?, limit: Int, budget: Int) {
        place = cursor?.place
        let span = cursor.map { FeedGroup.span(of: $0.place) } ?? 0
        closed = Dictionary((cursor?.open ?? []).map { ($0, span) }) { first, _ in first }
        room = max(0, limit)
        left = budget
    }

    /// Returns what is to be done with the next event, of which the reader wants some types.
    public mutating func verdict(on event: FeedEvent, _ types: FeedTypes) -> Verdict {
        let id = FeedGroup.id(of: event, types)
        if types.isEmpty || closed[id] != nil {
            pass(event)
            return .passed
        }
        if index[id] == nil, groups.count >= room {
            isFull = true
            return .full
        }
        return .candidate
    }

    /// Takes a candidate, or passes it over if the reader may not see it.
    public mutating func take(_ event: FeedEvent, _ types: FeedTypes, isVisible: Bool) {
        pass(event)
        guard isVisible else { return }
        let id = FeedGroup.id(of: event, types)
        if let known = index[id] {
            groups[known].add(event, types)
        } else {
            index[id] = groups.count
            groups.append(FeedGroup(event, types))
        }
    }

    private mutating func pass(_ event: FeedEvent) {
        place = event.place
        left -= 1
    }

    /// Notes that there are no further events.
    public mutating func end() { isExhausted = !isFull }

    /// Whether the lines that were gathered are to be taken now.
    public var isReady: Bool { isFull || isExhausted || left <= 0 }

    /// Takes the lines that were gathered, and closes them.
    public mutating func takeGroups() -> [FeedGroup] {
        defer {
            for group in groups where group.id != group.latest.id {
                closed[group.id] = FeedGroup.span(of: group.latest.place)
            }
            (groups, index) = ([], [:])
        }
        return groups
    }

    /// Continues the page with room for so many lines; returns whether there is anything to continue with.
    public mutating func resume(withRoomFor lines: Int) -> Bool {
        room = max(0, lines)
        guard room > 0, !isExhausted, left > 0 else { return false }
        isFull = false
        return true
    }

    /// Where the next page begins; `nil` at the end.
    public var next: FeedCursor? {
        guard !isExhausted, let place else { return nil }
        let span = FeedGroup.span(of: place)
        return FeedCursor(after: place, open: Set(closed.filter { $0.value == span }.keys))
    }
}
