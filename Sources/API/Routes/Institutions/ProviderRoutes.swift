import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for signing in with providers, and for the identities linked to an account.
struct ProviderRoutes: RouteGroup {
    let accounts: AccountServices
    let review: ProviderReview
    let tenants: Tenants
    let members: Members
    /// How often an account, or a guest's address, may begin a sign-in.
    let attempts: ClientLimiter

    var routes: [Route] {
        [
            .open(
                .get, "/v1/sign-in", "How one can sign in here", scope: .session, reads: [Self.institution],
                .signInOffer
            ) { call in
                let offered = try await offered(at: call.read(Self.institution), to: call.principal)
                return .json { write(offered, to: &$0) }
            }.serving(.everybody),
            .open(
                .post, "/v1/sign-in/{provider}", "Set out to sign in with a provider; sets a cookie", scope: .session,
                takes: .json(ProviderSignIn.wish, isRequired: false), answers: 201,
                .document(
                    "SignInAttempt",
                    [
                        "attempt": JSONSchema.text.described("What to send back with the provider's answer."),
                        "expiresIn": .integer,
                        "location": JSONSchema.text.described("Where the browser goes."),
                    ]), tells: [.setCookie], refuses: [.providerUnavailable]
            ) { call in
                try await begin(call)
            }.serving(.everybody),
            .open(
                .post, "/v1/sessions/{provider}", "Sign in with what a provider says, in the browser that set out",
                scope: .session,
                takes: .json(ProviderSignIn.signIn), answers: 201, .admission, tells: [.setCookie],
                refuses: [.providerUnavailable, .secondFactorRequired]
            ) { call in
                try await signIn(call)
            }.serving(.everybody).untilItIsDone,
        ] + logouts + identities + administration
    }

    /// Routes by which providers report that a person has signed out. CAS reports to the one address that it knows, the
    /// page's.
    private var logouts: [Route] {
        let body = RequestBody.form(
            .document("ProviderLogout", ["logout_token?": .text, "logoutRequest?": .text]),
            example: ["logout_token": "eyJhbGciOiJSUzI1NiJ9.e30.e30"])
        return ["/v1/sign-in/{provider}/logout", "/sign-in/{provider}"].map { pattern in
            .open(
                .post, pattern, "Told by a provider: a person has signed out there, whose sessions end",
                scope: .session, takes: body, refuses: [.providerUnavailable]
            ) { call in
                let provider = try provider(call["provider"])
                do {
                    try await accounts.providers.logOut(call.form(), with: provider, from: call.client)
                } catch is LogoutRefused {
                    throw Problem.malformed("The message is not believed")
                }
                return Response(.ok)
            }.serving(.everybody)
        }
    }

    private var administration: [Route] {
        [
            .administrator(
                .get, "/v1/providers", "The providers to sign in with, as they are configured", scope: .session,
                .document("ProviderList", ["items": .array(of: .provider)])
            ) { call in
                let providers = try review.list(call.context)
                return .json { writer in
                    writer.object {
                        $0.member("items") { $0.array { for provider in providers { Self.write(provider, to: &$0) } } }
                    }
                }
            },
            .administrator(
                .post, "/v1/providers/{provider}/test", "Try what a sign-in with a provider needs, without a person",
                scope: .session, .document("ProviderTrial", ["works": .flag, "steps": .array(of: .providerStep)]),
                refuses: [.rateLimited]
            ) { call in
                let finding = try await review.tried(call["provider"], call.context)
                return .json { Self.write(finding, to: &$0, in: call.language) }
            },
        ]
    }

    private static func write(_ provider: any IdentityProvider, to writer: inout JSONWriter) {
        writer.value([
            "id": .string(provider.id.text), "title": .string(provider.title), "kind": .string(provider.kind),
            "issuer": .string(provider.issuer), "callback": provider.callback.map { .string($0) } ?? .null,
            "signUp": .string(provider.signUp.rawValue),
            "institution": .text(provider.institution),
        ])
    }

    private static func write(
        _ finding: ProviderReview.Finding, to writer: inout JSONWriter, in language: Language
    ) {
        writer.object { writer in
            writer.member("works", finding.trial.works)
            writer.member("steps") { writer in
                writer.array { writer in
                    for taken in finding.trial.steps {
                        writer.object {
                            $0.member("step", taken.step.rawValue)
                            $0.member("outcome", taken.outcome.name)
                            guard let fault = taken.outcome.fault else { return $0.member("fault", .null) }
                            $0.member("fault") { fault.write(to: &$0, finding.provider.words, in: language) }
                        }
                    }
                }
            }
        }
    }

    private var identities: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/me/identities", "Who vouches for my account", scope: .session,
                .document("IdentityList", ["items": .array(of: .identity), "password": .flag])
            ) { call in
                let (identities, hasPassword) = try await accounts.identities.list(of: call.signedIn.account)
                return .json { writer in
                    writer.object { writer in
                        writer.member("items") { writer in
                            writer.array { for identity in identities { write(identity, to: &$0) } }
                        }
                        writer.member("password", hasPassword)
                    }
                }
            },
            .signedIn(
                .post, "/v1/accounts/me/identities/{provider}", "Link my account to me at a provider", scope: .session,
                takes: .json(ProviderSignIn.linking), answers: 201, .wrapped("identity", .identity),
                refuses: [.providerUnavailable]
            ) { call in
                let identity = try await accounts.providers.link(
                    ProviderSignIn.linking.read(call.json()), with: provider(call["provider"]), attempt: call.attempt,
                    to: call.signedIn.account, from: call.client)
                let response = Response.json(.created) {
                    $0.object { $0.member("identity") { write(identity, to: &$0) } }
                }
                return call.cookies.clearingAttempt(response)
            }.proven(by: accounts.proofs).untilItIsDone,
            .signedIn(
                .delete, "/v1/accounts/me/identities/{provider}", "Undo the link to me at a provider", scope: .session,
                answers: 204,
                refuses: [.invalid]
            ) { call in
                try await accounts.identities.unlink(
                    call["provider"], of: call.signedIn, from: call.client.source)
                return Response(.noContent)
            }.proven(by: accounts.proofs),
        ]
    }

    private func provider(_ name: String) throws(Problem) -> any IdentityProvider {
        guard let provider = accounts.providers[name] else { throw .notFound }
        return provider
    }

    private func begin(_ call: Call) async throws -> Response {
        let provider = try provider(call["provider"])
        let wish = try await ProviderSignIn.wish.read(call.json())
        if let wait = attempts.wait(for: call.client, as: call.principal.account, at: call.now) {
            throw Problem.rateLimited(retryAfter: wait)
        }
        let outset = try await accounts.providers.begin(
            with: provider, wish, by: call.principal.signedIn?.account, from: call.client)
        let response = Response.json(.created) {
            $0.value([
                "attempt": .string(outset.name), "expiresIn": .number(String(ProviderSignIn.lifetime)),
                "location": .string(outset.redirect.location),
            ])
        }
        return call.cookies.setting(outset.secret, for: ProviderSignIn.lifetime, on: response)
    }

    private func signIn(_ call: Call) async throws -> Response {
        let provider = try provider(call["provider"])
        let request = try await ProviderSignIn.signIn.read(call.json())
        let (session, returnTo) = try await accounts.providers(
            request.reply, with: provider, attempt: call.cookies.attempt(of: call),
            present: call.principal.signedIn?.account, device: call.cookie(Authenticator.deviceCookie),
            from: call.client.named(request.deviceName))
        let response = call.cookies.answer(session, asCookie: request.wantsCookie, returnTo: returnTo)
        return call.cookies.clearingAttempt(response)
    }

    private func write(_ identity: LinkedIdentity, to writer: inout JSONWriter) {
        identity.write(to: &writer, of: accounts.identities.provider(of: identity))
    }

    private static let institution = Parameter.text(
        "institution", "The institution, by id or slug, whose own providers are wanted as well.")

    /// Returns the providers that everyone is offered, those of the named institution, and those of the caller's
    /// institutions.
    private func offered(at name: String?, to principal: Principal) async throws -> [any IdentityProvider] {
        var institutions: Set<InstitutionID> = []
        if let account = principal.account {
            institutions.formUnion(try await members.memberships(of: account).map(\.institution))
        }
        if let name, let found = try await tenants.find(name) { institutions.insert(found.id) }
        var offered: [any IdentityProvider] = []
        for provider in accounts.providers.all {
            if let home = provider.institution {
                guard let found = try await tenants.find(home), institutions.contains(found.id) else {
                    continue
                }
            }
            offered.append(provider)
        }
        return offered
    }

    private func write(_ providers: [any IdentityProvider], to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("password", ["signUp": .bool(accounts.allowsSignUp)])
            writer.member("mail", accounts.emails != nil)
            writer.member("passkeys", accounts.passkeys.map { ["rpId": .string($0.party.id)] } ?? .null)
            writer.member("providers") { writer in
                writer.array { writer in
                    for provider in providers {
                        writer.value([
                            "id": .string(provider.id.text), "title": .string(provider.title),
                            "page": provider.page.map { .string($0) } ?? .null,
                        ])
                    }
                }
            }
        }
    }
}

extension JSONSchema {
    static let provider = document(
        "Provider",
        [
            "id": .text, "title": .text, "kind": JSONSchema.text.described("What it speaks, such as OpenID Connect."),
            "issuer": .text,
            "callback": JSONSchema.text.described(
                "The address of this site to register with the provider; null where it sends no browser back."
            ).nullable,
            "signUp": .choice(of: SignUpRule.self),
            "institution": JSONSchema.text.nullable.described("Whose sign-in offers it; null for everybody's."),
        ])
    static let providerStep = document(
        "ProviderStep",
        [
            "step": .choice(of: ProviderTrial.Step.self),
            "outcome": JSONSchema.choice(["passed", "doubtful", "failed", "skipped"]).described(
                "skipped: a step before it failed; doubtful: it may be wrong."),
            "fault": JSONSchema.one(of: [.fault, JSONSchema(["type": "null"])]),
        ])
    static let signInOffer = document(
        "SignInOffer",
        [
            "password": .document("PasswordOffer", ["signUp": .flag]),
            "mail": JSONSchema.flag.described("Whether mail is sent: a forgotten password is reset by a link."),
            "passkeys": JSONSchema.one(of: [
                .document("PasskeyOffer", ["rpId": .text]), JSONSchema(["type": "null"]),
            ]).described("The name to which passkeys are bound; null where they are not offered."),
            "providers": .array(
                of: .document(
                    "ProviderOffer",
                    [
                        "id": .text, "title": .text,
                        "page": JSONSchema.text.described(
                            "The page to open in a window of its own, which sends back a message; null for a provider "
                                + "to which the browser goes."
                        ).nullable,
                    ])),
        ])
}

extension ProviderTrial.Outcome {
    fileprivate var name: String {
        switch self {
        case .passed: "passed"
        case .doubtful: "doubtful"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }

    fileprivate var fault: Fault? {
        switch self {
        case .doubtful(let fault), .failed(let fault): fault
        case .passed, .skipped: nil
        }
    }
}
