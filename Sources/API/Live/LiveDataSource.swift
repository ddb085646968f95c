import Accounts
import Application
import Cryptography
import HTTP
import Live
import Shared

/// Answers the questions of the live service: whom a token identifies and, through the use-cases, who may read a topic
/// and what its document is.
struct LiveDataSource: LiveAuthority, DocumentSource {
    let accounts: AccountServices
    let documents: LiveDocuments

    // MARK: Who

    func authenticate(token: String, from source: String) async -> Authentication {
        do {
            if let secret = APIToken.secret(in: token.utf8) { return try await authenticate(secret, from: source) }
            guard let token = SecretToken(text: token) else { return .invalid }
            // A ticket stands for the session that requested it, and works once.
            var signedIn = try await accounts.sessions.authenticate(token, renewing: false)
            if signedIn == nil { signedIn = try await accounts.tickets.redeem(token) }
            guard let signedIn else { return .invalid }
            return .identity(LiveIdentity(signedIn))
        } catch {
            return .unavailable
        }
    }

    private func authenticate(_ secret: SecretToken, from source: String) async throws -> Authentication {
        guard case .bearer(let bearer) = try await accounts.tokens.authenticate(secret),
            let client = IPAddress(source), bearer.works(from: client)
        else { return .invalid }
        return .identity(LiveIdentity(bearer))
    }

    func confirm(_ identity: LiveIdentity) async -> Authentication {
        do {
            return try await principal(identity).flatMap { LiveIdentity($0) }.map { .identity($0) } ?? .revoked
        } catch {
            return .unavailable
        }
    }

    /// The current state of the account, if the session or token is still valid.
    private func principal(_ identity: LiveIdentity) async throws -> Principal? {
        switch identity.credential {
        case .session(let session):
            try await accounts.sessions.signedIn(by: session, of: identity.account).map { .signedIn($0) }
        case .token(let token):
            try await accounts.tokens.bearer(by: token, of: identity.account).map { .token($0) }
        }
    }

    // MARK: Who may read what

    func permission(to topic: Topic, for identity: LiveIdentity?) async -> Permission {
        do {
            var who = Principal.guest
            if let identity {
                guard let principal = try await principal(identity), principal.enrolment == nil else {
                    return .denied
                }
                who = principal
            }
            guard topic.scope.isOpen(to: who) else { return .denied }
            guard try await documents.mayRead(topic, as: who) else { return .denied }
            return try await documents.participant(in: topic, as: who).map { .admitted($0) } ?? .granted
        } catch {
            return .unavailable
        }
    }

    // MARK: Documents

    func document(_ topic: Topic) async throws -> LiveDocument? { try await documents.document(of: topic) }

    func rows(_ topic: Topic, at cursor: RowsCursor) async throws -> LiveRows? {
        try await documents.rows(of: topic, at: cursor)
    }

    func versions(of topics: [Topic]) async throws -> TopicVersions { try await documents.versions(of: topics) }
}

extension LiveIdentity {
    init(_ signedIn: SignedIn) {
        self.init(
            account: signedIn.account, session: signedIn.session, expires: signedIn.expiresAt, idleEnd: signedIn.endsAt)
    }

    init(_ bearer: TokenBearer) {
        self.init(account: bearer.acting.account, credential: .token(bearer.token), expires: bearer.expiresAt)
    }

    /// The identity for which a principal's connection reads; `nil` for a guest, and for a job, which has no
    /// connections.
    init?(_ principal: Principal) {
        switch principal {
        case .signedIn(let signedIn): self.init(signedIn)
        case .token(let bearer): self.init(bearer)
        case .guest, .job: return nil
        }
    }
}
