public import Accounts
public import Shared

/// Sign-in with Rosefire: its page, in a window of its own, sends back a token that both sides' secret has signed.
public struct RosefireProvider: IdentityProvider {
    /// What it is called here, and the issuer under which its people are kept: it has no address of its own.
    public static let id = ProviderID(stored: "rosefire")

    /// What it is called here.
    public var id: ProviderID { Self.id }
    /// What people read.
    public var title: String { "Rosefire" }
    /// Under which name its people are kept.
    public var issuer: String { Self.id.text }
    /// Whether a person without an account gets one.
    public let allowsSignUp: Bool
    /// It sends back a token.
    public var proof: Callback.Proof { .token }
    /// The address of Rosefire's own page, with a query.
    public var page: String? { address }

    private let secrets: RosefireSecrets
    private let address: String
    private let clock: WallClock

    /// Rosefire with the secrets shared with it, at the address of its page with a query.
    public init(secrets: RosefireSecrets, page: String, allowsSignUp: Bool, clock: WallClock = .system) {
        self.secrets = secrets
        address = page
        self.allowsSignUp = allowsSignUp
        self.clock = clock
    }

    /// Rosefire's page takes nothing of the attempt.
    public func begin(_ attempt: SignInAttempt) async throws -> Redirect { Redirect(address) }

    /// Rosefire is not asked anything: its tokens are checked here.
    public func check() async throws {}

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
