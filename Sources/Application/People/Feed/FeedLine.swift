public import Accounts
public import Classes
public import GradingKit
public import Institutions
public import People
public import Shared

/// A line of a person's feed, filled in from what the reader may read at the moment.
public struct FeedLine: Sendable {
    /// A record.
    public struct Record: Sendable, Equatable {
        /// The record.
        public let id: RecordID
        /// The scheme of its program.
        public let scheme: String?
    }

    /// A program.
    public struct Place: Sendable, Equatable {
        /// The identifier.
        public let id: String
        /// The title.
        public let title: String
    }

    /// A figure with its text before and after.
    public struct Figure: Sendable, Equatable {
        /// The name.
        public let name: String
        /// The text before; `nil` if it is not known.
        public let from: String?
        /// The text after.
        public let to: String
    }

    /// A student's results in a class.
    public struct Result: Sendable, Equatable {
        /// The title of the class.
        public let title: String
        /// The entry of the record that stands for the row of the class.
        public let entry: EntryID
    }

    /// A correction of results in a closed class.
    public struct Correction: Sendable, Equatable {
        /// The correction.
        public let id: CorrectionID
        /// How far it is.
        public let state: Classes.Correction.State
        /// Why it was asked for.
        public let reason: String
    }

    /// The member of staff who entered a grade, wrote a comment, asked for a correction or decided on it.
    public struct Author: Sendable, Equatable {
        /// The account.
        public let id: AccountID
        /// The name.
        public let displayName: String
    }

    /// The identifier, which a line keeps while events join it.
    public let id: String
    /// The types of its events, the most important first; never empty.
    public internal(set) var types: [FeedType]
    /// The time of the latest event.
    public let at: Timestamp
    /// The number of changes.
    public let count: Int
    /// The record; `nil` for other lines.
    public internal(set) var record: Record?
    /// The program; `nil` if there is none.
    public internal(set) var program: Place?
    /// The institution; `nil` if there is none.
    public internal(set) var institution: Place?
    /// The other person: whom one follows, or who follows; `nil` if there is none.
    public internal(set) var person: Account?
    /// The number of further people.
    public internal(set) var others = 0
    /// How far the other person follows.
    public internal(set) var state: FollowState?
    /// The role that one has in the institution.
    public internal(set) var role: MemberRole?
    /// The results on which a comment stands, in a class that was opened again, or in the class that changed them.
    public internal(set) var result: Result?
    /// The results that changed, at most ``ResultNews/most``.
    public internal(set) var results: [ChangedResult] = []
    /// The number of further results that changed.
    public internal(set) var moreResults = 0
    /// The class that one teaches, or of a correction.
    public internal(set) var taught: Place?
    /// The correction.
    public internal(set) var correction: Correction?
    /// The announcement.
    public internal(set) var announcement: Announcement?
    /// The figures that changed, in the scheme's order.
    public internal(set) var figures: [Figure] = []
    /// The names of the outcomes that the record has reached.
    public internal(set) var outcomes: [String] = []
    /// Who entered the latest grade, wrote the comment, asked for the correction or decided on it, if it was another person.
    public internal(set) var author: Author?

    init(_ group: FeedGroup) {
        id = group.id
        types = group.types.list
        at = group.latest.at
        count = group.count
    }

    /// Writes the line as an object.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("type", types.first?.rawValue)
            writer.member("types", .array(types.map { .string($0.rawValue) }))
            writer.member("at", at.description)
            writer.member("count", count)
            if let record { writer.member("record", ["id": .string(record.id.text), "scheme": .text(record.scheme)]) }
            if let program { writer.member("program", program.json) }
            if let institution { writer.member("institution", institution.json) }
            if let person { writer.member("person") { person.writeCard(to: &$0) } }
            if others > 0 { writer.member("others", others) }
            if let state { writer.member("state", state.rawValue) }
            if let role { writer.member("role", role.rawValue) }
            if let result {
                writer.member("result", ["class": .string(result.title), "entry": .string(result.entry.text)])
            }
            if !results.isEmpty {
                writer.member("results") { writer in
                    writer.array { writer in for result in results { result.write(to: &writer) } }
                }
            }
            if moreResults > 0 { writer.member("moreResults", moreResults) }
            if let taught { writer.member("class", taught.json) }
            if let correction {
                writer.member("correction") {
                    $0.object {
                        $0.member("id", correction.id.text)
                        $0.member("state", correction.state.rawValue)
                        $0.member("reason", correction.reason)
                    }
                }
            }
            if let announcement {
                writer.member(
                    "announcement", ["id": .string(announcement.id), "text": .string(announcement.text)])
            }
            if !figures.isEmpty { writer.member("figures", .array(figures.map(\.json))) }
            if !outcomes.isEmpty { writer.member("outcomes", .array(outcomes.map { .string($0) })) }
            if let author {
                writer.member("by", ["id": .string(author.id.text), "displayName": .string(author.displayName)])
            }
        }
    }
}

extension FeedLine.Place {
    init(_ institution: Institution) { self.init(id: institution.id.text, title: institution.title) }

    init(_ program: Program) { self.init(id: program.id.text, title: program.title) }

    fileprivate var json: JSON { ["id": .string(id), "title": .string(title)] }
}

extension FeedLine.Figure {
    fileprivate var json: JSON { ["name": .string(name), "from": .text(from), "to": .string(to)] }
}
