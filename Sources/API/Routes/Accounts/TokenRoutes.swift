import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Shared

/// Routes for a person's own API tokens.
struct TokenRoutes: RouteGroup {
    let accounts: AccountServices

    var routes: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/me/tokens", "My API tokens, also those that expired lately", scope: .session,
                .list(of: .apiToken)
            ) { call in
                let tokens = try await accounts.tokens.list(of: call.caller)
                return .list(tokens, limit: .max, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, "/v1/accounts/me/tokens", "Make an API token; its text is in this answer alone",
                scope: .session, takes: .json(TokenRequest.form), answers: 201, .wrapped("token", .apiToken)
            ) { call in
                let (token, secret) = try await accounts.tokens.create(
                    TokenRequest.form.input(call.json()), in: call.signedIn.session, of: call.caller,
                    by: call.audit(), network: Self.network)
                return Self.answer(token, secret)
            }.proven(by: accounts.proofs),
            .signedIn(
                .delete, "/v1/accounts/me/tokens/{token}", "End an API token and its live connections",
                scope: .session, answers: 204
            ) { call in
                try await accounts.tokens.end(APITokenID(call["token"]), of: call.caller, by: call.audit())
                return Response(.noContent)
            },
        ]
    }

    /// Returns a network in the notation in which it is stored; `nil` if the text is not a network.
    static func network(_ text: String) -> String? { IPNetwork(text)?.description }

    /// Returns 201 with a token that was just made, and its text.
    static func answer(_ token: APIToken, _ secret: SecretToken, as member: String = "token") -> Response {
        .json(.created) {
            $0.object {
                $0.member(member) { token.write(to: &$0, text: APIToken.text(secret, of: token.kind)) }
            }
        }
    }
}

extension JSONSchema {
    static let apiToken = document(
        "APIToken",
        [
            "id": .text, "name": .text, "scopes": .array(of: .choice(of: Scope.self)),
            "networks": JSONSchema.array(of: .text).described("From where it works; empty for everywhere."),
            "createdAt": .moment, "expiresAt": .moment,
            "usedAt": JSONSchema.moment.nullable.described("Its last use, to a quarter of an hour."),
            "token?": JSONSchema.text.described("For `Authorization: Bearer`; only in the answer that made it."),
        ])
}
