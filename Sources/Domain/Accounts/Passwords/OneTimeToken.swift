public import Shared

/// What a secret link does, once.
public struct OneTimeToken: Sendable, Equatable {
    /// What it is for.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Sets a new password for an account whose owner forgot it; 30 minutes.
        case reset
        /// Sets the first password of an account that was made for a person; 7 days.
        case invitation
        /// Makes the first administrator; 24 hours; the next start prints another.
        case firstAdministrator

        /// Seconds until it expires.
        public var lifetime: Int64 {
            switch self {
            case .reset: 30 * 60
            case .invitation: 7 * 86_400
            case .firstAdministrator: 86_400
            }
        }
    }

    /// What it is for.
    public let purpose: Purpose
    /// Whose password it sets; `nil` for the first administrator's.
    public let account: AccountID?
    /// The administrator who made it, and with whose role it ends; `nil` for the server, its command line and the owner.
    public let maker: AccountID?
    /// From then on it is refused.
    public let expiresAt: Timestamp

    /// A token's meaning.
    public init(purpose: Purpose, account: AccountID?, maker: AccountID? = nil, expiresAt: Timestamp) {
        self.purpose = purpose
        self.account = account
        self.maker = maker
        self.expiresAt = expiresAt
    }
}
