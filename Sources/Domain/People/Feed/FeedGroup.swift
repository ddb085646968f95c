import Cryptography
import Shared

/// Events that are one line of a feed: of the same record, or of records that the same job changed in a program, within
/// the same ten minutes of the clock. So a line keeps its identifier however many events join it.
public struct FeedGroup: Sendable {
    /// The length of a span in microseconds.
    private static let length: Int64 = 600_000_000

    /// The identifier of the line.
    public let id: String
    /// The types that the reader wants of the events.
    public private(set) var types: FeedTypes
    /// The events, the latest first.
    public private(set) var events: [FeedEvent]
    /// The latest event.
    public let latest: FeedEvent
    /// The number of changes. An act of a class makes two events of one moment: one for results, and one for the figures
    /// that they move.
    public var count: Int {
        guard !types.isDisjoint(with: .own) else { return events.reduce(0) { $0 + $1.count } }
        return events.reduce(into: [Timestamp: Int]()) { $0[$1.at] = max($0[$1.at] ?? 0, $1.count) }.values.reduce(0, +)
    }

    /// Creates a group of one event.
    public init(_ event: FeedEvent, _ types: FeedTypes) {
        id = Self.id(of: event, types)
        self.types = types
        events = [event]
        latest = event
    }

    /// Adds an earlier event.
    public mutating func add(_ event: FeedEvent, _ types: FeedTypes) {
        events.append(event)
        self.types.formUnion(types)
    }

    /// Returns the number of the ten minutes that a place is in.
    static func span(of place: FeedPlace) -> Int64 { place.at.microseconds / length }

    /// Returns the identifier of the group that an event belongs to.
    public static func id(of event: FeedEvent, _ types: FeedTypes) -> String {
        let span = span(of: event.place)
        if types.isDisjoint(with: .own.union(FeedType.friendHeadline.alone)) { return event.id }
        let isShown = types.contains(FeedType.friendHeadline.alone)
        let object =
            isShown && event.isJob ? "job/\(event.program?.text ?? "")" : "\(isShown)/\(event.object ?? event.id)"
        return Base64.url.encode(Array(SHA256.hash(Array("\(object)/\(span)".utf8)).prefix(12)))
    }
}

/// The place at which a page of a feed begins.
public struct FeedCursor: Sendable, Equatable {
    /// The maximum number of lines that a cursor names. A client that has more of them in the same ten minutes may be
    /// told a line twice, and knows it by its identifier.
    private static let mostOpen = 800
    /// The number of characters of a short name: 36 bits of a digest.
    private static let nameLength = 6

    /// The place of the last event of the pages before.
    public let place: FeedPlace
    /// The short names of the lines of the pages before to which events behind the place may belong.
    public let open: Set<String>

    /// Returns the short name of a line.
    static func name(of id: String) -> String { String(id.prefix(nameLength)) }

    /// Creates a cursor.
    public init(after place: FeedPlace, open: Set<String> = []) {
        self.place = place
        self.open = open
    }

    /// Reads a cursor; `nil` for a text that is none.
    public init?(text: String) {
        guard text.utf8.count <= 8_192, let bytes = Base64.url.decode(text),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        let place = (parts.first ?? "").split(separator: ".", maxSplits: 1)
        guard parts.count == 2, place.count == 2, let moment = Int64(place[0]), moment >= 0,
            place[1].utf8.count <= 64
        else { return nil }
        self.place = FeedPlace(at: Timestamp(microseconds: moment), id: String(place[1]))
        open = Set(parts[1].split(separator: ",").prefix(Self.mostOpen).map { Self.name(of: String($0)) })
    }

    /// The text form, which is opaque to clients.
    public var text: String {
        let names = open.sorted().prefix(Self.mostOpen).joined(separator: ",")
        return Base64.url.encode(Array("\(place.at.microseconds).\(place.id)~\(names)".utf8))
    }
}
