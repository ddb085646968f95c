import Accounts
import Forms
import GradingKit
import HTTP

/// The OpenAPI 3.1 document of a route table.
struct OpenAPI {
    let routes: [Route]
    let version: String

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 262_144)
        writer.object { writer in
            writer.member("openapi", "3.1.0")
            writer.member("info", info)
            writer.member("servers", [["url": "/"]])
            writer.member("tags", .array(tags.map(Self.tag)))
            writer.member("paths") { writer in
                writer.object { writer in
                    for path in paths { writer.member(path) { write(path: path, to: &$0) } }
                }
            }
            writer.member("components", components)
        }
        return writer.bytes
    }

    private var info: JSON {
        [
            "title": "Gradecast", "version": .string(version),
            "summary": "A live grade server: exact standings, pushed as grades land.",
            "description": """
            Times are RFC 3339 in UTC. Numbers go out exactly, as the shortest decimal, and come in as numbers or as \
            strings. A refused request is answered with a problem document (RFC 9457), whose `code` never changes; \
            `x-codes` names the codes of each status. Clients ignore members that they do not know.
            """, "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ]
    }

    private static let tags: [String: String] = [
        "accounts": "Accounts: signing up, profiles, administration.",
        "audit": "Who did what.",
        "backup": "Copies of the store.",
        "evaluate": "Calculating without storing anything.",
        "institutions": "Institutions, their members and invitations.",
        "invitations": "Taking invitations.",
        "live": "Live updates.",
        "memberships": "What one is a member of.",
        "oauth": "OAuth 2 for programs.",
        "programs": "Programs: a scheme with a configuration, its versions, and the work of its staff.",
        "records": "Records: entries, standings, history.",
        "regulations": "Regulations that are written as documents.",
        "schemes": "The installed grading schemes.",
        "server": "What operators and machines ask.",
        "sessions": "Signing in and out.",
        "sign-in": "Ways to sign in.",
        "stand-in": "What a demonstration plays.",
    ]

    private static func tag(_ name: String) -> JSON {
        ["name": .string(name), "description": .string(tags[name] ?? "")]
    }

    private var tags: [String] { Set(routes.map(\.tag)).sorted() }

    private var paths: [String] {
        routes.reduce(into: []) { if !$0.contains($1.pattern) { $0.append($1.pattern) } }
    }

    private func write(path: String, to writer: inout JSONWriter) {
        writer.object { writer in
            for route in routes where route.pattern == path {
                writer.member(route.method.description.lowercased(), .object(route.operation))
            }
        }
    }

    private var components: JSON {
        var schemas: [String: JSON] = [:]
        for route in routes {
            for schema in route.schemas { schemas.merge(schema.definitions) { _, new in new } }
        }
        var definitions = JSONObject()
        for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) { definitions[name] = schema }
        return [
            "schemas": .object(definitions),
            "securitySchemes": [
                "bearer": ["type": "http", "scheme": "bearer", "description": "The token of a session."],
                "token": [
                    "type": "http", "scheme": "bearer", "bearerFormat": .string(APIToken.Kind.lasting.prefix),
                    "description": """
                    An API token with the scope that the operation names (`x-scope`); `any` takes every token, `session` \
                    none.
                    """,
                ],
                "client": [
                    "type": "http", "scheme": "basic",
                    "description": "The id and a secret of a service account (`client_secret_basic`).",
                ],
                "cookie": [
                    "type": "apiKey", "in": "cookie", "name": .string(Authenticator.secureCookie),
                    "description": .string("On plain loopback the cookie's name is `\(Authenticator.localCookie)`."),
                ],
            ],
        ]
    }
}
