public import Messages

/// A service that people sign in with. Every sign-in with it ends in an ``Assertion``, which ``ProviderSignIn`` turns
/// into a session or a link.
public protocol IdentityProvider: Sendable {
    /// The operator's name for it.
    var id: ProviderID { get }
    /// The text on its button.
    var title: String { get }
    /// The name of its protocol, for administrators, such as `OpenID Connect`.
    var kind: String { get }
    /// The issuer of its identities. It stays the same when the operator renames the provider.
    var issuer: String { get }
    /// Which people without an account get one.
    var signUp: SignUpRule { get }
    /// The slug or identifier of the institution whose sign-in page offers it; `nil` for that of the whole server.
    var institution: String? { get }
    /// The kind of proof that the browser brings back from it.
    var proof: Callback.Proof { get }
    /// The URL of its page, if that opens in its own window and sends a message back; `nil` if the browser goes to the
    /// provider and is redirected back.
    var page: String? { get }
    /// The URL of this site to register with the provider for redirects back; `nil` if it needs none.
    var callback: String? { get }
    /// The messages for the faults that a trial finds.
    var words: MessageCatalog { get }

    /// Whether it can be made to authenticate a remembered person again, and says when it did.
    var asksAgain: Bool { get }
    /// Whether the operator trusts it to vouch for two factors.
    var vouchesForFactors: Bool { get }

    /// Begins a sign-in and returns where the browser must go; throws a ``ProviderError``.
    func begin(_ attempt: SignInAttempt) async throws -> Redirect

    /// Completes a sign-in and returns what the provider asserts; throws a ``ProviderError``.
    func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion

    /// Reads the form fields of a message that a person has signed out at the provider. Throws a ``ProviderError`` if
    /// the message is not authentic.
    func logout(_ form: [String: String]) async throws -> LogoutNotice

    /// Fetches again what a sign-in needs from the provider, without a person, and reports the results.
    func trial() async -> ProviderTrial
}

extension IdentityProvider {
    /// `false`: many providers sign in a remembered person without asking.
    public var asksAgain: Bool { false }

    /// `false`: most providers vouch for one factor only.
    public var vouchesForFactors: Bool { false }

    /// `nil`: most providers serve the whole server.
    public var institution: String? { nil }

    /// Refuses every message: most providers do not report that a person has signed out.
    public func logout(_ form: [String: String]) async throws -> LogoutNotice {
        throw ProviderError.refused("this provider does not say when people sign out")
    }
}

/// Where a browser must go to sign in.
public struct Redirect: Sendable, Equatable {
    /// The URL, with all parameters for the provider.
    public let location: String

    /// Creates a redirect.
    public init(_ location: String) { self.location = location }
}

/// What a browser brings back from a provider.
public struct Callback: Sendable, Equatable {
    /// The kind of proof; the raw value is also the name of its parameter.
    public enum Proof: String, Sendable, CaseIterable {
        /// A code to exchange for tokens (OAuth 2).
        case code
        /// A ticket to validate (CAS).
        case ticket
        /// A signed token.
        case token

        /// The name of the parameter with the attempt's name.
        public var attemptName: String { self == .token ? "attempt" : "state" }
    }

    /// The code, ticket or token.
    public let proof: String
    /// The issuer that the provider's answer named (RFC 9207).
    public let issuer: String?

    /// Creates a callback.
    public init(proof: String, issuer: String? = nil) {
        self.proof = proof
        self.issuer = issuer
    }
}

/// The reason why a sign-in with a provider failed. The texts are for the log; the person learns only which case it
/// was.
public enum ProviderError: Error, Sendable, Equatable {
    /// The proof is not valid.
    case refused(String)
    /// The provider is unreachable, too slow, or gives wrong answers.
    case unavailable(String)
}
