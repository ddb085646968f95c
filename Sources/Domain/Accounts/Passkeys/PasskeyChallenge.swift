public import Shared

/// The purpose of a passkey challenge and the account that asked for it.
public struct PasskeyChallenge: Sendable, Equatable {
    /// The purpose of a challenge.
    public enum Purpose: String, Sendable, CaseIterable {
        /// To sign in with any account.
        case signIn
        /// To create a passkey for the account that is signed in.
        case register
        /// To prove again that the session's owner is present.
        case proof
    }

    /// The purpose.
    public let purpose: Purpose
    /// The account that asked; `nil` for a sign-in.
    public let account: AccountID?

    /// Creates a challenge as it is stored.
    public init(purpose: Purpose, account: AccountID?) {
        self.purpose = purpose
        self.account = account
    }
}
