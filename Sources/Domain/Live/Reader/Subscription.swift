import Shared

/// One topic of one reader: what the reader holds and what it is owed. Kept small, there are very many.
struct Subscription {
    /// Tested before every write.
    enum Access: Equatable {
        /// May be sent.
        case granted
        /// Nothing may be sent until the question of that number has been answered.
        case asking(UInt32)
    }

    /// A version that was sent, or that the client says it has.
    struct Held: Equatable {
        let version: Version
        /// The hub's number for the epoch.
        let epoch: UInt32

        init(epoch: UInt32, version: Version) {
            self.epoch = epoch
            self.version = version
        }
    }

    enum Due: Equatable {
        case nothing
        /// To be looked at when the reader can be written to; the lowest number first.
        case queued(UInt32)
        /// Waits for a read, whose end wakes the reader.
        case reading
    }

    /// Whether what the client says it has must first be compared with a fresh read: it may come from a loop or node
    /// that knows more than this one.
    enum Doubt: Equatable {
        case none
        case wantsRead
        /// Until so many reads of the topic have come back.
        case awaitsRead(UInt16)
    }

    /// A sequence of rows, some of whose parts have been sent.
    struct Sequence: Equatable {
        /// The hub's number for the epoch.
        let epoch: UInt32
        /// The next part.
        let cursor: RowsCursor
    }

    /// Boxed: few readers are within a sequence at any moment.
    indirect enum Progress {
        case none
        case within(Sequence)
    }

    // In an order that leaves no gaps in memory.
    var progress = Progress.none
    var held: Held?
    var wasGranted = false
    var doubt = Doubt.none
    let topicID: TopicID
    var access: Access
    /// Whether the client waits for an answer to its `sub`, even if it is up to date.
    var isOwed = true
    var due = Due.nothing

    init(_ topicID: TopicID, access: Access) {
        self.topicID = topicID
        self.access = access
    }

    /// Takes what the client says it has; a `sub` on a topic already subscribed starts over.
    mutating func begin(with have: Revision?, in hub: Hub) {
        isOwed = true
        doubt = .none
        held = nil
        progress = .none
        guard let have else { return }
        if have.epoch == hub.epoch {
            held = Held(epoch: hub.epochNumber, version: have.version)
        } else {
            doubt = .wantsRead
        }
    }
}
