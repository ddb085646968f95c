import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Institutions
import Live
import Records
import Shared

/// Answers what the live service asks: what a token stands for, who may read a topic, and what the documents are.
struct LiveDataSource: LiveAuthority, DocumentSource {
    let epoch: Epoch
    let accounts: AccountServices
    let desk: RecordService
    let lists: RecordLists
    let cohorts: CohortProjector

    // MARK: Who

    func authenticate(token: String, from source: String) async -> Authentication {
        do {
            if let secret = APIToken.secret(in: token.utf8) { return try await authenticate(secret, from: source) }
            guard let token = SecretToken(text: token) else { return .invalid }
            // A ticket stands for the session that asked for it, and is used up by being shown.
            var signedIn = try await accounts.sessions.authenticate(token)
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
            return try await principal(identity) == nil ? .revoked : .identity(identity)
        } catch {
            return .unavailable
        }
    }

    /// The account as it is now, if the session or token still holds.
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
                guard let principal = try await principal(identity), principal.signedIn?.enrolment == nil else {
                    return .denied
                }
                who = principal
            }
            guard topic.scope.isOpen(to: who) else { return .denied }
            return try await mayRead(topic, who) ? .granted : .denied
        } catch {
            return .unavailable
        }
    }

    private func mayRead(_ topic: Topic, _ principal: Principal) async throws -> Bool {
        switch topic {
        case .standing(let id, let view), .record(let id, let view):
            guard let decision = try await recordDecision(id, principal) else { return false }
            // Staff may follow either view, a student the released one alone.
            if case .allowed(let isStaff) = decision { return isStaff || view == .released }
            return false
        case .program(let id): return try await programDecision(.read, id, principal).isAllowed
        case .records(let account): return principal.account == account
        case .cohort(let id): return try await programDecision(.oversee, id, principal).isAllowed
        // A topic without a document has no readers to notify.
        case .feed, .accounts: return false
        }
    }

    private func recordDecision(_ id: RecordID, _ principal: Principal) async throws -> AuthorizationDecision? {
        guard let head = try await desk.store.head(of: id),
            let program = try await desk.institutions.programs.find(head.program),
            let institution = try await desk.institutions.tenants.find(head.institution.text)
        else { return nil }
        let decision = authorize(
            try await desk.identity(of: principal), .read,
            on: .record(student: head.student, program: program, in: institution))
        if decision == .allowed(staff: true), head.student != principal.account {
            try await desk.readings.note(principal, reads: head, from: "live")
        }
        return decision
    }

    private func programDecision(_ action: Action, _ id: ProgramID, _ principal: Principal) async throws
        -> AuthorizationDecision
    {
        guard let program = try await desk.institutions.programs.find(id),
            let institution = try await desk.institutions.tenants.find(program.institution.text)
        else { return .unknown }
        return authorize(try await desk.identity(of: principal), action, on: .program(program, in: institution))
    }

    // MARK: Documents

    func document(_ topic: Topic) async throws -> LiveDocument? {
        switch topic {
        case .standing(let id, let view):
            return try await desk.store.snapshot(of: id).map { snapshot in
                let view = RecordView(view)
                return LiveDocument(revision: snapshot.revision(view), bytes: snapshot.content(view).standing)
            }
        case .record(let id, let view):
            return try await desk.store.snapshot(of: id).map { snapshot in
                let view = RecordView(view)
                let revision = snapshot.revision(view)
                return LiveDocument(
                    revision: revision, bytes: snapshot.content(view).document(version: revision.version))
            }
        case .program(let id): return try await programDocument(id)
        case .records(let account): return try await lists.document(of: account)
        case .cohort(let id): return try await cohorts.document(of: id)
        case .feed, .accounts: return nil
        }
    }

    /// What `GET /v1/programs/{id}` answers to a caller who is not of its staff.
    func programDocument(_ id: ProgramID) async throws -> LiveDocument? {
        guard let program = try await desk.institutions.programs.find(id) else { return nil }
        let versions = try await desk.institutions.programs.standing(of: program)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("program") { program.write(to: &$0, versions) }
        }
        return LiveDocument(revision: program.revision, bytes: writer.bytes)
    }

    func versions(of topics: [Topic]) async throws -> TopicVersions {
        let records = Set(topics.compactMap(\.recordID))
        let found = try await desk.store.versions(of: Array(records))
        let versions = Dictionary(found.map { ($0.record, $0) }) { first, _ in first }
        var answer: [Version?] = []
        for topic in topics {
            switch topic {
            case .standing(let id, let view), .record(let id, let view):
                answer.append(view == .staff ? versions[id]?.full : versions[id]?.released)
            case .program(let id):
                answer.append(try await desk.institutions.programs.find(id)?.revision.version)
            case .records(let account): answer.append(try await lists.version(of: account))
            case .cohort(let id): answer.append(try await cohorts.document(of: id)?.revision.version)
            case .feed, .accounts: answer.append(nil)
            }
        }
        return TopicVersions(epoch: epoch, versions: answer)
    }
}

extension AuthorizationDecision {
    fileprivate var isAllowed: Bool {
        if case .allowed = self { true } else { false }
    }
}

extension LiveIdentity {
    init(_ signedIn: SignedIn) {
        self.init(account: signedIn.account, session: signedIn.session, expires: signedIn.expiresAt)
    }

    init(_ bearer: TokenBearer) {
        self.init(account: bearer.acting.account, credential: .token(bearer.token), expires: bearer.expiresAt)
    }

    /// For whom a connection reads that the principal opens; `nil` for a guest, and for a job, which opens none.
    init?(_ principal: Principal) {
        switch principal {
        case .signedIn(let signedIn): self.init(signedIn)
        case .token(let bearer): self.init(bearer)
        case .guest, .job: return nil
        }
    }
}

extension RecordView {
    init(_ view: Topic.View) { self = view == .staff ? .full : .released }
}

extension Topic {
    /// The record that the topic is about, if it is about one.
    fileprivate var recordID: RecordID? {
        switch self {
        case .standing(let id, _), .record(let id, _): id
        case .program, .cohort, .records, .feed, .accounts: nil
        }
    }
}
