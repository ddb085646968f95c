import Accounts
import Cryptography
import Forms
import GradingKit
import HTTP
import Storage

/// Accounts: signing up, the profile, and what administrators do.
struct AccountRoutes: RouteGroup {
    let accounts: AccountServices
    let signUps: RateLimiter<String>
    let exports: AccountExport
    let acquaintances: Acquaintances
    let audit: @Sendable (AuditEntry) async throws -> Void

    var routes: [Route] { own + pictures + administration + dataOfOthers + links }

    private var own: [Route] {
        [
            .open(
                .post, "/v1/accounts", "Sign up",
                takes: .object(
                    "SignUp",
                    [
                        "login": SchemaType.text, "password": SchemaType.text, "displayName": SchemaType.text,
                        "locale?": SchemaType.text, "cookie?": SchemaType.flag, "deviceName?": SchemaType.text,
                    ]), answers: 201, .admission
            ) { call in
                if call.client.isLimited, let wait = signUps.wait(for: call.client.source, at: call.now) {
                    throw Problem.rateLimited(retryAfter: wait)
                }
                var body = try call.json()
                let (wantsCookie, device) = try SessionCookies.takeWish(from: &body)
                let admission = try await accounts.signUp(
                    body, key: call.idempotencyKey()?.key, from: call.client.named(device))
                return call.cookies.answer(admission, asCookie: wantsCookie)
            },
            .signedIn(.get, "/v1/accounts/me", "My profile", .account) { call in
                guard let account = try await accounts.profiles.account(call.signedIn.account) else {
                    throw Problem.notFound
                }
                return .json { account.write(to: &$0) }
            },
            .signedIn(
                .patch, "/v1/accounts/me", "Edit my profile",
                takes: .object(
                    "ProfilePatch",
                    [
                        "displayName?": SchemaType.text, "description?": SchemaType.text, "gender?": SchemaType.text,
                        "avatarHue?": SchemaType.number, "locale?": SchemaType.text, "sharing?": SchemaType.text,
                    ]), .account
            ) { call in
                let edit = try ProfileEdit(call.call.json())
                let account = try await accounts.profiles.edit(
                    edit, of: call.signedIn.account, from: call.call.client.source)
                return .json { account.write(to: &$0) }
            },
            .signedIn(.delete, "/v1/accounts/me", "Delete my account", answers: 204) { call in
                try await accounts.profiles.delete(call.signedIn.account, by: call.call.act())
                return call.call.cookies.clearing(Response(.noContent))
            },
            .signedIn(
                .put, "/v1/accounts/me/password", "Change my password",
                takes: .object("PasswordChange", ["current": SchemaType.text, "new": SchemaType.text]), answers: 204
            ) { call in
                try await accounts.passwords.change(call.call.json(), of: call.signedIn, from: call.call.client)
                return Response(.noContent)
            },
            .signedIn(
                .get, "/v1/accounts/me/export", "Everything held about me", .object("AccountExport", [:], isOpen: true)
            ) { call in
                .json(bytes: try await exports.document(of: call.signedIn.account))
            },
        ]
    }

    private var pictures: [Route] {
        [
            .signedIn(.get, "/v1/accounts/{account}/avatar", "A profile picture") { call in
                let owner = AccountID(call.account)
                guard try await acquaintances.maySee(owner, call.signedIn),
                    let picture = try await accounts.profiles.picture(of: owner)
                else { throw Problem.notFound }
                var response = Response(.ok, type: picture.format.rawValue, body: picture.bytes)
                response.headers.set("Content-Security-Policy", "default-src 'none'; sandbox")
                response.headers.set("Cache-Control", "private, max-age=86400")
                return response
            },
            Route(.put, "/v1/accounts/{account}/avatar", .signedIn, "Set my picture (PNG, JPEG or WebP)", answers: 204)
            { call in
                let call = try SignedInCall(call)
                guard call.account == call.signedIn.account.text else { throw Problem.notFound }
                let picture = try Picture(call.call.request.body)
                try await accounts.profiles.setPicture(
                    picture, of: call.signedIn.account, from: call.call.client.source)
                return Response(.noContent)
            },
            .signedIn(.delete, "/v1/accounts/{account}/avatar", "Remove my picture", answers: 204) { call in
                guard call.account == call.signedIn.account.text else { throw Problem.notFound }
                try await accounts.profiles.setPicture(nil, of: call.signedIn.account, from: call.call.client.source)
                return Response(.noContent)
            },
        ]
    }

    private var administration: [Route] {
        [
            .administrator(.get, "/v1/accounts", "Search accounts", .list(of: .account)) { call in
                let limit = try call.call.limit()
                let query = try AccountQuery(call.call, limit: limit)
                let found = try await accounts.administration.search(query)
                return .list(found, limit: limit, of: call.call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .administrator(
                .patch, "/v1/accounts/{account}", "Change an account's role, or disable it",
                takes: .object("AccountPatch", ["role?": SchemaType.optionalText, "disabled?": SchemaType.flag]),
                .account
            ) { call in
                let account = try await accounts.administration.edit(
                    call.call.json(), of: AccountID(call.account), by: call.call.act())
                return .json { account.write(to: &$0) }
            },
            .administrator(
                .get, "/v1/audit", "Who did what, newest first",
                .list(of: .object("AuditLine", ["id": SchemaType.integer], isOpen: true))
            ) { call in
                let limit = try call.call.limit()
                let target = call.call.request.target
                let lines = try await accounts.administration.audit(
                    AuditQuery(
                        subject: target.query("subject"), account: target.query("account").map { AccountID($0) },
                        before: call.call.cursor().flatMap { Int($0) }, limit: limit))
                return .list(lines, limit: limit, of: call.call, cursor: { String($0.number) }) {
                    $0.write(to: &$1, withNames: true)
                }
            },
            .administrator(
                .get, "/v1/accounts/{account}/sessions", "Where somebody is signed in", .list(of: .session)
            ) { call in
                let sessions = try await accounts.administration.sessions(of: AccountID(call.account))
                return .list(sessions, limit: .max, of: call.call, cursor: \.id.text) { session, writer in
                    session.write(
                        to: &writer, isCurrent: session.id == call.signedIn.session, in: call.call.language)
                }
            },
            .administrator(
                .delete, "/v1/accounts/{account}/sessions", "Sign somebody out everywhere", answers: 204
            ) { call in
                try await accounts.administration.endSessions(of: AccountID(call.account), by: call.call.act())
                return Response(.noContent)
            },
            .administrator(
                .delete, "/v1/accounts/{account}/sessions/{session}", "Sign somebody out in one place", answers: 204
            ) { call in
                try await accounts.administration.end(
                    SessionID(call.call["session"]), of: AccountID(call.account), by: call.call.act())
                return Response(.noContent)
            },
            .administrator(
                .post, "/v1/accounts/{account}/reset", "A one-time link to set a new password", answers: 201,
                .object("ResetLink", ["token": SchemaType.text, "path": SchemaType.text])
            ) { call in
                let token = try await accounts.administration.reset(AccountID(call.account), by: call.call.act())
                return .json(.created) {
                    $0.value(["token": .string(token.text), "path": .string("/reset#\(token.text)")])
                }
            },
        ]
    }

    /// What somebody has a right to who cannot or will not sign in; the reason stands in the trail.
    private var dataOfOthers: [Route] {
        [
            .administrator(
                .get, "/v1/accounts/{account}/export", "Everything held about somebody, with a `reason`",
                .object("AccountExport", [:], isOpen: true)
            ) { call in
                let id = AccountID(call.account)
                let act = call.call.act(because: try call.call.reason())
                // Recorded first, so that nobody takes data away without a trace.
                try await audit(try await accounts.profiles.exportEntry(of: id, by: act))
                return .json(bytes: try await exports.document(of: id))
            },
            .administrator(
                .delete, "/v1/accounts/{account}", "Erase somebody's account, with a `reason`", answers: 204
            ) { call in
                let act = call.call.act(because: try call.call.reason())
                try await accounts.profiles.delete(AccountID(call.account), by: act)
                return Response(.noContent)
            },
        ]
    }

    private var links: [Route] {
        [
            .open(
                .post, "/v1/accounts/password", "Set a password with a one-time token",
                takes: .object("PasswordReset", ["token": SchemaType.text, "password": SchemaType.text]), answers: 204
            ) { call in
                _ = try await accounts.passwords.redeem(call.json(), from: call.client)
                return Response(.noContent)
            },
            .open(
                .post, "/v1/accounts/first", "Make the first administrator with the link that the server printed",
                takes: .object(
                    "FirstAdministrator",
                    [
                        "token": SchemaType.text, "login": SchemaType.text, "password": SchemaType.text,
                        "displayName": SchemaType.text, "cookie?": SchemaType.flag, "deviceName?": SchemaType.text,
                    ]), answers: 201, .admission
            ) { call in
                var body = try call.json()
                let (wantsCookie, device) = try SessionCookies.takeWish(from: &body)
                let admission = try await accounts.administration.createFirst(
                    body, from: call.client.named(device))
                return call.cookies.answer(admission, asCookie: wantsCookie)
            },
        ]
    }
}

extension SignedInCall {
    /// The account that the path names; `me` is one's own.
    fileprivate var account: String { call["account"] == "me" ? signedIn.account.text : call["account"] }
}

extension AccountQuery {
    fileprivate init(_ call: Call, limit: Int) throws {
        let target = call.request.target
        let role: AccountQuery.Role =
            switch target.query("role") {
            case nil: .any
            case "none"?: .none
            case "administrator"?: .administrator
            default: throw Problem.malformed("role must be administrator or none")
            }
        self.init(
            text: target.query("query"), role: role, isDisabled: target.query("disabled").map { $0 == "true" },
            after: try call.cursor().map { AccountID($0) }, limit: limit)
    }
}
