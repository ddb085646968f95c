public import Cryptography
public import Shared

/// The use-cases of accounts and the parts they share.
public struct AccountServices: Sendable {
    /// Making an account of one's own.
    public let signUp: SignUp
    /// Signing in.
    public let signIn: SignIn
    /// Signing in with a second factor, after the first.
    public let secondFactorSignIn: SecondFactorSignIn
    /// What owners do with their second factor.
    public let secondFactors: SecondFactors
    /// Passkeys; `nil` where they are not offered.
    public let passkeys: Passkeys?
    /// Shows again who the owner of a session is.
    public let proofs: Proofs
    /// Sessions: who makes a request, list, sign out.
    public let sessions: Sessions
    /// API tokens: who shows one, list, make, end.
    public let tokens: APITokens
    /// Changing and resetting passwords.
    public let passwords: Passwords
    /// What an owner does with an account.
    public let profiles: Profiles
    /// What administrators do with accounts.
    public let administration: Administration
    /// Tickets for live connections.
    public let tickets: LiveTickets
    /// Sign-in with the providers that the operator configured.
    public let providers: ProviderSignIn
    /// Who vouches for an account.
    public let identities: Identities
    /// What happened lately around the ways into an account.
    public let activity: AccountActivity
    /// Addresses of accounts; `nil` where no mail is sent.
    public let emails: Emails?
    /// The keys with which browsers seal what waits to be sent.
    public let sealing: SealingKeys
    /// Whether anybody may make an account with a password.
    public let allowsSignUp: Bool

    /// Builds the use-cases.
    ///
    /// - Parameters:
    ///   - store: Where accounts are kept.
    ///   - hasher: Does the slow work on passwords.
    ///   - rules: What a new password must be.
    ///   - allowsSignUp: Whether anybody may make an account.
    ///   - providers: Who else vouches for people.
    ///   - vouching: What is made of what providers say.
    ///   - report: Learns why a provider did not vouch for a person.
    ///   - sealing: The keys with which browsers seal what waits to be sent.
    ///   - sealer: Seals the seeds of one-time codes in the store.
    ///   - issuer: What authenticator apps call this server.
    ///   - party: This server as authenticators know it; `nil` for no passkeys.
    ///   - administratorsNeedFactor: Whether administrators must have a second factor.
    ///   - links: Makes the tokens of links in mails; `nil` where no mail is sent.
    ///   - isStaff: Whether the account is a registrar or teacher anywhere, which shortens its sessions.
    public init(
        store: any AccountStore, hasher: PasswordHasher, rules: PasswordRules = PasswordRules(),
        allowsSignUp: Bool = true, providers: [any IdentityProvider] = [], sealing: SealingKeys = SealingKeys(),
        sealer: SecretSealer = SecretSealer(), issuer: String = "Gradecast", party: RelyingParty? = nil,
        administratorsNeedFactor: Bool = false,
        links: LinkKeys? = nil,
        clock: WallClock = .system,
        random: RandomSource = .system, vouching: VouchingRules = VouchingRules(),
        report: @escaping @Sendable (ProviderID, ProviderError) -> Void = { _, _ in },
        isStaff: @escaping @Sendable (AccountID) async throws -> Bool
    ) {
        let throttle = SignInThrottle(store: store)
        let identifiers = UUIDSource(milliseconds: { clock.now.microseconds / 1_000 }, random: random)
        emails = links.map { Emails(store: store, links: $0, clock: clock, identifiers: identifiers) }
        let duty = SecondFactorDuty(
            administrators: administratorsNeedFactor, countsPasskeys: party != nil, providers: providers)
        sessions = Sessions(
            store: store, clock: clock, random: random, identifiers: identifiers,
            duty: duty, emails: emails, isStaff: isStaff)
        tokens = APITokens(store: store, clock: clock, random: random, identifiers: identifiers, duty: duty)
        let drafts = AccountDrafts(rules: rules)
        let codes = SecondFactorCodes(sealer: sealer, issuer: issuer)
        secondFactorSignIn = SecondFactorSignIn(
            store: store, throttle: throttle, sessions: sessions, codes: codes, clock: clock, random: random)
        secondFactors = SecondFactors(store: store, throttle: throttle, codes: codes, clock: clock, random: random)
        passkeys = party.map { [sessions] party in
            Passkeys(
                party: party, store: store, sessions: sessions, clock: clock, random: random, identifiers: identifiers,
                issuers: Set(providers.map(\.issuer)))
        }
        self.providers = ProviderSignIn(
            providers, store: store, secondFactor: secondFactorSignIn, clock: clock, random: random,
            identifiers: identifiers, rules: vouching, report: report)
        proofs = Proofs(
            store: store, hasher: hasher, throttle: throttle, codes: codes, passkeys: passkeys,
            providers: self.providers, clock: clock)
        signIn = SignIn(
            store: store, hasher: hasher, throttle: throttle, secondFactor: secondFactorSignIn, clock: clock)
        signUp = SignUp(
            store: store, drafts: drafts, hasher: hasher, sessions: sessions, signIn: signIn, clock: clock,
            identifiers: identifiers, isOpen: allowsSignUp)
        passwords = Passwords(
            store: store, hasher: hasher, rules: rules, throttle: throttle, clock: clock, random: random)
        let ways = OpenWays(issuers: Set(providers.map(\.issuer)), passkeys: party != nil)
        profiles = Profiles(store: store, ways: ways, clock: clock)
        administration = Administration(
            store: store, drafts: drafts, hasher: hasher, passwords: passwords, sessions: sessions, ways: ways,
            clock: clock, identifiers: identifiers)
        tickets = LiveTickets(store: store, sessions: sessions, clock: clock, random: random)
        identities = Identities(store: store, providers: providers, clock: clock)
        activity = AccountActivity(store: store, identities: identities)
        self.sealing = sealing
        self.allowsSignUp = allowsSignUp
    }
}
