import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Shared
import WebServer

/// Routes for accounts: signing up, the profile, and administration.
struct AccountRoutes: RouteGroup {
    let accounts: AccountServices
    let signUps: ClientLimiter
    let exports: AccountExport
    let profileVisibility: ProfileVisibility
    let friends: Friends
    let audit: @Sendable (AuditEntry) async throws -> Void
    let links: PublicLinks
    let writes: WriteRate

    var routes: [Route] { own + pictures + administration + dataOfOthers + oneTime }

    /// Returns the client's idempotency key with a digest of everything but the password, since a fast digest of a
    /// password would help to guess it; `nil` without a key.
    private static func signUpKey(_ call: Call, _ body: JSON) throws -> IdempotencyKey? {
        var members = body.object ?? JSONObject()
        members["password"] = JSON?.none
        let digest = SHA256.hash(Array("sign-up\n".utf8) + JSON.object(members).bytes)
        return try call.read(Header.idempotencyKey).map { IdempotencyKey(key: $0, digest: digest) }
    }

    private var own: [Route] {
        [
            .open(
                .post, "/v1/accounts", "Sign up", scope: .session,
                reads: [Header.idempotencyKey], takes: .json(SignUpRequest.form), answers: 201, .admission,
                tells: [.setCookie], refuses: [.secondFactorRequired]
            ) { call in
                if let wait = signUps.wait(for: call.client, at: call.now) {
                    throw Problem.rateLimited(retryAfter: wait)
                }
                let body = try await call.json()
                let request = try SignUpRequest(SignUpRequest.form.input(body), key: Self.signUpKey(call, body))
                let session = try await accounts.signUp(request, from: call.client.named(request.deviceName))
                return call.cookies.answer(session, asCookie: request.wantsCookie)
            }.serving(.everybody),
            .signedIn(.get, "/v1/accounts/me", "My profile", scope: .profileRead, .ownAccount) { call in
                guard let account = try await accounts.profiles.account(call.caller) else {
                    throw Problem.notFound
                }
                return .json { account.write(to: &$0, for: call.principal.enrolment) }
            }.serving(.everybody),
            .signedIn(
                .patch, "/v1/accounts/me", "Edit my profile", scope: .session,
                takes: .json(ProfileEdit.form), .account
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let edit = try await ProfileEdit.form.read(call.json())
                let account = try await accounts.profiles.edit(
                    edit, of: call.signedIn.account, from: call.client.source)
                return .json { account.write(to: &$0) }
            },
            .signedIn(
                .delete, "/v1/accounts/me", "Delete my account", scope: .session, answers: 204, tells: [.setCookie],
                refuses: [.invalid]
            ) { call in
                try await accounts.profiles.delete(call.signedIn.account, by: call.audit())
                return call.cookies.clearing(Response(.noContent))
            }.proven(by: accounts.proofs),
            .signedIn(
                .put, "/v1/accounts/me/password", "Change my password", scope: .session,
                takes: .json(PasswordChange.form), answers: 204
            ) { call in
                try await accounts.passwords.change(
                    PasswordChange.form.input(call.json()), of: call.signedIn,
                    device: call.cookie(Authenticator.deviceCookie), from: call.client)
                return Response(.noContent)
            }.proven(by: accounts.proofs),
            .download("/v1/accounts/me/export", .signedIn, "Everything held about me", scope: .session, .export) {
                call in
                try await export(of: call.signedIn.account)
            },
            .signedIn(
                .get, "/v1/accounts/me/sealing-key", "The key with which my browser seals what waits to be sent",
                scope: .session,
                .sealingKey
            ) { call in
                let account = call.caller.text
                let key = Base64.url.encode(accounts.sealing.key(of: account))
                return .json { $0.value(["account": .string(account), "key": .string(key)]) }
            },
        ]
    }

    private static let pictureTypes = ["image/png", "image/jpeg", "image/webp"]
    /// A part of the picture's address that changes with the picture, so that no cache shows the previous one.
    private static let pictureVersion = Parameter.text("v", "The picture's version, from the account's `avatar`.")

    private var pictures: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/{account}/avatar", "A profile picture", scope: .profileRead,
                reads: [Self.pictureVersion],
                media: Self.pictureTypes
            ) { call in
                let owner = AccountID(call.account)
                var isVisible = try await profileVisibility.maySee(owner, call.context)
                if !isVisible { isVisible = try await friends.isVisible(owner, to: call.context) }
                guard isVisible, let picture = try await accounts.profiles.picture(of: owner) else {
                    throw Problem.notFound
                }
                var response = Response(.ok, type: picture.format.rawValue, body: picture.bytes)
                response.headers.set("Content-Security-Policy", "default-src 'none'; sandbox")
                response.headers.set("Cache-Control", "private, max-age=86400")
                return response
            },
            .signedIn(
                .put, "/v1/accounts/{account}/avatar", "Set my picture (PNG, JPEG or WebP)", scope: .session,
                takes: RequestBody(content: Self.pictureTypes.map { ($0, .any) }, isRequired: true), answers: 204,
                refuses: [.invalid]
            ) { call in
                guard call.account == call.caller.text else { throw Problem.notFound }
                try writes.check(call.context, size: call.bodySize)
                let picture = try Picture(call.body().bytes)
                try await accounts.profiles.setPicture(
                    picture, of: call.signedIn.account, from: call.client.source)
                return Response(.noContent)
            },
            .signedIn(.delete, "/v1/accounts/{account}/avatar", "Remove my picture", scope: .session, answers: 204) {
                call in
                guard call.account == call.caller.text else { throw Problem.notFound }
                try writes.check(call.context, size: 0)
                try await accounts.profiles.setPicture(nil, of: call.signedIn.account, from: call.client.source)
                return Response(.noContent)
            },
        ]
    }

    private static let subject = Parameter.text("subject", "The identifier of what something was done to.")
    private static let author = Parameter.text("account", "The account that did it.")

    private var administration: [Route] {
        [
            .administrator(
                .get, "/v1/accounts", "Search accounts", scope: .session, reads: .page + AccountQuery.parameters,
                .list(of: .account)
            ) { call in
                let limit = try call.read(Query.limit)
                let query = try AccountQuery(call, limit: limit + 1)
                let found = try await accounts.administration.search(query)
                return .list(found, limit: limit, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .administrator(
                .patch, "/v1/accounts/{account}", "Change an account's role, or disable it", scope: .session,
                takes: .json(AdministrativeEdit.form), .account
            ) { call in
                let account = try await accounts.administration.edit(
                    AdministrativeEdit.form.read(call.json()), of: AccountID(call.account), by: call.audit())
                return .json { account.write(to: &$0) }
            }.proven(by: accounts.proofs) {
                let body = try await $0.json()
                return ["role", "login", "disabled"].contains { body[$0] != nil }
            },
            .administrator(
                .get, "/v1/audit", "Who did what, newest first", scope: .auditRead,
                reads: .page + [Self.subject, Self.author], .list(of: .auditLine)
            ) { call in
                let limit = try call.read(Query.limit)
                let lines = try await accounts.administration.audit(
                    AuditQuery(
                        subject: call.read(Self.subject),
                        account: call.read(Self.author).map { AccountID($0) },
                        before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit + 1))
                return .list(lines, limit: limit, of: call, cursor: { String($0.number) }) {
                    $0.write(to: &$1, withNames: true)
                }
            },
            .administrator(
                .get, "/v1/accounts/{account}/sessions", "Where somebody is signed in", scope: .session,
                .list(of: .session)
            ) { call in
                let current = try call.signedIn.session
                let sessions = try await accounts.administration.sessions(of: AccountID(call.account))
                return .list(sessions, limit: .max, of: call, cursor: \.id.text) { session, writer in
                    session.write(to: &writer, isCurrent: session.id == current, in: call.language)
                }
            },
            .administrator(
                .delete, "/v1/accounts/{account}/sessions", "Sign somebody out everywhere", scope: .session,
                answers: 204
            ) { call in
                try await accounts.administration.endSessions(of: AccountID(call.account), by: call.audit())
                return Response(.noContent)
            },
            .administrator(
                .delete, "/v1/accounts/{account}/sessions/{session}", "Sign somebody out in one place", scope: .session,
                answers: 204
            ) { call in
                try await accounts.administration.end(
                    SessionID(call["session"]), of: AccountID(call.account), by: call.audit())
                return Response(.noContent)
            },
            .administrator(
                .post, "/v1/accounts/{account}/reset", "A one-time link to set a new password", scope: .session,
                answers: 201,
                .document(
                    "ResetLink",
                    [
                        "token": .text, "path": .text,
                        "url?": JSONSchema.text.described("The whole link, of a server with a `publicUrl`."),
                    ])
            ) { call in
                let token = try await accounts.administration.reset(AccountID(call.account), by: call.audit())
                let path = "/reset#\(token.text)"
                return .json(.created) {
                    $0.object {
                        $0.member("token", token.text)
                        $0.member("path", path)
                        if let url = links.url(of: path) { $0.member("url", url) }
                    }
                }
            }.proven(by: accounts.proofs),
        ]
    }

    /// Export and erasure for people who cannot or will not sign in; the audit trail keeps the reason.
    private var dataOfOthers: [Route] {
        [
            .download(
                "/v1/accounts/{account}/export", .administrator, "Everything held about somebody", scope: .session,
                reads: [Query.reason], .export, refuses: [.invalid]
            ) { call in
                let id = AccountID(call.account)
                let act = call.audit(because: try call.read(Query.reason))
                // Recorded first, so that no data leaves without a trace.
                try await audit(try await accounts.profiles.exportEntry(of: id, by: act))
                return try await export(of: id)
            }.proven(by: accounts.proofs),
            .administrator(
                .delete, "/v1/accounts/{account}", "Erase somebody's account", scope: .session, reads: [Query.reason],
                answers: 204,
                refuses: [.invalid]
            ) { call in
                let act = call.audit(because: try call.read(Query.reason))
                try await accounts.profiles.delete(AccountID(call.account), by: act)
                return Response(.noContent)
            }.proven(by: accounts.proofs),
        ]
    }

    private func export(of account: AccountID) async throws -> Reply {
        let pieces = try await exports.pieces(of: account)
        let head = Response(.ok, headers: ["Content-Type": "application/json"])
        return .stream(head) { PieceStream(to: $0) { try await pieces.next() } }
    }

    private var oneTime: [Route] {
        [
            .open(
                .post, "/v1/accounts/password", "Set a password with a one-time token", scope: .session,
                takes: .json(PasswordReset.form), answers: 204
            ) { call in
                _ = try await accounts.passwords.redeem(PasswordReset.form.input(call.json()), from: call.client)
                return Response(.noContent)
            }.serving(.everybody),
            .open(
                .post, "/v1/accounts/first", "Make the first administrator with the link that the server printed",
                scope: .session,
                takes: .json(FirstAdministrator.form), answers: 201, .admission, tells: [.setCookie]
            ) { call in
                let input = try await FirstAdministrator.form.input(call.json())
                let request = input.value.request
                let admission = try await accounts.administration.createFirst(
                    input, from: call.client.named(request.deviceName))
                return call.cookies.answer(admission, asCookie: request.wantsCookie)
            }.serving(.everybody),
        ]
    }
}

extension SignedInCall {
    /// The account that the path names; `me` is the caller's.
    fileprivate var account: String { self["account"] == "me" ? caller.text : self["account"] }
}

extension AccountQuery {
    private enum WantedRole: String, CaseIterable, Sendable {
        case administrator, none
    }

    private static let text = Parameter.text("query", "Text within login or displayed name, in any case.")
    private static let role = Parameter.choice("role", of: WantedRole.self, "The role to have.")
    private static let disabled = Parameter.flag("disabled", "Whether the account is disabled.")
    fileprivate static let parameters: ParameterList = [text, role, disabled]

    fileprivate init(_ call: SignedInCall, limit: Int) throws {
        let role: AccountQuery.Role =
            switch try call.read(Self.role) {
            case nil: .any
            case WantedRole.none?: .none
            case .administrator?: .administrator
            }
        self.init(
            text: try call.read(Self.text), role: role, isDisabled: try call.read(Self.disabled),
            after: try call.read(Query.cursor).map { AccountID($0) }, limit: limit)
    }
}

extension JSONSchema {
    fileprivate static let export = document(
        "AccountExport",
        [
            "account": .account,
            "picture": .one(of: [
                .document("ExportedPicture", ["type": .text, "base64": .text]), JSONSchema(["type": "null"]),
            ]), "sessions": .array(of: .session), "identities": .array(of: .identity),
            "email": .email, "secondFactor": .secondFactor, "passkeys": .array(of: .passkey),
            "tokens": .array(of: .apiToken),
            "audit": .array(of: .object), "memberships": .array(of: .membership),
            "following": .array(of: .exportedPerson), "followers": .array(of: .exportedPerson),
            "requests": .array(of: .exportedPerson), "friends": .array(of: .exportedPerson),
            "blocks": .array(of: .exportedPerson), "sharing": .array(of: .sharedChoice),
            "comments": .document(
                "ExportedComments", ["received": .array(of: .cellComment), "written": .array(of: .cellComment)]),
            "notices": .noticeChoices, "feedSeen": .moment.nullable, "feed": .array(of: .exportedEvent),
            "records": .array(
                of: .document(
                    "ExportedRecord",
                    [
                        "document": .record,
                        "assembled?": JSONSchema.record.described("With the lines of its classes."),
                        "createdAt": .moment, "history": .array(of: .historyItem),
                    ])),
        ])
}
