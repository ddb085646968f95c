public import Accounts
public import Cryptography
public import Shared

/// The use cases of accounts, and the parts they share.
public struct AccountServices: Sendable {
    /// Signing up.
    public let signUp: SignUp
    /// Signing in with a password.
    public let signIn: SignIn
    /// Completing a sign-in with a second factor.
    public let secondFactorSignIn: SecondFactorSignIn
    /// Managing one's own second factor.
    public let secondFactors: SecondFactors
    /// Passkeys; `nil` if this server does not offer them.
    public let passkeys: Passkeys?
    /// Proving one's identity again within a session.
    public let proofs: Proofs
    /// Sessions: identify the sender of a request, list, sign out.
    public let sessions: Sessions
    /// API tokens: identify the bearer, list, create, end.
    public let tokens: APITokens
    /// Changing and resetting passwords.
    public let passwords: Passwords
    /// Managing one's own account.
    public let profiles: Profiles
    /// Managing the accounts of others, for administrators.
    public let administration: Administration
    /// Tickets for live connections.
    public let tickets: LiveTickets
    /// Signing in with the providers that the operator configured.
    public let providers: ProviderSignIn
    /// The identities at providers that an account is linked with.
    public let identities: Identities
    /// The recent sign-ins and changes of credentials of an account.
    public let activity: AccountActivity
    /// The e-mail addresses of accounts; `nil` if the server sends no mail.
    public let emails: Emails?
    /// The keys with which browsers encrypt changes that wait to be sent.
    public let sealing: SealingKeys
    /// Whether everyone may sign up with a password.
    public let allowsSignUp: Bool

    /// Creates the use cases.
    ///
    /// - Parameters:
    ///   - store: The store of accounts.
    ///   - hasher: Hashes passwords, which is slow.
    ///   - rules: The rules for new passwords.
    ///   - allowsSignUp: Whether everyone may sign up.
    ///   - providers: The sign-in providers.
    ///   - sealing: The keys with which browsers encrypt changes that wait to be sent.
    ///   - sealer: Encrypts the seeds of one-time codes in the store.
    ///   - issuer: The name of this server in authenticator apps.
    ///   - party: The name of this server for authenticators; `nil` disables passkeys.
    ///   - administratorsNeedFactor: Whether administrators must have a second factor.
    ///   - links: Makes the tokens of links in mails; `nil` if the server sends no mail.
    ///   - vouching: The rules that use what providers assert.
    ///   - report: Receives the reason why a sign-in with a provider failed.
    ///   - isStaff: Returns whether the account is a registrar or teacher of any institution, which shortens its
    ///     sessions.
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
