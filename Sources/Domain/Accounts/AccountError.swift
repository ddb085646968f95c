/// Why an account's owner, or a person who claims to be, was refused. What is wrong with what was typed is a
/// `FaultList`, and what the store refuses a `StoreError`.
public enum AccountError: Error, Equatable, Sendable {
    /// Login and password do not let anybody in. Says the same of an unknown login, a wrong password and a
    /// disabled account.
    case refused
    /// Too many attempts; another one is looked at in that many seconds, 1…900.
    case throttled(retryAfter: Int)
    /// More passwords wait to be hashed than will be soon; try again in that many seconds.
    case busy(retryAfter: Int)
    /// Accounts are made by administrators only.
    case signUpClosed
    /// A provider cannot be reached or does not answer as it should; other ways to sign in go on.
    case providerUnavailable
}
