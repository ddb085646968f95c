public import GradingKit
public import Shared

/// The place under which events are stored: each is stored once, for a person, an institution or a class.
public enum FeedStream: Sendable, Hashable {
    /// The events of a person.
    case account(AccountID)
    /// The events of an institution.
    case institution(InstitutionID)
    /// The events of all students in a class.
    case taughtClass(ClassID)
    /// The events of an institution's registrars.
    case registrars(InstitutionID)

    /// The stored text.
    public var text: String {
        switch self {
        case .account(let id): "a/\(id.text)"
        case .institution(let id): "i/\(id.text)"
        case .taughtClass(let id): "c/\(id.text)"
        case .registrars(let id): "r/\(id.text)"
        }
    }
}

/// A fact for feeds, as it is stored: types, identifiers, versions and a time; never a figure, a name or a text.
public struct FeedEvent: Sendable, Equatable {
    /// The number of characters of an identifier.
    public static let idLength = 16

    /// The identifier, derived from the change.
    public let id: String
    /// The person, institution or class whose event it is.
    public let stream: FeedStream
    /// The types.
    public let types: FeedTypes
    /// When the change was made.
    public let at: Timestamp
    /// The account that acted, where it is part of the fact: who follows, who asked for a correction or decided on it.
    public let actor: AccountID?
    /// The identifier of the object: a record, a program, an institution, a comment, a class, a correction or an
    /// announcement.
    public let object: String?
    /// The institution that the object belongs to; `nil` for none.
    public let institution: InstitutionID?
    /// The program that the object belongs to; `nil` for none.
    public let program: ProgramID?
    /// The version of the object that the change made; `nil` for none.
    public let version: Version?
    /// The place of a record's change in the log; `nil` for other events.
    public let change: Int?
    /// The place of the change before it, or before the first one that it stands for, that the student could see; `nil`
    /// if there is none.
    public let former: Int?
    /// Whether a job made the change.
    public let isJob: Bool
    /// The act of a class that entered, corrected or showed results; `nil` for other events.
    public let act: ClassAct?
    /// The number of changes that the event stands for, from 1: those of one record within a second, of the same types.
    /// Its identifier, time, version and place in the log are those of the last one.
    public let count: Int
    /// The places in the log of the changes that a new event stands for, in order; a stored one has its last one alone.
    public let places: [Int]

    /// Creates an event.
    public init(
        id: String, in stream: FeedStream, _ types: FeedTypes, at moment: Timestamp, actor: AccountID? = nil,
        object: String? = nil, institution: InstitutionID? = nil, program: ProgramID? = nil, version: Version? = nil,
        change: Int? = nil, former: Int? = nil, isJob: Bool = false, act: ClassAct? = nil, count: Int = 1,
        places: [Int]? = nil
    ) {
        self.id = id
        self.stream = stream
        self.types = types
        at = moment
        self.actor = actor
        self.object = object
        self.institution = institution
        self.program = program
        self.version = version
        self.change = change
        self.former = former
        self.isJob = isJob
        self.act = act
        self.count = count
        self.places = places ?? change.map { [$0] } ?? []
    }

    /// Returns the event of a class as the student of a record reads it: it joins the lines of the record.
    public func about(_ record: RecordID) -> FeedEvent {
        FeedEvent(
            id: id, in: stream, types, at: at, actor: actor, object: record.text, institution: institution,
            program: program, version: version, change: change, former: former, isJob: isJob, act: act, count: count)
    }

    /// The second of the clock in which all changes were made that the event stands for, in microseconds.
    public var moments: Range<Int64> {
        let second = FeedBurst.second(of: at) * FeedBurst.length
        return second..<(second + FeedBurst.length)
    }

    /// Returns the event without the changes up to a place.
    public func behind(_ place: Int) -> FeedEvent {
        let rest = places.filter { $0 > place }
        return FeedEvent(
            id: id, in: stream, types, at: at, actor: actor, object: object, institution: institution,
            program: program, version: version, change: change, former: place, isJob: isJob, act: act,
            count: min(count, rest.count), places: rest)
    }

    /// The place of the event in a feed.
    public var place: FeedPlace { FeedPlace(at: at, id: id) }

    /// Writes the event for the export of the person whose event it is.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", id)
            $0.member("types", .array(types.list.map { .string($0.rawValue) }))
            $0.member("at", at.description)
            $0.member("object", object)
            $0.member("actor", actor?.text)
            if count != 1 { $0.member("count", count) }
        }
    }
}

/// A place in a feed. Later events have greater places.
public struct FeedPlace: Sendable, Hashable, Comparable {
    /// The time of the event.
    public let at: Timestamp
    /// Its identifier, which orders events of the same time.
    public let id: String

    /// Creates a place.
    public init(at moment: Timestamp, id: String) {
        at = moment
        self.id = id
    }

    /// Compares places: the earlier one is smaller.
    public static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
}

/// What a reader's feed takes from one stream.
public struct FeedSource: Sendable, Hashable {
    /// The stream.
    public let stream: FeedStream
    /// Whether only changes of what the person shares are taken.
    public let isShown: Bool
    /// The moment from which events are taken; `nil` for all.
    public let since: Timestamp?
    /// The numbers, in the order in which events were stored, of those that are taken; `nil` for all.
    public let numbers: Range<Int>?

    /// Creates a source.
    public init(
        _ stream: FeedStream, isShown: Bool = false, since: Timestamp? = nil, numbers: Range<Int>? = nil
    ) {
        self.stream = stream
        self.isShown = isShown
        self.since = since
        self.numbers = numbers
    }
}

/// What the log says of one change of a record, for a feed to be filled in at the moment of reading.
public struct FeedChange: Sendable {
    /// The account that made the change; `nil` after it was deleted.
    public let author: AccountID?
    /// Its name.
    public let displayName: String?
    /// The record's figures after the change, as the student sees them, as JSON text; `nil` after they were erased.
    public let figures: [UInt8]?

    /// Creates a description of a change.
    public init(author: AccountID?, displayName: String?, figures: [UInt8]?) {
        self.author = author
        self.displayName = displayName
        self.figures = figures
    }
}
