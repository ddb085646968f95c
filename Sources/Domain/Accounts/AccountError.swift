/// The reason why an account's owner, or a person who claims to be the owner, was refused. Faults in the input are a
/// `FaultList`, and refusals of the store a `StoreError`.
public enum AccountError: Error, Equatable, Sendable {
    /// The login and password are not valid together. An unknown login, a wrong password and a disabled account give
    /// the same error.
    case refused
    /// There were too many attempts; the next one is possible after so many seconds, 1…900.
    case throttled(retryAfter: Int)
    /// Too many passwords are waiting to be hashed; a retry is sensible after so many seconds.
    case busy(retryAfter: Int)
    /// Only administrators create accounts on this server.
    case signUpClosed
    /// The provider is unreachable or gives wrong answers; other ways to sign in still work.
    case providerUnavailable
}
