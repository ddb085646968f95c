public import Cryptography

/// What signing in needs to know of an account.
public struct StoredCredentials: Sendable {
    /// The account.
    public let account: Account
    /// Its password; `nil` for none.
    public let password: PasswordHash?
    /// Whether the device asked about signed in to it before.
    public let knowsDevice: Bool

    /// What was found.
    public init(account: Account, password: PasswordHash?, knowsDevice: Bool) {
        self.account = account
        self.password = password
        self.knowsDevice = knowsDevice
    }
}
