import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for an institution's service accounts with their secrets and tokens, for its registrars. Administrators can
/// list and end service accounts; they can neither make them nor see their secrets.
struct ServiceAccountRoutes: RouteGroup {
    let serviceAccounts: ServiceAccountService
    let proofs: Proofs

    private static let path = "/v1/institutions/{institution}/service-accounts"

    var routes: [Route] { own + secrets + tokens }

    private var own: [Route] {
        [
            .signedIn(
                .get, Self.path, "Its service accounts, through which programs act", scope: .session,
                .list(of: .serviceAccount)
            ) { call in
                let found = try await serviceAccounts.list(of: call["institution"], for: call.context)
                return .list(found, limit: .max, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, Self.path, "Make a service account; it has no secret and no token yet", scope: .session,
                takes: .json(ServiceAccountCreation.form), answers: 201, .wrapped("serviceAccount", .serviceAccount)
            ) { call in
                let account = try await serviceAccounts.create(
                    await ServiceAccountCreation.form.input(call.json()), in: call["institution"], by: call.context)
                return Self.answer(account, .created)
            }.proven(by: proofs),
            .signedIn(
                .patch, Self.path + "/{account}", "Change a service account; its tokens follow at once",
                scope: .session, takes: .json(ServiceAccountChange.form), .wrapped("serviceAccount", .serviceAccount)
            ) { call in
                let account = try await serviceAccounts.edit(
                    AccountID(call["account"]), in: call["institution"],
                    to: await ServiceAccountChange.form.input(call.json()), by: call.context)
                return Self.answer(account, .ok)
            }.proven(by: proofs),
            .signedIn(
                .delete, Self.path + "/{account}",
                "End a service account with its secrets, tokens and live connections", scope: .session, answers: 204
            ) { call in
                try await serviceAccounts.end(
                    AccountID(call["account"]), of: call["institution"], by: call.context)
                return Response(.noContent)
            },
        ]
    }

    private var secrets: [Route] {
        let path = Self.path + "/{account}/secrets"
        return [
            list(.secret, at: path, "A service account's secrets, also those that expired lately", .serviceSecret),
            .signedIn(
                .post, path, "Make a secret of a service account; its text is in this answer alone", scope: .session,
                takes: .json(SecretRequest.form), answers: 201, .wrapped("secret", .serviceSecret)
            ) { call in
                let (secret, text) = try await serviceAccounts.createSecret(
                    await SecretRequest.form.input(call.json()), for: AccountID(call["account"]),
                    in: call["institution"], by: call.context, network: TokenRoutes.network)
                return TokenRoutes.answer(secret, text, as: "secret")
            }.proven(by: proofs),
            end(
                .secret, at: path + "/{secret}", "End a secret with the access tokens that were given for it",
                named: "secret"),
        ]
    }

    private var tokens: [Route] {
        let path = Self.path + "/{account}/tokens"
        return [
            list(.lasting, at: path, "A service account's API tokens, also those that expired lately", .apiToken),
            .signedIn(
                .post, path, "Make an API token of a service account; its text is in this answer alone",
                scope: .session, takes: .json(TokenRequest.form), answers: 201, .wrapped("token", .apiToken)
            ) { call in
                let (token, text) = try await serviceAccounts.createToken(
                    await TokenRequest.form.input(call.json()), for: AccountID(call["account"]),
                    in: call["institution"], by: call.context, network: TokenRoutes.network)
                return TokenRoutes.answer(token, text)
            }.proven(by: proofs),
            end(
                .lasting, at: path + "/{token}", "End an API token of a service account and its live connections",
                named: "token"),
        ]
    }

    private func list(_ kind: APIToken.Kind, at path: String, _ summary: String, _ schema: JSONSchema) -> Route {
        .signedIn(.get, path, summary, scope: .session, .list(of: schema)) { call in
            let found = try await serviceAccounts.tokens(
                kind, of: AccountID(call["account"]), in: call["institution"], for: call.context)
            return .list(found, limit: .max, of: call, cursor: \.id.text) { $0.write(to: &$1) }
        }
    }

    private func end(_ kind: APIToken.Kind, at path: String, _ summary: String, named part: String) -> Route {
        .signedIn(.delete, path, summary, scope: .session, answers: 204) { call in
            try await serviceAccounts.end(
                APITokenID(call[part]), kind, of: AccountID(call["account"]), in: call["institution"],
                by: call.context)
            return Response(.noContent)
        }
    }

    private static func answer(_ account: ServiceAccount, _ status: Status) -> Response {
        .json(status) { $0.object { $0.member("serviceAccount") { account.write(to: &$0) } } }
    }
}

extension JSONSchema {
    static let serviceAccount = document(
        "ServiceAccount",
        [
            "id": JSONSchema.text.described("Also its `client_id` at `/v1/oauth/token`."), "institution": .text,
            "name": .text, "role": .choice(of: ServiceAccount.Role.self), "programs": .array(of: .text),
            "scopes": .array(of: .choice(of: Scope.self)), "createdAt": .moment,
        ])
    static let serviceSecret = document(
        "ServiceSecret",
        [
            "id": .text, "name": .text,
            "networks": JSONSchema.array(of: .text).described("From where it works; empty for everywhere."),
            "createdAt": .moment, "expiresAt": .moment,
            "usedAt": JSONSchema.moment.nullable.described("When it last gave an access token."),
            "secret?": JSONSchema.text.described("The `client_secret`; only in the answer that made it."),
        ])
}
