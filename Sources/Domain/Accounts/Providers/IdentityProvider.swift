public import Messages

/// A service that vouches for people. All that it is asked for ends in an ``Assertion``, which ``ProviderSignIn`` turns
/// into a session or a link.
public protocol IdentityProvider: Sendable {
    /// What the operator calls it.
    var id: ProviderID { get }
    /// What people read on its button.
    var title: String { get }
    /// What it speaks, for administrators: `OpenID Connect`.
    var kind: String { get }
    /// Under which name its identities are kept. It never changes with the configuration's names.
    var issuer: String { get }
    /// Whether a person without an account gets one.
    var signUp: SignUpRule { get }
    /// The institution whose sign-in offers it, by what the configuration calls it; `nil` for the whole server's.
    var institution: String? { get }
    /// What its page brings back.
    var proof: Callback.Proof { get }
    /// The address of its own page where that opens in a window of its own and sends back a message; `nil` for a
    /// provider to which the browser goes, and which sends it back.
    var page: String? { get }
    /// The address of this site to register with the provider, to which it sends browsers back; `nil` for none.
    var callback: String? { get }
    /// The wording of the faults that a trial finds.
    var words: MessageCatalog { get }

    /// Whether it can be made to ask a person again whom it remembers, and says when it did.
    var asksAgain: Bool { get }
    /// Whether it is believed when it says that two factors were shown.
    var vouchesForFactors: Bool { get }

    /// Sets out: where the browser is to go. Throws a ``ProviderError``.
    func begin(_ attempt: SignInAttempt) async throws -> Redirect

    /// Comes back: what the provider says of the person. Throws a ``ProviderError``.
    func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion

    /// Takes in a message that a person has signed out there, by the fields of its form. Throws a ``ProviderError`` for one
    /// that is not believed.
    func logout(_ form: [String: String]) async throws -> LogoutNotice

    /// Fetches again what a sign-in needs of the provider, without a person.
    func trial() async -> ProviderTrial
}

extension IdentityProvider {
    /// Most providers that are not made for it sign a person in whom they remember without a word.
    public var asksAgain: Bool { false }

    /// Most providers vouch for one factor.
    public var vouchesForFactors: Bool { false }

    /// Most providers are the whole server's.
    public var institution: String? { nil }

    /// Most providers do not say that a person has signed out.
    public func logout(_ form: [String: String]) async throws -> LogoutNotice {
        throw ProviderError.refused("this provider does not say when people sign out")
    }
}

/// Where a browser goes to sign in.
public struct Redirect: Sendable, Equatable {
    /// The address, with everything that the provider has to know.
    public let location: String

    /// An address.
    public init(_ location: String) { self.location = location }
}

/// What a browser brings back from a provider.
public struct Callback: Sendable, Equatable {
    /// The kinds of proof, which are also the names under which they are sent.
    public enum Proof: String, Sendable, CaseIterable {
        /// A code to exchange for tokens (OAuth 2).
        case code
        /// A ticket to have validated (CAS).
        case ticket
        /// A signed token.
        case token

        /// The name under which the attempt is sent with it.
        public var attemptName: String { self == .token ? "attempt" : "state" }
    }

    /// The code, ticket or token.
    public let proof: String
    /// The issuer that the provider's answer named (RFC 9207).
    public let issuer: String?

    /// What came back.
    public init(proof: String, issuer: String? = nil) {
        self.proof = proof
        self.issuer = issuer
    }
}

/// Why a provider did not vouch for a person. The reasons are for the log: the person is told which of the two it was.
public enum ProviderError: Error, Sendable, Equatable {
    /// What came back is not believed.
    case refused(String)
    /// The provider cannot be reached, is too slow, or does not answer as it should.
    case unavailable(String)
}
