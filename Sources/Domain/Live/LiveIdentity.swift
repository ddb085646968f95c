public import Shared

/// The account that a reader reads for, and by what. A guest has none.
public struct LiveIdentity: Hashable, Sendable {
    /// The account; it never changes during a connection.
    public let account: AccountID
    /// The session by which it signed in, or its API token.
    public let credential: CredentialID
    /// When the session or token ends at the latest.
    public let expires: Timestamp
    /// When the session ends if no further request comes; at most `expires`. A live connection does not move it.
    public let idleEnd: Timestamp

    /// Creates an account with its session or token.
    ///
    /// - Parameter idleEnd: When it ends if no further request comes; `nil` for no such end.
    public init(account: AccountID, credential: CredentialID, expires: Timestamp, idleEnd: Timestamp? = nil) {
        self.account = account
        self.credential = credential
        self.expires = expires
        self.idleEnd = min(expires, idleEnd ?? expires)
    }

    /// Creates an account with its session.
    ///
    /// - Parameter idleEnd: When it ends if no further request comes; `nil` for no such end.
    public init(account: AccountID, session: SessionID, expires: Timestamp, idleEnd: Timestamp? = nil) {
        self.init(account: account, credential: .session(session), expires: expires, idleEnd: idleEnd)
    }

    /// Returns whether both are the same account by the same session or token, whenever that ends.
    func isSame(as other: LiveIdentity?) -> Bool {
        account == other?.account && credential == other?.credential
    }

    /// Whether a connection that reads for another may go on for this one: a newer session of the same account. A token
    /// may read less than what the connection follows already.
    func mayFollow(_ older: LiveIdentity?) -> Bool {
        guard let older, account == older.account, case .session = credential, case .session = older.credential else {
            return false
        }
        return true
    }

    /// How a connection is closed when the session or token comes to its end: pages sign in again, machines have to be
    /// given another token.
    var expiry: LiveCloseCode {
        switch credential {
        case .session: .tokenExpired
        case .token: .sessionRevoked
        }
    }
}

/// What became of a token, or of a session that was asked about again.
public enum Authentication: Sendable, Equatable {
    /// It stands for this account and session.
    case identity(LiveIdentity)
    /// There is none: a guest reads.
    case guest
    /// It stands for nothing.
    case invalid
    /// The session was ended, or its account disabled.
    case revoked
    /// The account, or the guest's address, has as many connections as it may.
    case tooManyConnections
    /// It cannot be decided now.
    case unavailable
}

/// Whether a topic may be read.
public enum Permission: Sendable, Equatable {
    case granted
    /// Granted to a person whom the others who work on the collection may see there.
    case admitted(Participant)
    /// There is no such document, or it may not be read; the client does not learn which of the two.
    case denied
    /// It cannot be decided now.
    case unavailable
}

/// The question whether a session is still good, which is answered off the loop.
public struct Confirmation: Sendable, Equatable {
    /// Whose session it is.
    public let identity: LiveIdentity
    /// Returned with the answer; each question of a reader has another.
    let number: UInt32
}

/// A question to the authority that is answered off the loop.
public struct PermissionRequest: Sendable, Equatable {
    /// What is to be read.
    public let topic: Topic
    /// Who wants to read it; `nil` for a guest.
    public let identity: LiveIdentity?
    /// Returned with the answer; an answer to an older question about the same topic is void.
    public let number: UInt32
}

/// Rights that have gone or may have gone. Told to every loop after the commit and before the revoking call answers.
public enum Revocation: Sendable, Equatable {
    /// One session has ended: its connections close.
    case session(SessionID)
    /// One API token has ended: its connections close.
    case token(APITokenID)
    /// The account's sessions have ended, except perhaps one: its connections close.
    case account(AccountID, except: SessionID?)
    /// The account's roles, memberships or consents changed, or whether it may do anything: its sessions and
    /// subscriptions are asked about again.
    case rights(of: AccountID)
    /// Who may read these documents changed: everybody's subscriptions to them are asked about again.
    case topics([Topic])
    /// Any right may have gone: every session and subscription is asked about again.
    case everything
}

extension Revocation {
    /// What a revocation means to one reader.
    enum Effect: Equatable {
        case none
        /// Its session is over.
        case end
        /// Its subscriptions to these topics, or to all, are in question.
        case recheck([Topic]?)
    }

    func effect(on identity: LiveIdentity?) -> Effect {
        switch self {
        case .session(let session): identity?.credential == .session(session) ? .end : .none
        case .token(let token): identity?.credential == .token(token) ? .end : .none
        case .account(let account, let spared):
            identity?.account == account && (spared.map { identity?.credential != .session($0) } ?? true)
                ? .end : .none
        case .rights(let account): identity?.account == account ? .recheck(nil) : .none
        case .topics(let topics): .recheck(topics)
        case .everything: .recheck(nil)
        }
    }
}
