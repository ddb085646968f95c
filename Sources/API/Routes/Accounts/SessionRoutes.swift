import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Shared

/// Routes for signing in and out.
struct SessionRoutes: RouteGroup {
    let accounts: AccountServices
    /// Tickets of an account.
    let tickets: RateLimiter<AccountID>

    var routes: [Route] {
        [
            .open(
                .post, "/v1/sessions", "Sign in", scope: .session,
                takes: .json(Credentials.form), answers: 201, .admission, tells: [.setCookie],
                refuses: [.secondFactorRequired]
            ) { call in
                let credentials = try await Credentials.form.read(call.json())
                    .from(device: call.cookie(Authenticator.deviceCookie))
                let admission = try await accounts.signIn(credentials, from: call.client)
                return call.cookies.answer(admission, asCookie: credentials.wantsCookie)
            }.serving(.everybody),
            .signedIn(.get, "/v1/sessions", "My sessions", scope: .session, .list(of: .session)) { call in
                let current = try call.signedIn
                let sessions = try await accounts.sessions.list(of: current.account)
                return .list(sessions, limit: .max, of: call, cursor: \.id.text) { session, writer in
                    session.write(to: &writer, isCurrent: session.id == current.session, in: call.language)
                }
            },
            .signedIn(
                .get, "/v1/accounts/me/activity", "What happened lately around the ways into my account, newest first",
                scope: .session, reads: .page, .list(of: .activity)
            ) { call in
                let limit = try call.read(Query.limit)
                let items = try await accounts.activity.list(
                    of: call.signedIn.account, before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit + 1)
                return .list(items, limit: limit, of: call, cursor: { String($0.number) }) {
                    $0.write(to: &$1, in: call.language)
                }
            },
            .signedIn(.delete, "/v1/sessions", "Sign out everywhere", scope: .session, answers: 204) { call in
                try await accounts.sessions.endAll(
                    of: call.signedIn.account, device: call.cookie(Authenticator.deviceCookie),
                    from: call.client.source)
                return call.cookies.clearing(Response(.noContent))
            },
            .signedIn(
                .delete, "/v1/sessions/{session}", "Sign out; `current` is this session", scope: .session, answers: 204,
                refuses: [.enrolmentRequired]
            ) { call in
                let (name, current) = (call["session"], try call.signedIn.session)
                let session = name == "current" ? current : SessionID(name)
                // One that has to show its second factor ends itself alone.
                if session != current, let enrolment = call.principal.enrolment { throw EnrolmentRequired(enrolment) }
                try await accounts.sessions.end(
                    session, of: call.caller, itself: session == current, from: call.client.source)
                let response = Response(.noContent)
                return session == current ? call.cookies.clearing(response) : response
            }.serving(.everybody),
            .signedIn(
                .post, "/v1/live/tickets", "A ticket that opens one live connection", scope: .session, answers: 201,
                .document("Ticket", ["ticket": .text, "expiresIn": .integer])
            ) { call in
                if call.client.isLimited, let wait = tickets.wait(for: call.caller, at: call.now) {
                    throw Problem.rateLimited(retryAfter: wait)
                }
                guard let token = call.token, let ticket = try await accounts.tickets.issue(for: token) else {
                    throw Problem.unavailable("Too many tickets are out")
                }
                return .json(.created) {
                    $0.value([
                        "ticket": .string(ticket.text), "expiresIn": .number(String(LiveTickets.lifetime)),
                    ])
                }
            }.unattended,
        ]
    }
}
