import Accounts
import Classes
public import Gradebook
import GradingKit
import Institutions
public import People
public import Records
public import Shared

/// The export of everything held about one person as one JSON document: account, memberships, people, audit trail, and
/// comments on results, and every record with its history.
public struct AccountExport: Sendable {
    fileprivate let accounts: AccountServices
    fileprivate let institutions: InstitutionServices
    fileprivate let records: any RecordStore
    fileprivate let people: any PeopleStore
    fileprivate let classes: any GradebookStore
    private let rulesCache: RecordRulesCache
    private let bookCache: ClassBookCache

    /// Creates an export that reads from these services and stores.
    public init(
        accounts: AccountServices, institutions: InstitutionServices, records: any RecordStore,
        people: any PeopleStore, classes: any GradebookStore, rulesCache: RecordRulesCache, bookCache: ClassBookCache
    ) {
        self.accounts = accounts
        self.institutions = institutions
        self.records = records
        self.people = people
        self.classes = classes
        self.rulesCache = rulesCache
        self.bookCache = bookCache
    }

    /// Returns the document of an account, to be read in pieces: it may be a hundred times larger than one request may
    /// build.
    ///
    /// - Throws: `StoreError.notFound` for an account that does not exist.
    public func pieces(of account: AccountID) async throws -> Pieces {
        Pieces(of: account, from: self, beginning: try await beginning(of: account))
    }

    /// Writes the beginning of the document: the account, its memberships, its lists of people and its shared records.
    private func beginning(of account: AccountID) async throws -> [UInt8] {
        let memberships = try await institutions.members.memberships(of: account)
        let shared = try await people.shared(by: account)
        var writer = JSONWriter(capacity: 16_384)
        try await writer.object { writer async throws in
            try await accounts.profiles.writeExport(of: account, to: &writer)
            writer.member("memberships") { writer in
                writer.array { for membership in memberships { membership.write(to: &$0) } }
            }
            for list in PeopleList.allCases {
                writer.name(list.rawValue)
                writer.raw(try await people(in: list, of: account))
            }
            writer.member("sharing") { writer in
                writer.array { for record in shared { record.write(to: &$0) } }
            }
            let choices = try await people.noticeChoices(of: account)
            writer.member("notices") { choices.write(to: &$0) }
            writer.member("feedSeen", try await people.feedSeen(by: account)?.description)
        }
        return writer.bytes
    }

    /// Returns the rules that judge a record; `nil` if its scheme is no longer installed.
    fileprivate func rules(of head: RecordHead) async throws -> RecordRules? {
        guard let program = try await institutions.programs.find(head.program) else { return nil }
        do {
            return try await rulesCache.rules(of: program, version: head.programVersion)
        } catch is UseCaseError {
            return nil
        }
    }

    /// Returns the record with the lines of its classes, as its student sees them, as JSON text; `nil` if it has no
    /// class, is too long, or cannot be read under its rules.
    fileprivate func assembled(_ id: RecordID) async throws -> [UInt8]? {
        guard let linked = try await classes.linked(id), !linked.rows.isEmpty,
            let rules = try await rules(of: linked.snapshot.head)
        else { return nil }
        let assembled = try? AssembledRecord(linked, view: .released, under: rules) { taught in
            try? bookCache.book(taught.structure, of: taught.head.id, under: rules)
        }
        let head = linked.snapshot.head
        return assembled?.tree.stored(as: head.id.text, of: head.program.text).text
    }

    /// Returns one of the account's lists of people, ordered by account.
    private func people(in list: PeopleList, of account: AccountID) async throws -> [UInt8] {
        var (found, hasMore) = ([ListedPerson](), true)
        while hasMore {
            let page = try await people.people(
                in: list, of: account, after: found.last?.account, limit: Self.peopleAtOnce)
            found += page
            hasMore = page.count == Self.peopleAtOnce
        }
        var writer = JSONWriter()
        writer.array { for person in found { person.write(to: &$0) } }
        return writer.bytes
    }

    private static let peopleAtOnce = 500
}

extension AccountExport {
    /// The document in pieces, each read from the store on demand.
    public actor Pieces {
        /// The content of the next piece.
        private enum Place {
            case beginning([UInt8])
            case feed(before: FeedPlace?)
            case audit(before: Int?)
            case comments(received: Bool, before: CommentPlace?)
            case record(after: RecordID?)
            case history(of: RecordHead, before: Version?)
            case end
        }

        /// Where a list of comments goes on, and whether anything of it is written already.
        private struct CommentPlace {
            let place: Int
            let hasWritten: Bool
        }

        /// Lines of a trail or a history in one piece.
        private static let pageSize = 50
        private let account: AccountID
        private let source: AccountExport
        private var place: Place

        fileprivate init(of account: AccountID, from source: AccountExport, beginning: [UInt8]) {
            self.account = account
            self.source = source
            place = .beginning(beginning)
        }

        /// Returns the next piece; empty at the end.
        public func next() async throws -> [UInt8] {
            switch place {
            case .beginning(let object):
                place = .feed(before: nil)
                return object.continued(with: "feed")
            case .feed(let last): return try await feed(before: last)
            case .audit(let number): return try await audit(before: number)
            case .comments(let areReceived, let number): return try await comments(areReceived, before: number)
            case .record(let last): return try await record(after: last)
            case .history(let record, let version): return try await history(of: record, before: version)
            case .end: return []
            }
        }

        private func feed(before last: FeedPlace?) async throws -> [UInt8] {
            let page = try await source.people.feedEvents(
                from: [FeedSource(.account(account))], before: last, limit: Self.pageSize)
            var piece = Self.list(page, isFirst: last == nil) { $0.write(to: &$1) }
            if page.count == Self.pageSize, let last = page.last {
                place = .feed(before: last.place)
            } else {
                piece += Array(#"],"audit":["#.utf8)
                place = .audit(before: nil)
            }
            return piece
        }

        private func audit(before number: Int?) async throws -> [UInt8] {
            let page = try await source.accounts.profiles.audit(about: account, before: number, limit: Self.pageSize)
            var piece = Self.list(page, isFirst: number == nil) { $0.write(to: &$1, for: account) }
            if page.count == Self.pageSize, let last = page.last {
                place = .audit(before: last.number)
            } else {
                piece += Array(#"],"comments":{"received":["#.utf8)
                place = .comments(received: true, before: nil)
            }
            return piece
        }

        /// Comments on the person's results, as far as the person reads them, and those that the person wrote.
        private func comments(_ areReceived: Bool, before number: CommentPlace?) async throws -> [UInt8] {
            let list: CommentList = areReceived ? .about(account) : .written(by: account)
            let page = try await source.classes.comments(list, before: number?.place, limit: Self.pageSize)
            var views: [CommentView] = []
            for found in page {
                if areReceived, try await source.classes.shownComment(found.comment.id, to: account) == nil { continue }
                views.append(CommentView(number: found.number, comment: found.comment, line: nil, name: nil))
            }
            let isFirst = number?.hasWritten != true
            var piece = Self.list(views, isFirst: isFirst) { $0.write(to: &$1) }
            if page.count == Self.pageSize, let last = page.last {
                let hasWritten = !isFirst || !views.isEmpty
                place = .comments(
                    received: areReceived, before: CommentPlace(place: last.number, hasWritten: hasWritten))
            } else if areReceived {
                piece += Array(#"],"written":["#.utf8)
                place = .comments(received: false, before: nil)
            } else {
                piece += Array(#"]},"records":["#.utf8)
                place = .record(after: nil)
            }
            return piece
        }

        private func record(after last: RecordID?) async throws -> [UInt8] {
            let found = try await source.records.records(student: account, program: nil, after: last, limit: 1)
            guard let snapshot = found.first else {
                place = .end
                return Array("]}".utf8)
            }
            place = .history(of: snapshot.head, before: nil)
            let assembled = try await source.assembled(snapshot.head.id)
            var writer = JSONWriter()
            writer.object { writer in
                writer.name("document")
                writer.raw(snapshot.content(.released).document(version: snapshot.releasedVersion))
                if let assembled {
                    writer.name("assembled")
                    writer.raw(assembled)
                }
                writer.member("createdAt", snapshot.head.createdAt.description)
            }
            return (last == nil ? [] : [UInt8(ascii: ",")]) + writer.bytes.continued(with: "history")
        }

        private func history(of head: RecordHead, before version: Version?) async throws -> [UInt8] {
            let page = try await source.records.history(
                of: head.id, view: .released, before: version, limit: Self.pageSize)
            let titles = LineTitles(shape: try await source.rules(of: head)?.rules.shape, language: .english)
            let items = try await source.classes.detailed(page, of: head.id, view: .released, titles: titles)
            var piece = Self.list(items, isFirst: version == nil) { $0.write(to: &$1) }
            // Version 1 creates the record, so the history ends there.
            if let last = items.last?.item, last.version > 1 {
                place = .history(of: head, before: last.version)
            } else {
                piece += Array("]}".utf8)
                place = .record(after: head.id)
            }
            return piece
        }

        /// Writes items of a list that an earlier piece may have begun.
        private static func list<Item>(
            _ items: [Item], isFirst: Bool, _ write: (Item, inout JSONWriter) -> Void
        ) -> [UInt8] {
            var writer = JSONWriter()
            writer.array { for item in items { write(item, &$0) } }
            let items = writer.bytes.dropFirst().dropLast()
            return (isFirst || items.isEmpty ? [] : [UInt8(ascii: ",")]) + items
        }
    }
}

extension [UInt8] {
    /// Returns a JSON object with one more member at its end: an open list that later pieces fill.
    fileprivate func continued(with list: String) -> [UInt8] { dropLast() + Array(",\"\(list)\":[".utf8) }
}
