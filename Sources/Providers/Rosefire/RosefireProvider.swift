public import Accounts
public import Messages
public import Shared

/// Sign-in with Rosefire: its page, in a window of its own, sends back a token that both sides' secret has signed.
public struct RosefireProvider: IdentityProvider {
    /// What it is called here, and the issuer under which its people are kept: it has no address of its own.
    public static let id = ProviderID(stored: "rosefire")

    /// What it is called here.
    public var id: ProviderID { Self.id }
    /// What people read.
    public var title: String { "Rosefire" }
    /// It speaks a form of its own.
    public var kind: String { "Rosefire" }
    /// Under which name its people are kept.
    public var issuer: String { Self.id.text }
    /// Whether a person without an account gets one.
    public let signUp: SignUpRule
    /// It sends back a token.
    public var proof: Callback.Proof { .token }
    /// The address of Rosefire's own page, with a query.
    public var page: String? { address }
    /// Its page is a window of this site's own and leads nowhere.
    public var callback: String? { nil }
    /// Nothing is asked of it, so that nothing can be wrong.
    public var words: MessageCatalog { MessageCatalog() }

    private let secrets: RosefireSecrets
    private let address: String
    private let clock: WallClock

    /// Rosefire with the secrets shared with it, at the address of its page with a query.
    public init(secrets: RosefireSecrets, page: String, allowsSignUp: Bool, clock: WallClock = .system) {
        self.secrets = secrets
        address = page
        signUp = allowsSignUp ? .open : .closed
        self.clock = clock
    }

    /// Rosefire's page takes nothing of the attempt.
    public func begin(_ attempt: SignInAttempt) async throws -> Redirect { Redirect(address) }

    /// Rosefire is not asked anything: its tokens are checked here.
    public func trial() async -> ProviderTrial { ProviderTrial() }

    /// Believes a token that is Rosefire's, of now, and not older than the attempt.
    public func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion {
        guard let token = RosefireToken(text: callback.proof, secrets: secrets, at: clock.now),
            token.isIssued(after: attempt.begunAt)
        else { throw ProviderError.refused("a token that is not Rosefire's, not of now, or older than the attempt") }
        return Assertion(
            issuer: issuer, subject: token.subject, digest: token.digest, expiresAt: token.expiresAt,
            displayName: token.displayName)
    }
}
