public import Shared

/// The meaning of a secret link that works once.
public struct OneTimeToken: Sendable, Equatable {
    /// The purpose of the link.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Sets a new password for an account whose owner forgot it; valid for 30 minutes.
        case reset
        /// Sets the first password of an account that an administrator created; valid for 7 days.
        case invitation
        /// Creates the first administrator; valid for 24 hours. The next start prints another one.
        case firstAdministrator

        /// The time that the link is valid, in seconds.
        public var lifetime: Int64 {
            switch self {
            case .reset: 30 * 60
            case .invitation: 7 * 86_400
            case .firstAdministrator: 86_400
            }
        }
    }

    /// The purpose of the link.
    public let purpose: Purpose
    /// The account whose password it sets; `nil` for the first administrator.
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
