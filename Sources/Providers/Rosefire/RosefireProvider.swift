public import Accounts
public import Messages
public import Shared

/// Sign-in with Rosefire: its page, in a window of its own, sends back a token that is signed with the shared secret.
public struct RosefireProvider: IdentityProvider {
    /// The provider's identifier here, and the issuer under which its people are stored: it has no address of its own.
    public static let id = ProviderID(stored: "rosefire")

    /// The provider's identifier here.
    public var id: ProviderID { Self.id }
    /// The displayed name.
    public var title: String { "Rosefire" }
    /// The protocol, which is Rosefire's own.
    public var kind: String { "Rosefire" }
    /// The issuer under which its people are stored.
    public var issuer: String { Self.id.text }
    /// Who gets an account at the first sign-in.
    public let signUp: SignUpRule
    /// The page sends back a token.
    public var proof: Callback.Proof { .token }
    /// The address of Rosefire's own page, with a query.
    public var page: String? { address }
    /// `nil`: the page opens in its own window and does not redirect the browser.
    public var callback: String? { nil }
    /// Empty: Rosefire is never asked anything, so nothing can fail.
    public var words: MessageCatalog { MessageCatalog() }

    private let secrets: RosefireSecrets
    private let address: String
    private let clock: WallClock

    /// Creates a provider with the secrets shared with Rosefire, and the address of its page with a query.
    public init(secrets: RosefireSecrets, page: String, allowsSignUp: Bool, clock: WallClock = .system) {
        self.secrets = secrets
        address = page
        signUp = allowsSignUp ? .open : .closed
        self.clock = clock
    }

    /// Returns the address of Rosefire's page, which does not depend on the attempt.
    public func begin(_ attempt: SignInAttempt) async throws -> Redirect { Redirect(address) }

    /// Returns an empty trial: Rosefire's tokens are checked here, without a request.
    public func trial() async -> ProviderTrial { ProviderTrial() }

    /// Verifies a token, which must be Rosefire's, current, and not older than the attempt.
    public func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion {
        guard let token = RosefireToken(text: callback.proof, secrets: secrets, at: clock.now),
            token.isIssued(after: attempt.begunAt)
        else { throw ProviderError.refused("a token that is not Rosefire's, not of now, or older than the attempt") }
        return Assertion(
            issuer: issuer, subject: token.subject, digest: token.digest, expiresAt: token.expiresAt,
            displayName: token.displayName)
    }
}
