import Shared
import Synchronization
import Testing

@testable import Live

@Suite struct HubTests {
    private let topic = Topic.standing(RecordID("R"), .released)

    private func update(_ version: Version, composed: Counter = Counter()) -> TopicUpdate {
        TopicUpdate(
            topic: topic, revision: Revision(epoch: Epoch("k3"), version: version),
            change: .document {
                composed.count.add(1, ordering: .relaxed)
                return Array("{}".utf8)
            })
    }

    private final class Counter: Sendable {
        let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
    }

    /// Many feeds on one topic, all of them granted and up to date with version 1.
    private struct Crowd {
        var hub: Hub
        var table = SubscriberTable<SubscriberID>()
        var feeds: [SubscriberID: Feed] = [:]

        init(_ count: Int, limits: LiveLimits = LiveLimits(), topic: Topic) {
            hub = Hub(epoch: Epoch("k3"), limits: limits, seed: 1) { "/\($0)" }
            for _ in 0..<count { join(topic) }
        }

        mutating func join(_ topic: Topic) {
            let id = table.reserve()
            var feed = Feed(reader: id)
            guard let request = feed.subscribe(to: TopicRequest(topic), for: nil, in: &hub) else { return }
            _ = feed.answered(request, .granted, in: &hub)
            feeds[id] = feed
        }

        /// Delivers up to `limit` wake-ups and whatever follows from each.
        mutating func wake(limit: Int = .max) -> [(SubscriberID, ServerMessage)] {
            var deliveries: [(SubscriberID, ServerMessage)] = []
            for _ in 0..<limit {
                guard let wake = hub.nextWake() else { break }
                feeds[wake.subscriber]?.mark(wake.topicID)
                while let delivery = feeds[wake.subscriber]?.next(from: &hub) {
                    deliveries.append((wake.subscriber, delivery))
                }
            }
            return deliveries
        }
    }

    @Test func `what nobody reads is not composed`() {
        let composed = Counter()
        var hub = Hub(epoch: Epoch("k3"), seed: 1) { "/\($0)" }
        hub.publish(update(1, composed: composed))
        #expect(composed.value == 0)
        #expect(!hub.hasWakes)
    }

    @Test func `a document is composed and framed once for all readers, and not at all when a newer one comes first`() {
        let composed = Counter()
        var crowd = Crowd(100, topic: topic)
        crowd.hub.publish(update(1, composed: composed))
        crowd.hub.publish(update(2, composed: composed))
        let deliveries = crowd.wake()
        #expect(composed.value == 1)
        #expect(deliveries.count == 100)
        let frames = deliveries.compactMap { delivery -> Counter? in
            guard case .document(let rendition) = delivery.1 else { return nil }
            return rendition.forms(Counter.init)
        }
        #expect(Set(frames.map { ObjectIdentifier($0) }).count == 1 && frames.count == 100)
    }

    @Test func `a large fan-out is cut into slices between which others have their turn`() {
        var limits = LiveLimits()
        limits.slice = 10
        var crowd = Crowd(25, limits: limits, topic: topic)
        let other = Topic.records(AccountID("A"))
        crowd.join(other)
        crowd.hub.publish(update(1))
        let revision = Revision(epoch: Epoch("k3"), version: 1)
        crowd.hub.publish(TopicUpdate(topic: other, revision: revision, change: .document { Array("{}".utf8) }))
        let order = crowd.wake().map { delivery -> Topic? in
            if case .document(let rendition) = delivery.1 { rendition.topic } else { nil }
        }
        #expect(order.count == 26)
        #expect(order.firstIndex(of: other) == 10)
    }

    @Test func `a version that comes during a fan-out reaches those already served`() {
        var crowd = Crowd(30, topic: topic)
        crowd.hub.publish(update(1))
        let first = crowd.wake(limit: 20)
        crowd.hub.publish(update(2))
        crowd.join(topic)
        let rest = crowd.wake()
        #expect(first.count == 20)
        #expect(rest.count == 10 + 20 + 1)
        #expect(!crowd.hub.hasWakes)
    }

    @Test func `who leaves during a fan-out disturbs nobody`() {
        var crowd = Crowd(30, topic: topic)
        crowd.hub.publish(update(1))
        _ = crowd.wake(limit: 10)
        for id in crowd.feeds.keys.sorted().prefix(15) {
            crowd.feeds[id]?.leave(&crowd.hub)
            crowd.feeds[id] = nil
        }
        #expect(crowd.wake().count == 15)
    }

    @Test func `readers of one document share one read`() {
        var crowd = Crowd(50, topic: topic)
        for id in crowd.feeds.keys.sorted() {
            while crowd.feeds[id]?.next(from: &crowd.hub) != nil {}
        }
        let requests = crowd.hub.takeReads()
        #expect(requests.count == 1 && requests[0].kind == .document)
        #expect(crowd.hub.takeReads().isEmpty)
        let document = LiveDocument(revision: Revision(epoch: Epoch("k3"), version: 7), bytes: Array("{}".utf8))
        crowd.hub.finish(requests[0], .document(document))
        #expect(crowd.wake().count == 50)
    }

    @Test func `a document in doubt is read again, after a read that began before as well`() {
        let shared = Topic.shared(RecordID("R"))
        var crowd = Crowd(3, topic: shared)
        func document(_ version: Version) -> LiveDocument {
            LiveDocument(revision: Revision(epoch: Epoch("k3"), version: version), bytes: Array("\(version)".utf8))
        }
        #expect(crowd.hub.hasSharedTopics)
        for id in crowd.feeds.keys { _ = crowd.feeds[id]?.next(from: &crowd.hub) }
        let first = crowd.hub.takeReads()
        for _ in 0..<5 { crowd.hub.doubt(shared) }
        #expect(crowd.hub.takeReads().isEmpty)
        crowd.hub.finish(first[0], .document(document(1)))
        #expect(crowd.wake().count == 3)
        let second = crowd.hub.takeReads()
        #expect(second.map(\.kind) == [.document])
        crowd.hub.finish(second[0], .document(document(2)))
        #expect(crowd.wake().count == 3)
        #expect(crowd.hub.takeReads().isEmpty)
        crowd.hub.doubt(shared)
        let third = crowd.hub.takeReads()
        crowd.hub.finish(third[0], .document(document(2)))
        #expect(crowd.wake().isEmpty)
        for id in crowd.feeds.keys { crowd.feeds[id]?.leave(&crowd.hub) }
        #expect(!crowd.hub.hasSharedTopics)
        crowd.hub.doubt(shared)
        #expect(!crowd.hub.wantsReads)
    }

    @Test func `what a student shares no more is not sent, from a read that began before neither`() {
        let shared = Topic.shared(RecordID("R"))
        var crowd = Crowd(1, topic: shared)
        func document(_ version: Version) -> LiveDocument {
            LiveDocument(revision: Revision(epoch: Epoch("k3"), version: version), bytes: Array("\(version)".utf8))
        }
        func deliver(_ requests: [ReadRequest], _ version: Version) -> Int {
            for request in requests { crowd.hub.finish(request, .document(document(version))) }
            return crowd.wake().count
        }
        for id in crowd.feeds.keys { _ = crowd.feeds[id]?.next(from: &crowd.hub) }
        #expect(deliver(crowd.hub.takeReads(), 1) == 1)
        _ = crowd.hub.revoke(.topics([shared]))
        // A reader who joins now gets nothing of what is at hand.
        crowd.join(shared)
        #expect(crowd.wake().isEmpty)
        let before = crowd.hub.takeReads()
        _ = crowd.hub.revoke(.topics([shared]))
        #expect(deliver(before, 2) == 0)
        #expect(deliver(crowd.hub.takeReads(), 3) == 2)
    }

    @Test func `a feed is not sent that shows what was withdrawn, from what is at hand neither`() {
        let feed = Topic.feed(AccountID("A"))
        var crowd = Crowd(1, topic: feed)
        func deliver(_ requests: [ReadRequest], _ version: Version) -> Int {
            let revision = Revision(epoch: Epoch("k3"), version: version)
            let document = LiveDocument(revision: revision, bytes: Array("\(version)".utf8))
            for request in requests { crowd.hub.finish(request, .document(document)) }
            return crowd.wake().count
        }
        for id in crowd.feeds.keys { _ = crowd.feeds[id]?.next(from: &crowd.hub) }
        #expect(deliver(crowd.hub.takeReads(), 1) == 1)
        // A consent ended: what is being read is dropped, too.
        _ = crowd.hub.revoke(.topics([feed]))
        let before = crowd.hub.takeReads()
        _ = crowd.hub.revoke(.topics([feed]))
        #expect(deliver(before, 2) == 0)
        #expect(deliver(crowd.hub.takeReads(), 3) == 1)
        // Something else of it may have changed: a reader who joins now waits for the next.
        crowd.hub.doubt(feed)
        crowd.join(feed)
        #expect(crowd.wake().isEmpty)
        #expect(deliver(crowd.hub.takeReads(), 4) == 2)
    }

    @Test func `documents that nobody asks for between two sweeps are let go`() {
        var crowd = Crowd(1, topic: topic)
        crowd.hub.publish(update(1))
        _ = crowd.wake()
        for _ in 0..<2 {
            let batch = crowd.hub.nextSweepBatch(at: Timestamp(microseconds: 1))
            #expect(batch.topics == [topic])
            _ = crowd.hub.finish(batch, TopicVersions(epoch: Epoch("k3"), versions: [1]))
        }
        crowd.join(topic)
        let last = crowd.feeds.keys.max()
        if let last { #expect(crowd.feeds[last]?.next(from: &crowd.hub) == nil) }
        #expect(crowd.hub.takeReads().map(\.kind) == [.document])
    }

    @Test func `a sweep goes through all topics in batches and is as fresh as its beginning`() {
        var limits = LiveLimits()
        limits.sweepBatch = 10
        var crowd = Crowd(0, limits: limits, topic: topic)
        for number in 0..<25 { crowd.join(.record(RecordID("\(number)"), .staff)) }
        var topics: [Topic] = []
        var now = Timestamp(microseconds: 1_000)
        var isOver = false
        while !isOver {
            #expect(crowd.hub.asOf == nil)
            let batch = crowd.hub.nextSweepBatch(at: now)
            topics += batch.topics
            now = now.adding(seconds: 1)
            isOver = crowd.hub.finish(batch, TopicVersions(epoch: Epoch("k3"), versions: batch.topics.map { _ in 1 }))
        }
        #expect(Set(topics).count == 25 && topics.count == 25)
        #expect(crowd.hub.asOf == Timestamp(microseconds: 1_000))
    }

    @Test func `a sweep that fails or answers nonsense vouches for nothing`() {
        var crowd = Crowd(1, topic: topic)
        for answer in [nil, TopicVersions(epoch: Epoch("k3"), versions: [])] {
            let batch = crowd.hub.nextSweepBatch(at: Timestamp(microseconds: 1))
            let isOver = crowd.hub.finish(batch, answer)
            #expect(isOver && crowd.hub.asOf == nil)
        }
    }

    @Test func `a store that says two things is not asked without end`() {
        var crowd = Crowd(1, topic: topic)
        let batch = crowd.hub.nextSweepBatch(at: Timestamp(microseconds: 1))
        _ = crowd.hub.finish(batch, TopicVersions(epoch: Epoch("k3"), versions: [9]))
        var reads = 0
        for _ in 0..<10 {
            _ = crowd.wake()
            for request in crowd.hub.takeReads() {
                reads += 1
                let old = LiveDocument(revision: Revision(epoch: Epoch("k3"), version: 3), bytes: [])
                crowd.hub.finish(request, .document(old))
            }
        }
        #expect(reads == 1)
    }

    @Test func `an update of another epoch is not believed but has the store asked`() {
        var crowd = Crowd(1, topic: topic)
        crowd.hub.publish(update(5))
        #expect(crowd.wake().count == 1)
        let late = Revision(epoch: Epoch("old"), version: 99)
        crowd.hub.publish(TopicUpdate(topic: topic, revision: late, change: .document { [] }))
        #expect(crowd.wake().isEmpty)
        let requests = crowd.hub.takeReads()
        #expect(requests.count == 1)
        let document = LiveDocument(revision: Revision(epoch: Epoch("m7"), version: 2), bytes: Array("{}".utf8))
        crowd.hub.finish(requests[0], .document(document))
        #expect(crowd.wake().count == 1)
        #expect(crowd.hub.epoch == Epoch("m7"))
    }
}
