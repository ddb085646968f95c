import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Shared

/// Routes for passkeys: the options for a browser's authenticator, signing in, and managing one's own.
struct PasskeyRoutes: RouteGroup {
    let accounts: AccountServices
    /// How often an account, or a guest, may ask for a challenge.
    let challenges: ClientLimiter

    var routes: [Route] { [options, signIn] + own }

    private var options: Route {
        .open(
            .post, "/v1/passkeys/options",
            "What a browser asks an authenticator for, with a challenge for five minutes", scope: .session,
            takes: .json(Passkeys.optionsForm), answers: 201, .passkeyOptions, refuses: [.notFound]
        ) { call in
            let passkeys = try passkeys()
            let purpose = try await Passkeys.optionsForm.read(call.json()) ?? .signIn
            if let wait = challenges.wait(for: call.client, as: call.principal.account, at: call.now) {
                throw Problem.rateLimited(retryAfter: wait)
            }
            let account = purpose == .signIn ? nil : try SignedInCall(call).signedIn.account
            let options = try await passkeys.options(for: purpose, of: account, from: call.client)
            return .json(.created) { $0.value(options.json) }
        }.serving(.everybody)
    }

    private var signIn: Route {
        .open(
            .post, "/v1/sessions/passkey", "Sign in with a passkey", scope: .session, takes: .json(PasskeySignIn.form),
            answers: 201,
            .admission, tells: [.setCookie], refuses: [.notFound]
        ) { call in
            let (passkeys, request) = (try passkeys(), try await PasskeySignIn.form.read(call.json()))
            let admission = try await passkeys(
                request, device: call.cookie(Authenticator.deviceCookie), from: call.client)
            return call.cookies.answer(admission, asCookie: request.wantsCookie)
        }.serving(.everybody).untilItIsDone
    }

    private var own: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/me/passkeys", "My passkeys", scope: .session, .list(of: .passkey),
                refuses: [.notFound]
            ) {
                call in
                let items = try await passkeys().list(of: call.signedIn.account)
                return .list(items, limit: .max, of: call, cursor: \.id) { $0.write(to: &$1) }
            }.serving(.everybody),
            .signedIn(
                .post, "/v1/accounts/me/passkeys", "Keep a new passkey", scope: .session,
                takes: .json(PasskeyRegistration.form),
                answers: 201, .wrapped("passkey", .passkey), refuses: [.notFound]
            ) { call in
                let passkey = try await passkeys().register(
                    PasskeyRegistration.form.read(call.json()), of: call.signedIn, from: call.client)
                return .json(.created) { $0.object { $0.member("passkey") { passkey.write(to: &$0) } } }
            }.proven(by: accounts.proofs, toAddWay: true).serving(.enrolling),
            .signedIn(
                .patch, "/v1/accounts/me/passkeys/{passkey}", "Rename a passkey", scope: .session,
                takes: .json(PasskeyName.form),
                .wrapped("passkey", .passkey)
            ) { call in
                let passkey = try await passkeys().rename(
                    call["passkey"], to: PasskeyName.form.read(call.json()), of: call.signedIn.account, by: call.audit()
                )
                return .json { $0.object { $0.member("passkey") { passkey.write(to: &$0) } } }
            },
            .signedIn(
                .delete, "/v1/accounts/me/passkeys/{passkey}", "Remove a passkey", scope: .session, answers: 204,
                refuses: [.invalid]
            ) { call in
                try await passkeys().remove(call["passkey"], of: call.signedIn.account, by: call.audit())
                return Response(.noContent)
            }.proven(by: accounts.proofs),
        ]
    }

    /// Returns the passkey service; throws 404 if the server offers no passkeys.
    private func passkeys() throws(Problem) -> Passkeys {
        guard let passkeys = accounts.passkeys else { throw .notFound }
        return passkeys
    }
}

extension Passkeys.Options {
    /// The options as JSON, in the form of WebAuthn Level 3, 5.1.8: bytes are base64url.
    fileprivate var json: JSON {
        let timeout = JSON.number(String(Passkeys.lifetime * 1_000))
        let challenge = JSON.string(challenge.text)
        guard let registration else {
            return ["challenge": challenge, "rpId": .string(party), "userVerification": "required", "timeout": timeout]
        }
        let account = registration.account
        return [
            "challenge": challenge, "timeout": timeout, "attestation": "none",
            "rp": ["id": .string(party), "name": "Gradecast"],
            "user": [
                "id": .string(Base64.url.encode(registration.userHandle)), "name": .string(account.login.text),
                "displayName": .string(account.profile.displayName),
            ],
            "pubKeyCredParams": .array(
                Passkeys.algorithms.map { ["type": "public-key", "alg": .number(String($0))] }),
            "excludeCredentials": .array(
                registration.existing.map { ["type": "public-key", "id": .string(Base64.url.encode($0))] }),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            ],
        ]
    }
}

extension JSONSchema {
    static let passkey = document(
        "Passkey",
        [
            "id": .text, "name": .text, "createdAt": .moment, "usedAt": .moment.nullable,
            "refusedAt": JSONSchema.moment.nullable.described(
                "When it was last refused because its counter did not rise: there may be a copy of it."),
        ])
    static let passkeyOptions = document(
        "PasskeyOptions",
        [
            "challenge": .text, "timeout": .integer, "rpId?": .text,
            "userVerification?": .text, "attestation?": .text, "rp?": .object, "user?": .object,
            "pubKeyCredParams?": .array(of: .object), "excludeCredentials?": .array(of: .object),
            "authenticatorSelection?": .object,
        ])
}
