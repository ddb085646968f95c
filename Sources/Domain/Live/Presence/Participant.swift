public import Shared

/// A person who follows a collection and may be shown to the others there.
public struct Participant: Sendable, Hashable {
    /// Who.
    public let account: AccountID
    /// What the others call this person.
    public let name: String
    /// Whether the person works in the collection: shown in a cell, and told where the others are. Those who only read are
    /// named to the others and learn nothing of them.
    public let isWorking: Bool

    /// A person, and whether the person works in the collection.
    public init(_ account: AccountID, name: String, isWorking: Bool) {
        self.account = account
        self.name = name
        self.isWorking = isWorking
    }
}

/// Where in a collection a person is.
struct PresencePlace: Sendable, Equatable {
    /// The identifier of the row.
    let row: String
    /// The identifier of the line.
    let line: String

    /// The most bytes of an identifier.
    static let longest = 64
}

/// What a connection last said of its person.
struct PresenceSeat: Sendable, Equatable {
    let participant: Participant
    /// `nil` for a person who is present without a cell.
    var place: PresencePlace?
    var isEditing: Bool
    /// When the connection last said anything: a seat ends 30 seconds later.
    var heardAt: Timestamp
    /// When it last said something else than before: of two windows of a person the one counts that moved last.
    var movedAt: Timestamp
}

/// The seats of a collection on one loop, as it tells the other loops of the node: all of them, each time.
public struct PresenceNews: Sendable {
    /// The collection.
    public let topic: Topic
    let seats: [PresenceSeat]
    /// Whether the sender has only begun to follow the collection and knows nothing of the others.
    let isGreeting: Bool
}
