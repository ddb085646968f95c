import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Shared

/// Routes for an account's e-mail address and for a forgotten password. If the server sends no mail, they answer 404.
struct EmailRoutes: RouteGroup {
    let accounts: AccountServices
    /// How often one client may have mails sent.
    let requests: ClientLimiter

    var routes: [Route] { own + byLink }

    private var own: [Route] {
        [
            .signedIn(.get, "/v1/accounts/me/email", "My e-mail address", scope: .session, .email, refuses: [.notFound])
            { call in
                let email = try await emails().email(of: call.signedIn.account)
                return .json { email.write(to: &$0, at: call.now) }
            },
            .signedIn(
                .put, "/v1/accounts/me/email", "Set my e-mail address: a link is sent there, which confirms it",
                scope: .session,
                takes: .json(EmailAddress.form), answers: 202, .email, refuses: [.notFound]
            ) { call in
                let emails = try emails()
                try admit(call.client, at: call.now)
                let email = try await emails.request(
                    EmailAddress.form.required(call.json()), of: call.signedIn.account, in: call.language,
                    by: call.audit())
                return .json(.accepted) { email.write(to: &$0, at: call.now) }
            }.proven(by: accounts.proofs),
            .signedIn(
                .delete, "/v1/accounts/me/email", "Remove my e-mail address", scope: .session, answers: 204,
                refuses: [.notFound]
            ) { call in
                try await emails().remove(of: call.signedIn.account, by: call.audit())
                return Response(.noContent)
            }.proven(by: accounts.proofs),
        ]
    }

    private var byLink: [Route] {
        [
            .open(
                .post, "/v1/accounts/email", "Confirm an e-mail address with the token of its link",
                scope: .session,
                takes: .json(EmailConfirmation.form), answers: 204, refuses: [.notFound]
            ) { call in
                try await emails().confirm(EmailConfirmation.form.read(call.json()), from: call.client)
                return Response(.noContent)
            }.serving(.everybody),
            .open(
                .post, "/v1/accounts/reset",
                "Ask for a link that resets a password; answered alike whether there is such an account or not",
                scope: .session,
                takes: .json(ResetRequest.form), answers: 202, refuses: [.notFound]
            ) { call in
                let emails = try emails()
                try admit(call.client, at: call.now)
                try await emails.wishReset(
                    ResetRequest.form.read(call.json()), by: call.principal.signedIn?.account,
                    device: call.cookie(Authenticator.deviceCookie), from: call.client)
                return Response(.accepted)
            }.serving(.everybody),
        ]
    }

    private func emails() throws(Problem) -> Emails {
        guard let emails = accounts.emails else { throw .notFound }
        return emails
    }

    private func admit(_ client: Client, at now: Timestamp) throws(Problem) {
        if let wait = requests.wait(for: client, at: now) { throw .rateLimited(retryAfter: wait) }
    }
}

extension JSONSchema {
    static let email = document(
        "Email",
        [
            "address": JSONSchema.text.nullable.described("Where the account gets mail; null for an account without."),
            "confirmedAt": .moment.nullable,
            "pending": JSONSchema.text.nullable.described("The address that waits for its link to be followed."),
            "pendingUntil": .moment.nullable,
        ])
}
