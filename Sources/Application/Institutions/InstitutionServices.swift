public import Cryptography
public import Institutions
public import Shared

/// The use cases of institutions, and the parts they share.
public struct InstitutionServices: Sendable {
    /// The use cases of the institutions themselves.
    public let tenants: Tenants
    /// The use cases of memberships and invitations.
    public let members: Members
    /// The use cases of memberships that rules grant from providers' claims.
    public let grants: Grants
    /// The use cases of the accounts that software uses.
    public let serviceAccounts: ServiceAccounts
    /// The use cases of years, terms and periods.
    public let terms: Terms
    /// The use cases of programs.
    public let programs: Programs
    /// The institutions and programs that a configuration file declares.
    public let provisioning: Provisioning

    /// Creates the use cases.
    ///
    /// - Parameters:
    ///   - store: The store of institutions.
    ///   - check: Asks a scheme about a configuration.
    ///   - links: Makes the tokens of links in mails; `nil` if the server sends no mail.
    ///   - configured: The slugs by which the server's configuration names institutions.
    public init(
        store: any InstitutionStore, check: ConfigurationCheck, links: LinkKeys? = nil,
        configured: Set<String> = [], clock: WallClock = .system, random: RandomSource = .system
    ) {
        let identifiers = UUIDSource(milliseconds: { clock.now.microseconds / 1_000 }, random: random)
        tenants = Tenants(store: store, identifiers: identifiers, configured: configured)
        members = Members(store: store, identifiers: identifiers, random: random, links: links, clock: clock)
        grants = Grants(store: store, clock: clock)
        serviceAccounts = ServiceAccounts(store: store, identifiers: identifiers)
        terms = Terms(store: store, identifiers: identifiers)
        programs = Programs(store: store, tenants: tenants, check: check, identifiers: identifiers)
        provisioning = Provisioning(tenants: tenants, programs: programs)
    }
}
