import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import People
import Shared

/// Routes by which people follow each other and see each other's homepages.
struct FriendRoutes: RouteGroup {
    let friends: Friends
    let homepages: Homepages
    let links: PublicLinks
    let writes: WriteRate

    var routes: [Route] { following + followers + lists + pages }

    private static let follow = RequestForm("Follow", example: [:]) { $0.text("link", as: .text(43...43)) }

    private var following: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/{account}/following", "How I stand to a person", scope: .session,
                .wrapped("relation", .relation)
            ) { call in
                let relation = try await friends.relation(to: call.account, call.context)
                return .json { $0.object { $0.member("relation") { relation.write(to: &$0) } } }
            },
            .signedIn(
                .put, "/v1/accounts/{account}/following", "Follow a person, or ask to; by a link if need be",
                scope: .session, takes: .json(Self.follow, isRequired: false), answers: 201, .followState
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let link = try await Self.follow.read(call.json())
                let state = try await friends.follow(call.account, link: link, call.context)
                return .json(.created) { $0.object { $0.member("state", state.rawValue) } }
            },
            .signedIn(
                .delete, "/v1/accounts/{account}/following", "Follow a person no more, or take a request back",
                scope: .session, answers: 204
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await friends.unfollow(call.account, call.context)
                return Response(.noContent)
            },
        ]
    }

    private var followers: [Route] {
        [
            .signedIn(
                .put, "/v1/accounts/me/followers/{account}", "Accept a person who has asked to follow me",
                scope: .session, answers: 204
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await friends.accept(call.account, call.context)
                return Response(.noContent)
            },
            .signedIn(
                .delete, "/v1/accounts/me/followers/{account}", "Have a person follow me no more", scope: .session,
                answers: 204
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await friends.remove(call.account, call.context)
                return Response(.noContent)
            },
            .signedIn(
                .put, "/v1/accounts/me/blocks/{account}", "Block a person", scope: .session, answers: 204
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await friends.block(call.account, call.context)
                return Response(.noContent)
            },
            .signedIn(
                .delete, "/v1/accounts/me/blocks/{account}", "Block a person no more", scope: .session, answers: 204
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await friends.unblock(call.account, call.context)
                return Response(.noContent)
            },
            .signedIn(
                .post, "/v1/accounts/me/link",
                "A new link by which I can be followed, in the place of the one before", scope: .session,
                answers: 201, .wrapped("link", .followLink)
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let token = try await friends.renewLink(call.context)
                let text = "\(call.caller).\(token.text)"
                let url = links.url(of: "/people/link#\(text)")
                return .json(.created) {
                    $0.object {
                        $0.member("link") {
                            $0.object {
                                $0.member("token", token.text)
                                if let url { $0.member("url", url) }
                            }
                        }
                    }
                }
            },
        ]
    }

    private var lists: [Route] {
        PeopleList.allCases.map { list in
            .signedIn(
                .get, "/v1/accounts/me/\(list.rawValue)", Self.summary(of: list), scope: .session, reads: .page,
                .list(of: .listedPerson)
            ) { call in
                let limit = try call.read(Query.limit)
                let items = try await friends.page(
                    of: list, after: call.read(Query.cursor).map { AccountID($0) }, limit: limit + 1, call.context)
                return .list(items, limit: limit, of: call, cursor: \.account.id.text) { item, writer in
                    writer.object {
                        if item.isSeen {
                            $0.member("person") { item.account.writeCard(to: &$0) }
                        } else {
                            $0.member("person", ["id": .string(item.account.id.text)])
                        }
                        $0.member("state", item.state.rawValue)
                        $0.member("since", item.since.description)
                    }
                }
            }
        }
    }

    private static func summary(of list: PeopleList) -> String {
        switch list {
        case .following: "Whom I follow, or have asked to follow"
        case .followers: "Who follow me"
        case .requests: "Who have asked to follow me"
        case .friends: "Whom I follow and who follow me"
        case .blocks: "Whom I block"
        }
    }

    private static let viewer = Parameter.choice("as", of: Homepages.Viewer.self, "As whom to look.")

    private var pages: [Route] {
        [
            .signedIn(
                .get, "/v1/people/{account}", "A person's homepage, as far as I may see it", scope: .session,
                .homepage
            ) { call in
                Self.answer(try await homepages.page(of: call.account, call.context))
            },
            .signedIn(
                .get, "/v1/accounts/me/preview", "My homepage as others see it", scope: .session,
                reads: [Self.viewer], .homepage
            ) { call in
                Self.answer(try await homepages.preview(as: call.read(Self.viewer) ?? .everyone, call.context))
            },
        ]
    }

    private static func answer(_ page: Homepages.Homepage) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("person") { page.account.writeCard(to: &$0) }
                writer.member("relation") { writer in
                    if let relation = page.relation { relation.write(to: &writer) } else { writer.null() }
                }
                writer.member("counts") { page.counts.write(to: &$0) }
                writer.member("records") { writer in
                    writer.array {
                        for record in page.records {
                            $0.object {
                                $0.member("id", record.id.text)
                                $0.member("what", record.what.rawValue)
                                $0.member("title", record.title)
                                $0.member("scheme", record.scheme)
                            }
                        }
                    }
                }
                guard let friends = page.friends else { return }
                writer.member("friends") { writer in
                    writer.array { for friend in friends { friend.writeCard(to: &$0) } }
                }
            }
        }
    }
}

extension SignedInCall {
    /// The account that the path names.
    fileprivate var account: AccountID { AccountID(self["account"]) }
}

extension JSONSchema {
    private static let state = choice(of: FollowState.self)
    static let personCard = document(
        "PersonCard",
        [
            "id": .text, "displayName": .text, "description": .text, "avatarHue": .number, "avatar": .text.nullable,
        ])
    static let relation = document(
        "Relation",
        [
            "following": state.described("How far I follow the person."),
            "follower": state.described("How far the person follows me."), "friends": .flag,
            "blocked": JSONSchema.flag.described("Whether I block the person."),
        ])
    static let followState = document("FollowAnswer", ["state": state])
    static let followLink = document(
        "FollowLink",
        [
            "token": JSONSchema.text.described("Told once: what to send as `link` to follow me."),
            "url?": JSONSchema.text.described("The whole link, of a server with a `publicUrl`."),
        ])
    /// A person on one of the account's lists, in the account's export.
    static let exportedPerson = document(
        "ExportedPerson", ["account": .text, "state": state, "since": .moment])
    static let listedPerson = document(
        "ListedPerson",
        [
            "person": JSONSchema.one(of: [personCard, document("UnseenPerson", ["id": .text])]).described(
                "Of a person whom I blocked without seeing him or her the identifier alone."),
            "state": state, "since": .moment,
        ])
    static let homepage = document(
        "Homepage",
        [
            "person": personCard, "relation": .one(of: [relation, JSONSchema(["type": "null"])]),
            "counts": document(
                "FollowCounts", ["followers": .integer, "following": .integer, "friends": .integer]),
            "records": JSONSchema.array(
                of: document(
                    "HomepageRecord",
                    [
                        "id": .text, "what": choice(of: RecordSharing.Extent.self), "title": .text.nullable,
                        "scheme": .text.nullable,
                    ])
            ).described("What is shared with me; follow `shared/{id}`."),
            "friends?": JSONSchema.array(of: personCard).described("For friends, where the person shows them."),
        ])
}
