import Accounts
import Application
import Forms
import GradingKit
import HTTP
import QRCode
import Shared

/// Routes for second factors: setting one up, its recovery codes, and signing in with it.
struct SecondFactorRoutes: RouteGroup {
    let accounts: AccountServices

    var routes: [Route] { [signIn, state] + changes }

    private var signIn: Route {
        .open(
            .post, "/v1/sessions/second-factor", "Sign in with the second factor, after the first", scope: .session,
            takes: .json(SecondFactorSignIn.form), answers: 201, .admission, tells: [.setCookie]
        ) { call in
            let answer = try await SecondFactorSignIn.form.read(call.json())
            let admission = try await accounts.secondFactorSignIn(
                answer, device: call.cookie(Authenticator.deviceCookie), from: call.client)
            return call.cookies.answer(admission, asCookie: answer.wantsCookie)
        }.serving(.everybody).untilItIsDone
    }

    private var state: Route {
        .signedIn(.get, "/v1/accounts/me/totp", "My second factor", scope: .session, .secondFactor) { call in
            let factor = try await accounts.secondFactors.state(of: call.signedIn.account)
            return .json { factor.write(to: &$0) }
        }.serving(.everybody)
    }

    private var changes: [Route] {
        [
            .signedIn(
                .post, "/v1/accounts/me/totp", "Begin to set up an authenticator app", scope: .session, answers: 201,
                .authenticatorSetup
            ) { call in
                let setup = try await accounts.secondFactors.begin(for: call.signedIn.account)
                return .json(.created) { writer in
                    writer.object {
                        $0.member("secret", setup.seed)
                        $0.member("address", setup.address)
                        $0.member("qr", QRCode(setup.address)?.svg)
                        $0.member("expiresIn", Int(SecondFactor.Enrolment.lifetime))
                    }
                }
            }.proven(by: accounts.proofs, toAddWay: true).serving(.enrolling),
            .signedIn(
                .put, "/v1/accounts/me/totp", "Confirm the authenticator app with its first code", scope: .session,
                takes: .json(SecondFactors.Confirmation.form), .recoveryCodes
            ) { call in
                let codes = try await accounts.secondFactors.confirm(
                    SecondFactors.Confirmation.form.read(call.json()), of: call.signedIn, from: call.client)
                return Self.response(.ok, codes)
            }.proven(by: accounts.proofs, toAddWay: true).serving(.enrolling),
            .signedIn(
                .delete, "/v1/accounts/me/totp", "End my second factor", scope: .session, answers: 204,
                refuses: [.notFound]
            ) { call in
                try await accounts.secondFactors.remove(of: call.signedIn.account, by: call.audit())
                return Response(.noContent)
            }.proven(by: accounts.proofs),
            .signedIn(
                .post, "/v1/accounts/me/recovery-codes", "Ten new recovery codes, in place of those before",
                scope: .session,
                answers: 201, .recoveryCodes, refuses: [.notFound]
            ) { call in
                let codes = try await accounts.secondFactors.renewRecoveryCodes(
                    of: call.signedIn.account, from: call.client)
                return Self.response(.created, codes)
            }.proven(by: accounts.proofs),
        ]
    }

    private static func response(_ status: Status, _ codes: [String]) -> Response {
        .json(status) { $0.value(["recoveryCodes": .array(codes.map { .string($0) })]) }
    }
}

extension JSONSchema {
    static let secondFactor = document(
        "SecondFactorState",
        [
            "enabled": JSONSchema.flag.described("Whether signing in asks for a code."), "since": .moment.nullable,
            "recoveryCodes": JSONSchema.integer.described("How many were not used."),
        ])
    static let authenticatorSetup = document(
        "AuthenticatorSetup",
        [
            "secret": JSONSchema.text.described("The seed in base32, for an app without a camera."),
            "address": JSONSchema.text.described("An `otpauth://` address."),
            "qr": JSONSchema.text.nullable.described(
                "The address as an SVG drawing; null for one that is too long to draw."),
            "expiresIn": .integer,
        ])
    static let recoveryCodes = document(
        "RecoveryCodes",
        ["recoveryCodes": JSONSchema.array(of: .text).described("Told once; each signs in once.")])
}
