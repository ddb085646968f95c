import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Institutions
import Shared

/// The route by which a page learns in one answer who uses it.
struct CurrentSessionRoute: RouteGroup {
    let accounts: AccountServices
    let tenants: Tenants
    let members: Members

    var routes: [Route] {
        [
            .signedIn(
                .get, "/v1/session", "What my session begins with: who I am, and what I am a member of",
                scope: .session, .currentSession
            ) { call in
                guard let account = try await accounts.profiles.account(call.caller) else { throw Problem.notFound }
                let enrolment = call.principal.enrolment
                let belongings = try await enrolment == nil ? belongings(of: account.id, at: call.now) : nil
                return .json { writer in
                    writer.object { writer in
                        writer.member("account") { account.write(to: &$0, for: enrolment) }
                        guard let belongings else { return }
                        writer.member("sealingKey") { $0.value(.string(belongings.sealingKey)) }
                        writer.member("memberships") { writer in
                            writer.array { for membership in belongings.memberships { membership.write(to: &$0) } }
                        }
                        writer.member("invitations") { writer in
                            writer.array {
                                for (offer, title) in belongings.invitations { offer.write(to: &$0, title: title) }
                            }
                        }
                    }
                }
            }.serving(.everybody)
        ]
    }

    private typealias Belongings = (
        sealingKey: String, memberships: [Membership], invitations: [(offer: Invitation, title: String)]
    )

    private func belongings(of account: AccountID, at now: Timestamp) async throws -> Belongings {
        (
            Base64.url.encode(accounts.sealing.key(of: account.text)), try await members.memberships(of: account),
            try await members.titledInvitations(to: account, in: tenants, at: now)
        )
    }
}

extension Members {
    /// Returns the open invitations for an account, newest first, each with its institution's title.
    func titledInvitations(
        to account: AccountID, in tenants: Tenants, at now: Timestamp
    ) async throws -> [(offer: Invitation, title: String)] {
        let offers = try await invitations(to: account, at: now)
        var titles: [InstitutionID: String] = [:]
        for offer in offers where titles[offer.institution] == nil {
            titles[offer.institution] = try await tenants.find(offer.institution.text)?.title
        }
        return offers.map { ($0, titles[$0.institution] ?? "") }
    }
}
