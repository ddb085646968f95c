public import Cryptography

/// What a sign-in needs to know about an account.
public struct StoredCredentials: Sendable {
    /// The account.
    public let account: Account
    /// The hash of its password; `nil` if it has none.
    public let password: PasswordHash?
    /// Whether the device has signed in to it before.
    public let knowsDevice: Bool

    /// Creates the credentials of an account.
    public init(account: Account, password: PasswordHash?, knowsDevice: Bool) {
        self.account = account
        self.password = password
        self.knowsDevice = knowsDevice
    }
}
