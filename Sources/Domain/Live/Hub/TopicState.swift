import Shared

/// What one loop knows of one topic, and who on this loop reads it.
struct TopicState {
    /// The document of `version`, if it is at hand.
    enum Content {
        case absent
        /// An update brought it and no reader has asked for it yet.
        case uncomposed(@Sendable () -> [UInt8])
        case ready(Rendition)
        /// It was deleted.
        case gone
    }

    /// What is being asked of the store about the topic.
    enum Reading: Equatable {
        case idle
        /// In the hub's queue.
        case wanted(ReadRequest.Kind)
        /// Under way. `isStale` once something newer is known than a read of that age need have seen.
        case running(serial: UInt32, ReadRequest.Kind, isStale: Bool)
        /// The store did not answer; the next sweep asks again.
        case failed
    }

    /// Whether the readers are being told of a new version.
    enum Waking {
        case idle
        case running
        /// Once more after the pass under way, which may already be past some of them.
        case runningThenAgain
    }

    let topic: Topic
    /// The newest version known to exist in the hub's epoch; rises only.
    var version: Version?
    var content = Content.absent
    var readers = SubscriberList.none
    var reading = Reading.idle
    /// How many reads that prove a version have come back, wrapping.
    var readsDone: UInt16 = 0
    var waking = Waking.idle
    /// Whether the store has been asked since the first reader joined. An update alone proves nothing: it may be an old
    /// one that came late, and the newer one may be lost.
    var isProven = false
    /// Whether the document is to be read once more when the read under way has ended.
    var isDoubted = false
    /// Parts of sequences; only of a collection.
    var parts = RowParts()
    /// Whether the content was used since the last sweep; what was not is let go.
    var isWarm = false

    init(_ topic: Topic) { self.topic = topic }

    /// The question whose answer proves which version is the newest. The rows of a collection are read apart.
    var proof: ReadRequest.Kind { topic.isCollection ? .version : .document }

    var isGone: Bool {
        if case .gone = content { true } else { false }
    }

    var isContentAtHand: Bool {
        switch content {
        case .absent, .gone: false
        case .uncomposed, .ready: true
        }
    }

    /// Notes a version that a read under way may not have seen.
    mutating func overtakeRead() {
        if case .running(let serial, let kind, _) = reading {
            reading = .running(serial: serial, kind, isStale: true)
        }
    }
}

/// Names a topic in one hub, as long as it has readers.
public struct TopicID: Hashable, Sendable {
    let index: UInt32

    var place: Int { Int(truncatingIfNeeded: index) }
}

/// A question to the document source that is answered off the loop.
public struct ReadRequest: Sendable, Equatable {
    /// What is asked.
    public enum Kind: Sendable, Equatable {
        /// Only which version is the newest; asked in batches.
        case version
        /// The document.
        case document
        /// One part of what changed in a collection.
        case rows(RowsCursor)
    }

    /// The document.
    public let topic: Topic
    /// What is asked of it.
    public let kind: Kind
    let topicID: TopicID
    let serial: UInt32
    let epochNumber: UInt32
}
