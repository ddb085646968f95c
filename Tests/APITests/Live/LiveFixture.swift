@testable import Accounts
import Live
import Shared
import Synchronization

/// Documents, sessions and rights for the live service, in memory, with the promises of the real ones.
final class LiveFixture: LiveAuthority, DocumentSource {
    private struct State {
        var epoch = Epoch("k3")
        var versions: [Topic: Version] = [:]
        var sizes: [Topic: Int] = [:]
        var sessions: [String: LiveIdentity] = [:]
        var tickets: [String: String] = [:]
        var denied: [AccountID: Set<Topic>] = [:]
        var isDown = false
        var documentsRead = 0
        var permissionsAsked = 0
    }

    private let state = Mutex(State())

    /// What documents say is a function of their place in time, filled up to a size.
    static func body(_ topic: Topic, _ revision: Revision, size: Int = 0) -> [UInt8] {
        Array("{\"is\":\"\(topic) at \(revision)\"".utf8)
            + (size > 0 ? Array(",\"fill\":\"".utf8) + Array(repeating: 0x78, count: size) + [0x22] : []) + [0x7D]
    }

    /// A session whose token is `token-NAME-NUMBER`.
    func signIn(_ name: String, session number: Int = 1, for seconds: Int64 = 3_600) -> String {
        let token = "token-\(name)-\(number)"
        let expires = WallClock.system.now.adding(seconds: seconds)
        let identity = LiveIdentity(
            account: AccountID(name), session: SessionID("\(name)-\(number)"), expires: expires)
        state.withLock { $0.sessions[token] = identity }
        return token
    }

    /// A ticket for one use of a session.
    func ticket(for token: String) -> String {
        state.withLock { $0.tickets["ticket-\(token)"] = token }
        return "ticket-\(token)"
    }

    func identity(of token: String) -> LiveIdentity? { state.withLock { $0.sessions[token] } }

    /// The same as a request's principal.
    func signedIn(by token: String) -> SignedIn? {
        guard let identity = identity(of: token) else { return nil }
        let now = WallClock.system.now
        let login = Login(stored: identity.account.text)
        let account = Account(id: identity.account, createdAt: now, login: login, profile: Profile(displayName: "x"))
        let session = Session(
            id: identity.session, account: identity.account, kind: .student, createdAt: now,
            expiresAt: identity.expires, lastSeenAt: now, source: "", client: "")
        return SignedIn(
            SessionStanding(session: session, account: account, accessVersion: 0, factors: FactorStanding()),
            under: SecondFactorDuty(administrators: false))
    }

    func end(_ token: String) -> Revocation? {
        state.withLock { $0.sessions.removeValue(forKey: token) }.map { .session($0.session) }
    }

    func deny(_ account: String, _ topic: Topic) {
        state.withLock { _ = $0.denied[AccountID(account), default: []].insert(topic) }
    }

    func goDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

    /// A committed change, as the store would tell of it.
    func commit(_ topic: Topic, size: Int = 0) -> TopicUpdate {
        let revision = state.withLock { state in
            let version = state.versions[topic, default: 0] + 1
            state.versions[topic] = version
            state.sizes[topic] = size
            return Revision(epoch: state.epoch, version: version)
        }
        return TopicUpdate(
            topic: topic, revision: revision, change: .document { Self.body(topic, revision, size: size) })
    }

    func delete(_ topic: Topic) -> TopicUpdate {
        state.withLock { state in
            let version = state.versions.removeValue(forKey: topic) ?? 0
            return TopicUpdate(
                topic: topic, revision: Revision(epoch: state.epoch, version: version), change: .deleted)
        }
    }

    /// Last night's backup: a new epoch in which everything is older.
    func restore() {
        state.withLock { state in
            state.epoch = Epoch("m7")
            state.versions = state.versions.mapValues { max(1, $0 - 3) }
        }
    }

    var permissionsAsked: Int { state.withLock { $0.permissionsAsked } }

    var documentsRead: Int { state.withLock { $0.documentsRead } }

    // MARK: LiveAuthority

    func authenticate(token: String, from source: String) async -> Authentication {
        state.withLock { state in
            let token = state.tickets.removeValue(forKey: token) ?? token
            return state.sessions[token].map { .identity($0) } ?? .invalid
        }
    }

    func confirm(_ identity: LiveIdentity) async -> Authentication {
        state.withLock { $0.sessions.values.contains(identity) } ? .identity(identity) : .revoked
    }

    func permission(to topic: Topic, for identity: LiveIdentity?) async -> Permission {
        state.withLock { state in
            state.permissionsAsked += 1
            guard state.versions[topic] != nil else { return .denied }
            guard let identity else {
                if case .program = topic { return .granted }
                return .denied
            }
            guard state.sessions.values.contains(identity) else { return .denied }
            return state.denied[identity.account]?.contains(topic) == true ? .denied : .granted
        }
    }

    // MARK: DocumentSource

    struct Down: Error {}

    func document(_ topic: Topic) async throws -> LiveDocument? {
        try state.withLock { state throws(Down) in
            if state.isDown { throw Down() }
            state.documentsRead += 1
            guard let version = state.versions[topic] else { return nil }
            let revision = Revision(epoch: state.epoch, version: version)
            return LiveDocument(
                revision: revision, bytes: Self.body(topic, revision, size: state.sizes[topic, default: 0]))
        }
    }

    func rows(_ topic: Topic, at cursor: RowsCursor) async throws -> LiveRows? { nil }

    func versions(of topics: [Topic]) async throws -> TopicVersions {
        try state.withLock { state throws(Down) in
            if state.isDown { throw Down() }
            return TopicVersions(epoch: state.epoch, versions: topics.map { state.versions[$0] })
        }
    }
}

extension LiveIdentity {
    /// The session, in tests that know of no tokens.
    var session: SessionID { if case .session(let session) = credential { session } else { SessionID("") } }
}
