import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Shared

/// Ways to sign in, sign-in with Rosefire, and the identities linked to an account.
struct RosefireRoutes: RouteGroup {
    let accounts: AccountServices
    let attempts: RateLimiter<String>

    private static let nothing = RequestForm("SignInAttemptInput", example: [:]) { _ in }

    var routes: [Route] {
        [
            .open(.get, "/v1/sign-in", "How one can sign in here", .signInOffer) { _ in .json { write(to: &$0) } },
            .open(
                .post, "/v1/sign-in/rosefire", "Set out to sign in with Rosefire; sets a cookie",
                takes: .json(Self.nothing, isRequired: false), answers: 201,
                .document(
                    "SignInAttempt",
                    [
                        "attempt": JSONSchema.text.described("What to send back with Rosefire's token."),
                        "expiresIn": .integer,
                    ]), tells: [.setCookie], refuses: [.notFound]
            ) { call in
                try await begin(call)
            },
            .open(
                .post, "/v1/sessions/rosefire", "Sign in with what Rosefire says, in the browser that set out",
                takes: .json(RosefireSignIn.signIn), answers: 201, .admission, tells: [.setCookie],
                refuses: [.notFound, .secondFactorRequired]
            ) { call in
                try await signIn(call)
            },
        ] + identities
    }

    private var identities: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/me/identities", "Who vouches for my account",
                .document("IdentityList", ["items": .array(of: .identity), "password": .flag])
            ) { call in
                let (identities, hasPassword) = try await accounts.identities.list(of: call.signedIn.account)
                return .json { writer in
                    writer.object { writer in
                        writer.member("items") { writer in
                            writer.array { for identity in identities { identity.write(to: &$0) } }
                        }
                        writer.member("password", hasPassword)
                    }
                }
            },
            .signedIn(
                .post, "/v1/accounts/me/identities/rosefire", "Link my account to me at Rosefire",
                takes: .json(RosefireSignIn.linking), answers: 201, .wrapped("identity", .identity),
                refuses: [.notFound]
            ) { call in
                let identity = try await rosefire().link(
                    call.json(), attempt: call.attempt,
                    to: call.signedIn.account, from: call.client)
                let response = Response.json(.created) {
                    $0.object { $0.member("identity") { identity.write(to: &$0) } }
                }
                return call.cookies.clearingAttempt(response)
            },
            .signedIn(
                .delete, "/v1/accounts/me/identities/rosefire", "Undo the link to me at Rosefire", answers: 204,
                refuses: [.notFound, .invalid]
            ) { call in
                try await accounts.identities.unlink(
                    issuer: RosefireSignIn.issuer, from: call.signedIn.account, from: call.client.source)
                return Response(.noContent)
            },
        ]
    }

    private func rosefire() throws(Problem) -> RosefireSignIn {
        guard let rosefire = accounts.rosefire else { throw .notFound }
        return rosefire
    }

    private func begin(_ call: Call) async throws -> Response {
        let rosefire = try rosefire()
        try Self.nothing.read(call.json())
        if call.client.isLimited, let wait = attempts.wait(for: call.client.source, at: call.now) {
            throw Problem.rateLimited(retryAfter: wait)
        }
        guard let outset = try await rosefire.begin(by: call.principal.signedIn?.account) else {
            throw Problem.unavailable("Too many sign-ins at once")
        }
        let response = Response.json(.created) {
            $0.value([
                "attempt": .string(outset.name), "expiresIn": .number(String(RosefireSignIn.patience)),
            ])
        }
        return call.cookies.setting(outset.secret, for: RosefireSignIn.patience, on: response)
    }

    private func signIn(_ call: Call) async throws -> Response {
        let rosefire = try rosefire()
        let body = try call.json()
        let request = RosefireSignIn.signIn.open(body).value
        let admission = try await rosefire(
            body, attempt: call.cookies.attempt(of: call), from: call.client.named(request.deviceName))
        return call.cookies.clearingAttempt(call.cookies.answer(admission, asCookie: request.wantsCookie))
    }

    private func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("password", ["signUp": .bool(accounts.allowsSignUp)])
            writer.member("providers") { writer in
                writer.array { writer in
                    guard let rosefire = accounts.rosefire else { return }
                    writer.value([
                        "id": .string(RosefireSignIn.issuer), "title": "Rosefire",
                        "page": .string(rosefire.settings.page),
                    ])
                }
            }
        }
    }
}

extension JSONSchema {
    static let signInOffer = document(
        "SignInOffer",
        [
            "password": .document("PasswordOffer", ["signUp": .flag]),
            "providers": .array(of: .document("ProviderOffer", ["id": .text, "title": .text, "page": .text])),
        ])
}
