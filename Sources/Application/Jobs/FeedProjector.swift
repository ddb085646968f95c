import Institutions
import Observability
import People
import Shared
import TimeZones

/// The projector of events: follows the logs of records and of everything else in slices, away from the event loops.
///
/// It may run late and again: an event's identifier derives from the change, and the position reached is stored with
/// the events.
struct FeedProjector: Sendable {
    /// How long changes are gathered before the next slice is read.
    private static let gathering = Duration.milliseconds(200)
    /// How long the projector waits at most before it looks again.
    private static let interval = Duration.seconds(2)
    /// The rows of each log that one slice has at most.
    private static let slice = 512
    private static let readersAtOnce = 500
    /// How many events one sweep deletes at a time.
    private static let swept = 500

    let store: any PeopleStore
    let institutions: Tenants
    let news: FeedNews
    /// How long events are kept, in days.
    let keepDays: Int
    let clock: WallClock
    let log: Log

    /// Projects until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.interval)
                    news.tell(.logs)
                }
            }
            group.addTask {
                for await _ in news.logRings {
                    if Task.isCancelled { return }
                    try? await Task.sleep(for: Self.gathering)
                    do {
                        while try await step(), !Task.isCancelled { await Task.yield() }
                    } catch {
                        // The next signal tries again.
                        log.warning("feeds cannot be brought up to date", ["error": .text("\(error)")])
                    }
                }
            }
        }
    }

    /// Projects one slice; returns whether there may be more. What is written meanwhile waits for the next signal, so that
    /// a busy server projects few large slices instead of many small ones.
    func step() async throws -> Bool {
        let slice = try await store.feedSlice(limit: Self.slice)
        guard slice.to != slice.from else { return false }
        let (events, met) = slice.projected()
        let due = try await due(for: events)
        if due.count <= Self.readersAtOnce {
            try await store.store(events, met: met, notifying: due, from: slice.from, to: slice.to)
        } else {
            // The position moves with the last part, so that none is lost. The events come with each: they are stored
            // once, and tell from which number on the notices are about them.
            for start in stride(from: 0, to: due.count, by: Self.readersAtOnce) {
                let end = min(start + Self.readersAtOnce, due.count)
                try await store.store(
                    events, met: met, notifying: Array(due[start..<end]), from: slice.from,
                    to: end == due.count ? slice.to : slice.from)
            }
        }
        // What is hidden makes no event, but leaves open feeds.
        let hiding = slice.classes.filter { $0.kind == .hidden }.map { FeedNews.Change.taughtClass($0.act.classID) }
        for change in Set(events.map(\.news) + hiding) { news.tell(change) }
        return slice.isFull
    }

    /// Returns who is to be notified of some events by mail.
    private func due(for events: [FeedEvent]) async throws -> [FeedDue] {
        guard !events.isEmpty else { return [] }
        let now = clock.now
        var mornings: [InstitutionID?: Timestamp] = [:]
        var due: [FeedDue] = []
        func add(_ readers: [NoticeReader]) async throws {
            for reader in readers {
                let place = reader.event.institution
                let known = mornings[place]
                let morning = if let known { known } else { try await nextMorning(at: place, after: now) }
                mornings[place] = morning
                due += reader.due(at: now, morning: morning)
            }
        }
        try await add(try await store.noticeReaders(of: events))
        for event in events {
            if case .account = event.stream { continue }
            var cursor: AccountID?
            repeat {
                let readers = try await store.noticeReaders(of: event, after: cursor, limit: Self.readersAtOnce)
                try await add(readers)
                due = FeedDue.joining(due)
                cursor = readers.count == Self.readersAtOnce ? readers.last?.account : nil
            } while cursor != nil
        }
        return FeedDue.joining(due)
    }

    /// Returns the next seven o'clock at an institution; in UTC for an event of none.
    private func nextMorning(at institution: InstitutionID?, after now: Timestamp) async throws -> Timestamp {
        var zone = TimeZone.utc
        if let institution { zone = try await institutions.find(institution.text)?.timeZone ?? .utc }
        return Timestamp(microseconds: zone.next(hour: 7, after: now.microseconds / 1_000) * 1_000)
    }

    /// Deletes events that are older than they are kept.
    func sweep() async throws {
        let oldest = clock.now.adding(seconds: -Int64(keepDays) * 86_400)
        while try await store.sweepFeed(before: oldest, limit: Self.swept) == Self.swept, !Task.isCancelled {
            await Task.yield()
        }
    }
}

extension FeedEvent {
    /// Whose feeds the event changes. Those who follow a person are told of nothing but what the person shares.
    fileprivate var news: FeedNews.Change {
        switch stream {
        case .account(let id): types.contains(FeedType.friendHeadline.alone) ? .person(id) : .reader(id)
        case .institution(let id): .institution(id)
        case .taughtClass(let id): .taughtClass(id)
        // Their members may all hear of it: few read live.
        case .registrars(let id): .institution(id)
        }
    }
}
