import Accounts
public import GradingKit
import Institutions
public import People
import Records
import Shared

/// The search, for guests and for people who are signed in. Whatever the caller may not see leaves no trace in an answer.
public struct Search: Sendable {
    /// A search for words.
    public struct Request: Sendable {
        /// What was typed, 1…``longestText`` code points.
        public let text: String
        /// The only kind to look for; `nil` for all.
        public let kind: SearchKind?
        /// Where the page begins; only with a kind.
        public let after: SearchCursor?
        /// The greatest number of results of a kind.
        public let limit: Int

        /// Creates a search.
        public init(_ text: String, kind: SearchKind? = nil, after: SearchCursor? = nil, limit: Int = groupLimit) {
            self.text = text
            self.kind = kind
            self.after = after
            self.limit = limit
        }
    }

    /// A result.
    public struct Item: Sendable {
        /// Its identifier.
        public let id: String
        /// Its title.
        public let title: String
        /// What else is said of it, by its kind.
        public let members: JSONObject
    }

    /// The results of one kind.
    public struct Group: Sendable {
        /// The kind.
        public let kind: SearchKind
        /// The results, the best first.
        public let items: [Item]
        /// Where the next page begins; `nil` when there is none.
        public let next: SearchCursor?
    }

    /// The greatest length of what is typed, in code points.
    public static let longestText = 100
    /// The number of results of a kind in a search for all kinds.
    public static let groupLimit = 8
    /// The kinds that are searched in memory.
    private static let inMemory: Set<SearchKind> = [.record, .entry, .scheme, .regulation]
    /// How often results are read again in place of some that the caller may not see after all.
    private static let mostRounds = 3

    private let store: any SearchStore
    private let items: SearchItems
    private let records: RecordService
    private let own: OwnDocuments
    private let offered: [Language: [SearchKind: [SearchDocument]]]
    private let letsPeopleBeFound: Bool

    /// Creates the search.
    init(
        store: any SearchStore, records: RecordService, classes: ClassService, friends: Friends,
        schemes: SchemeRegistry, regulations: [LibraryDocument]
    ) {
        self.store = store
        self.records = records
        items = SearchItems(records: records, classes: classes, friends: friends)
        own = OwnDocuments(records, gradebook: classes.store, bookCache: classes.bookCache)
        letsPeopleBeFound = friends.isEnabled
        offered = Dictionary(
            uniqueKeysWithValues: Language.allCases.map { ($0, Self.offered(schemes, regulations, in: $0)) })
    }

    private static func offered(
        _ schemes: SchemeRegistry, _ regulations: [LibraryDocument], in language: Language
    ) -> [SearchKind: [SearchDocument]] {
        func document(_ id: String, _ title: LocalizedText) -> SearchDocument {
            SearchDocument(id: id, title: title(language), texts: [id] + Language.allCases.map { title($0) })
        }
        return [
            .scheme: schemes.schemes.map { document($0.identifier.text, $0.title) },
            .regulation: regulations.map { document($0.name, $0.title) },
        ]
    }

    /// Returns what the caller finds, by kind; a kind without results is left out.
    ///
    /// - Throws: `malformed` for a text of the wrong length, and for a cursor of another search.
    public func find(_ request: Request, _ context: RequestContext) async throws -> [Group] {
        guard !request.text.isEmpty, request.text.unicodeScalars.count <= Self.longestText else {
            throw UseCaseError.malformed("q has 1 to \(Self.longestText) characters")
        }
        let terms = SearchText.asked(request.text)
        if let after = request.after {
            guard request.kind != nil, terms.indices.contains(after.term),
                terms[after.term].matches(after.place.term)
            else { throw UseCaseError.malformed("cursor must come from a page of the same search") }
        }
        guard !terms.isEmpty else { return [] }
        let requester = try await records.access.requester(context.principal)
        let kinds = kinds(for: requester).filter { request.kind == nil || $0 == request.kind }
        var groups = try await indexed(kinds, terms, request, requester, context)
        for kind in kinds where Self.inMemory.contains(kind) {
            groups[kind] = try await inMemory(kind, terms, request, requester, context)
        }
        return kinds.compactMap { groups[$0] }.filter { !$0.items.isEmpty || $0.next != nil }
    }

    /// The kinds of things that a caller may find, in the order of the groups.
    private func kinds(for requester: Requester) -> [SearchKind] {
        SearchKind.allCases.filter { kind in
            switch kind {
            case .program, .institution, .scheme, .regulation: true
            case .record, .entry, .taughtClass, .student: requester.account != nil && requester.home == nil
            case .person: requester.account != nil && requester.home == nil && letsPeopleBeFound
            }
        }
    }

    // MARK: The index

    private func indexed(
        _ kinds: [SearchKind], _ terms: [SearchTerm], _ request: Request, _ requester: Requester,
        _ context: RequestContext
    ) async throws -> [SearchKind: Group] {
        let audiences = requester.audiences(people: letsPeopleBeFound)
        // One more than is shown tells whether there is another page.
        let questions = kinds.filter { !Self.inMemory.contains($0) }.map { kind in
            SearchQuestion(
                kind, for: terms, in: audiences, viewer: requester.account, after: request.after,
                limit: request.limit + 1)
        }
        var groups: [SearchKind: Group] = [:]
        for (question, hits) in zip(questions, try await store.search(questions)) {
            groups[question.kind] = try await group(question, hits, request.limit, context)
        }
        return groups
    }

    /// Makes a page of hits. In the place of those that the caller may not see after all, others are read.
    private func group(
        _ question: SearchQuestion, _ first: SearchHits, _ limit: Int, _ context: RequestContext
    ) async throws -> Group {
        var (found, hits, last, rounds) = ([Item](), first, SearchCursor?.none, 0)
        while true {
            for hit in hits.hits {
                guard let item = try await items.item(question.kind, hit, context) else { continue }
                if found.count == limit { return Group(kind: question.kind, items: found, next: last) }
                found.append(item)
                last = hit.cursor
            }
            guard let next = hits.next else { return Group(kind: question.kind, items: found, next: nil) }
            rounds += 1
            guard hits.hits.count == question.limit, rounds < Self.mostRounds else {
                return Group(kind: question.kind, items: found, next: next)
            }
            let more = SearchQuestion(
                question.kind, for: question.terms, in: question.audiences, viewer: question.viewer, after: next,
                limit: question.limit)
            hits = try await store.search([more]).first ?? SearchHits(hits: [], next: nil)
        }
    }

    // MARK: In memory

    private func inMemory(
        _ kind: SearchKind, _ terms: [SearchTerm], _ request: Request, _ requester: Requester,
        _ context: RequestContext
    ) async throws -> Group {
        let documents: [SearchDocument]
        switch (kind, requester.account) {
        case (.record, let account?): documents = try await own.contents(of: account).map(\.record)
        case (.entry, let account?): documents = try await own.contents(of: account).flatMap(\.entries)
        default: documents = offered[context.language]?[kind] ?? []
        }
        let found = SearchDocument.matches(documents, terms, after: request.after, limit: request.limit + 1)
        let shown = found.prefix(request.limit)
        return Group(
            kind: kind,
            items: shown.map { Item(id: $0.document.id, title: $0.document.title, members: $0.document.members) },
            next: found.count > request.limit ? shown.last?.cursor : nil)
    }
}
