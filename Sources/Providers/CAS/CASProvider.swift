public import Accounts
import Cryptography
public import Messages
public import Outbound
public import Shared
import XML

/// Sign-in with CAS 3.0: the browser comes back with a ticket, which this server asks CAS to validate.
///
/// CAS compares the service's address, which contains the attempt's name, so a ticket of another attempt is worthless.
public struct CASProvider: IdentityProvider {
    /// The settings that the operator chooses.
    public struct Settings: Sendable {
        /// The provider's identifier here.
        public let id: ProviderID
        /// The text on its button.
        public let title: String
        /// The address of the CAS server, without a `/` at its end.
        public let url: String
        /// The page of this site to which CAS sends the browser back.
        public let service: String
        /// Who gets an account at the first sign-in.
        public let signUp: SignUpRule
        /// The attributes that membership rules use.
        public let claims: Set<String>
        /// The institution that offers it for sign-in; `nil` if it is offered to everyone.
        public let institution: String?

        /// Creates the settings.
        public init(
            id: ProviderID, title: String, url: String, service: String, signUp: SignUpRule, claims: Set<String> = [],
            institution: String? = nil
        ) {
            self.id = id
            self.title = title
            self.url = CASProvider.issuer(at: url)
            self.service = service
            self.signUp = signUp
            self.claims = claims
            self.institution = institution
        }
    }

    /// The provider's identifier here.
    public var id: ProviderID { settings.id }
    /// The displayed name.
    public var title: String { settings.title }
    /// The protocol.
    public var kind: String { "CAS 3.0" }
    /// The address of the CAS server.
    public var issuer: String { settings.url }
    /// Who gets an account at the first sign-in.
    public var signUp: SignUpRule { settings.signUp }
    /// The institution that offers it for sign-in; `nil` if it is offered to everyone.
    public var institution: String? { settings.institution }
    /// The browser brings back a ticket.
    public var proof: Callback.Proof { .ticket }
    /// `nil`: the browser goes to CAS and comes back.
    public var page: String? { nil }
    /// The page to which the browser comes back.
    public var callback: String? { settings.service }
    /// The messages for its faults.
    public var words: MessageCatalog { .outbound }
    /// Always true: with `renew`, CAS validates only the ticket of a new sign-in.
    public var asksAgain: Bool { true }

    /// Returns the issuer under which people from a CAS server are stored.
    public static func issuer(at url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }

    private let settings: Settings
    private let client: OutboundClient
    private let clock: WallClock

    /// Creates a provider that reaches its CAS server through `client`.
    public init(_ settings: Settings, client: OutboundClient, clock: WallClock = .system) {
        self.settings = settings
        self.client = client
        self.clock = clock
    }

    /// Returns the redirect to the CAS server's login page.
    public func begin(_ attempt: SignInAttempt) async throws -> Redirect {
        Redirect(
            "\(settings.url)/login?" + OutboundRequest.text(of: [("service", service(of: attempt))] + renewal(attempt)))
    }

    /// Asks CAS to validate the ticket for the service of this attempt alone, and returns the person.
    public func complete(_ callback: Callback, of attempt: SignInAttempt) async throws -> Assertion {
        let ticket = callback.proof
        guard ticket.utf8.count <= 512, ticket.hasPrefix("ST-"), ticket.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw ProviderError.refused("not a service ticket") }
        let person = try await validated(ticket, attempt).person(asking: settings.claims)
        return Assertion(
            issuer: issuer, subject: person.user, digest: TokenDigest(bytes: SHA256.hash("\(issuer) \(ticket)".utf8)),
            expiresAt: clock.now.adding(seconds: Self.memory),
            askedAt: attempt.purpose == .stepUp || person.isNew ? clock.now : nil, displayName: person.displayName,
            personName: person.personName, locale: person.locale, session: ticket, claims: person.claims)
    }

    /// Reads the ticket whose session is over (CAS 3.0, section 2.3.3). The message is not signed, so it ends only that
    /// session: only CAS, this server and the browser know the ticket.
    public func logout(_ form: [String: String]) async throws -> LogoutNotice {
        guard let text = form["logoutRequest"], let request = XMLReader.read(Array(text.utf8)),
            request.name == "LogoutRequest", request.namespace == "urn:oasis:names:tc:SAML:2.0:protocol",
            let ticket = request.first("SessionIndex")?.text.trimmed, (1...512).contains(ticket.utf8.count)
        else { throw ProviderError.refused("not a logout request") }
        return LogoutNotice(issuer: issuer, ending: .session(SessionOrigin.digest(ticket), of: nil))
    }

    private func validated(_ ticket: String, _ attempt: SignInAttempt) async throws(ProviderError) -> CASValidation {
        do {
            return try await validation(of: ticket, attempt)
        } catch {
            throw .unavailable(words.message(error, in: .english))
        }
    }

    /// Tests the CAS server with a ticket that is not valid.
    public func trial() async -> ProviderTrial {
        var trial = ProviderTrial()
        let attempt = SignInAttempt(provider: id, account: nil, name: "", begunAt: clock.now)
        await trial.take(.tickets) { () throws(Fault) in _ = try await validation(of: "ST-none", attempt) }
        return trial
    }

    private func validation(of ticket: String, _ attempt: SignInAttempt) async throws(Fault) -> CASValidation {
        let query = OutboundRequest.text(
            of: [("service", service(of: attempt)), ("ticket", ticket)] + renewal(attempt))
        let address = "\(settings.url)/p3/serviceValidate"
        let response: OutboundResponse
        do {
            response = try await client.send(OutboundRequest("\(address)?\(query)"))
        } catch {
            throw error.fault(at: address)
        }
        guard response.status == 200 else { throw response.statusFault(at: address) }
        guard let validation = CASValidation(response.body) else {
            throw OutboundRequest.formFault(at: address, expected: "CAS 3.0")
        }
        return validation
    }

    /// Seconds for which a used ticket is remembered; CAS itself accepts each only once, within seconds.
    private static let memory: Int64 = 3_600

    /// Returns the parameter that makes CAS ask the person again, and validate a ticket only if it did.
    private func renewal(_ attempt: SignInAttempt) -> [(String, String)] {
        attempt.purpose == .stepUp ? [("renew", "true")] : []
    }

    private func service(of attempt: SignInAttempt) -> String { "\(settings.service)?state=\(attempt.name)" }
}
