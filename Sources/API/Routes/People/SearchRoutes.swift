import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import People
import Shared

/// Routes by which people find things, and what they work on.
struct SearchRoutes: RouteGroup {
    let search: Search
    let work: MyWork
    /// How often one account may search.
    let ofAccounts: RateLimiter<AccountID>
    /// How often the guests of one address may search.
    let ofGuests: RateLimiter<String>

    private static let text = Parameter<String>(
        .query, "q", "What to look for: words, or how they begin. All have to match.",
        as: .text(1...Search.longestText), isRequired: true
    ) { text in
        guard let text, (1...Search.longestText).contains(text.unicodeScalars.count) else {
            throw Problem.malformed("q must have 1 to \(Search.longestText) characters")
        }
        return text
    }
    private static let kind = Parameter<SearchKind?>.choice(
        "kind", of: SearchKind.self, "The only kind to look for; a page of it may be followed by another.")
    private static let limit = Parameter<Int>.integer(
        "limit", in: 1...50, default: Search.groupLimit, "How many results a kind has at most.")
    private static let workLimit = Parameter<Int>.integer(
        "limit", in: 1...MyWork.most, default: 50, "How many items the list has at most.")

    var routes: [Route] {
        [
            .open(
                .get, "/v1/search", "Find things and people, as far as I may see them", scope: .recordsRead,
                reads: [Self.text, Self.kind, Query.cursor, Self.limit], .searchGroups
            ) { call in
                try check(call)
                let request = Search.Request(
                    try call.read(Self.text), kind: try call.read(Self.kind),
                    after: try call.read(Query.cursor).map { try SearchCursor(text: $0) },
                    limit: try call.read(Self.limit))
                return Self.answer(try await search.find(request, call.context), call)
            },
            .signedIn(
                .get, "/v1/work", "What I work on, the last change first", scope: .recordsRead,
                reads: [Self.workLimit], .list(of: .workItem)
            ) { call in
                let items = try await work.items(limit: call.read(Self.workLimit), call.context)
                return .json { writer in
                    writer.object { writer in
                        writer.member("items") { writer in
                            writer.array { for item in items { Self.write(item, to: &$0) } }
                        }
                    }
                }
            },
        ]
    }

    private func check(_ call: Call) throws {
        guard call.client.isLimited else { return }
        let wait =
            if let account = call.principal.account { ofAccounts.wait(for: account, at: call.now) } else {
                ofGuests.wait(for: call.client.source, at: call.now)
            }
        if let wait { throw Problem.rateLimited(retryAfter: wait) }
    }

    private static func answer(_ groups: [Search.Group], _ call: Call) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("groups") { writer in
                    writer.array { writer in
                        for group in groups { write(group, of: call, to: &writer) }
                    }
                }
            }
        }
    }

    private static func write(_ group: Search.Group, of call: Call, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", group.kind.rawValue)
            writer.member("items") { writer in
                writer.array { writer in
                    for item in group.items {
                        writer.object {
                            $0.member("id", item.id)
                            $0.member("title", item.title)
                            for member in item.members { $0.member(member.name, member.value) }
                        }
                    }
                }
            }
            guard let next = group.next else { return }
            let cursor = Query.cursor(after: next.text)
            writer.member(
                "next",
                call.address(with: [
                    .init(name: "kind", value: group.kind.rawValue), .init(name: "cursor", value: cursor),
                ]))
        }
    }

    private static func write(_ item: MyWork.Item, to writer: inout JSONWriter) {
        let (kind, id) =
            switch item.subject {
            case .record(let id): ("record", id.text)
            case .program(let id): ("program", id.text)
            case .taughtClass(let id): ("class", id.text)
            }
        writer.object { writer in
            writer.member("kind", kind)
            writer.member("id", id)
            writer.member("title", item.title)
            writer.member("program", item.program.text)
            writer.member("institution", item.institution.text)
            writer.member("scheme", item.scheme)
            if let state = item.state { writer.member("state", state) }
            item.headline?.writeMembers(to: &writer)
            writer.member("changedAt", item.changedAt.description)
        }
    }
}

extension SearchCursor {
    /// The place as text.
    fileprivate var text: String {
        JSON.array([.number(String(term)), .string(place.term), .string(place.title), .string(place.id)]).text
    }

    /// Reads such a text.
    ///
    /// - Throws: `malformed` for another text.
    fileprivate init(text: String) throws {
        guard let parts = (try? JSON.parse(Array(text.utf8)))?.array, parts.count == 4,
            case .number(let number) = parts[0], let term = Int(number), let word = parts[1].string,
            let title = parts[2].string, let id = parts[3].string
        else { throw Problem.malformed("cursor must come from an earlier page's link") }
        self.init(term: term, place: SearchPlace(term: word, title: title, id: id))
    }
}

extension JSONSchema {
    private static let found = document(
        "SearchItem",
        [
            "id": .text, "title": .text, "institution?": .text, "institutionTitle?": .text, "program?": .text,
            "programTitle?": JSONSchema.text.nullable, "record?": .text, "recordTitle?": .text, "entry?": .text,
            "within?": .text, "classEntry?": .text,
            "slug?": .text, "scheme?": .text, "published?": .flag, "state?": .text,
            "login?": .text, "studentNumber?": JSONSchema.text.nullable, "person?": .object,
        ])
    static let searchGroups = JSONSchema.wrapped(
        "groups",
        .array(
            of: document(
                "SearchGroup",
                [
                    "kind": choice(of: SearchKind.self), "items": .array(of: found),
                    "next?": JSONSchema.text.described("The address of the next page; absent after the last."),
                ])))
    static let workItem = document(
        "WorkItem",
        [
            "kind": .choice(["record", "program", "class"]), "id": .text, "title": .text, "program": .text,
            "institution": .text, "scheme": JSONSchema.text.nullable,
            "state?": JSONSchema.text.described(
                "Of a program `draft`, `published` or `changed`; of a class `draft`, `open` or `closed`."),
            "figures?": JSONSchema.object.described("The first figure of a record."),
            "outcomes?": JSONSchema.object.described("The first outcome of a record."), "changedAt": .moment,
        ])
}
