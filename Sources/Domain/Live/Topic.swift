public import Shared

/// Names one live document, or a collection of rows: what a client subscribes to.
///
/// The text form is `kind/id`, for the staff's view of a record `kind/id/staff`. The topic is the id: one encoded
/// frame serves every subscriber who may read the same document.
public enum Topic: Hashable, Sendable {
    /// Which of a record's two views: what the student sees, or everything.
    public enum View: Sendable {
        case released
        case staff
    }

    /// A record's standing.
    case standing(RecordID, View)
    /// A record's tree with its standing.
    case record(RecordID, View)
    /// A published program.
    case program(ProgramID)
    /// A program's counts and distribution, for its staff.
    case cohort(ProgramID)
    /// The list of an account's records.
    case records(AccountID)
    /// What a student shares of a record.
    case shared(RecordID)
    /// The newest lines of an account's feed.
    case feed(AccountID)
    /// A class as its staff see it, without its rows.
    case taughtClass(ClassID)
    /// A student's own row of a class, as it is released.
    case row(EnrolmentID)
    /// The rows of a class, or of one of its groups: a collection. Indirect, so that no other topic takes more memory.
    indirect case grid(ClassID, GroupID? = nil)
}

/// Why a text names no topic.
public enum TopicFault: Error, Equatable, Sendable {
    /// Not 1 to 128 bytes of `[A-Za-z0-9._/-]`; answered with `bad_request`.
    case malformed
    /// Well-formed, but no topic that exists; answered like one that may not be read, with `forbidden`.
    case unknown
}

extension Topic {
    /// The most bytes a topic is written with.
    public static let longest = 128

    /// Reads a topic's text.
    ///
    /// - Throws: `malformed` for a text that breaks the grammar, `unknown` for one that only names nothing.
    public init(text: String) throws(TopicFault) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Self.allows) else { throw .malformed }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let topic = Self.read(parts) else { throw .unknown }
        self = topic
    }

    static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "/"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func read(_ parts: [Substring]) -> Topic? {
        guard parts.count == 2 || parts.count == 3, !parts[1].isEmpty else { return nil }
        let id = String(parts[1])
        if parts.count == 3 {
            if parts[0] == "grid", !parts[2].isEmpty { return .grid(ClassID(id), GroupID(String(parts[2]))) }
            guard parts[2] == "staff" else { return nil }
            return switch parts[0] {
            case "standing": .standing(RecordID(id), .staff)
            case "record": .record(RecordID(id), .staff)
            default: nil
            }
        }
        return switch parts[0] {
        case "standing": .standing(RecordID(id), .released)
        case "record": .record(RecordID(id), .released)
        case "program": .program(ProgramID(id))
        case "cohort": .cohort(ProgramID(id))
        case "records": .records(AccountID(id))
        case "shared": .shared(RecordID(id))
        case "feed": .feed(AccountID(id))
        case "class": .taughtClass(ClassID(id))
        case "row": .row(EnrolmentID(id))
        case "grid": .grid(ClassID(id), nil)
        default: nil
        }
    }
}

extension Topic: CustomStringConvertible {
    /// The topic as it stands in messages.
    public var description: String {
        switch self {
        case .standing(let record, let view): "standing/\(record.text)\(view.suffix)"
        case .record(let record, let view): "record/\(record.text)\(view.suffix)"
        case .program(let program): "program/\(program.text)"
        case .cohort(let program): "cohort/\(program.text)"
        case .records(let account): "records/\(account.text)"
        case .shared(let record): "shared/\(record.text)"
        case .feed(let account): "feed/\(account.text)"
        case .taughtClass(let id): "class/\(id.text)"
        case .row(let enrolment): "row/\(enrolment.text)"
        case .grid(let id, let group): "grid/\(id.text)" + (group.map { "/\($0.text)" } ?? "")
        }
    }
}

extension Topic {
    /// Whether it is a collection: many rows under one version, in place of one document.
    var isCollection: Bool { if case .grid = self { true } else { false } }

    /// Whether it is what a student shares of a record.
    var isShared: Bool { if case .shared = self { true } else { false } }

    /// Whether it is a person's feed.
    var isFeed: Bool { if case .feed = self { true } else { false } }
}

extension Topic.View {
    fileprivate var suffix: String {
        switch self {
        case .released: ""
        case .staff: "/staff"
        }
    }
}
