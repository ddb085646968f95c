import Forms
import HTTP
import JSON
import Messages

extension ServerConfiguration {
    /// The largest number of providers of one kind.
    private static let mostProviders = 32

    /// Reads the providers other than Rosefire, which are `oidc`, `github` and `cas` of `signIn`; returns whether there
    /// are any.
    mutating func readProviders(from form: inout Form, _ vocabulary: Vocabulary) -> Bool {
        var taken = Taken()
        form.part("github") { gitHub = GitHub(&$0) }
        if let gitHub { taken.issuers.insert((gitHub.url ?? "https://github.com").issuerForm) }
        // A provider with faults counts too, so that its other requirements are checked at once.
        var hasProviders = gitHub != nil
        let oidc = form.parts("oidc", most: Self.mostProviders) {
            hasProviders = true
            return OpenIDConnect(&$0, vocabulary, besides: &taken)
        }
        let list = form.parts("cas", most: Self.mostProviders) {
            hasProviders = true
            return CAS(&$0, vocabulary, besides: &taken)
        }
        (openIDConnect, cas) = (oidc ?? [], list ?? [])
        return hasProviders
    }

    /// What no two providers may have in common.
    fileprivate struct Taken {
        /// Two providers with one name would share their addresses.
        var names: Set<String> = ["rosefire", "github"]
        /// People are stored by their issuer, so one person could come in through two providers of one issuer, under
        /// two sets of rules.
        var issuers: Set<String> = []
    }
}

extension ServerConfiguration.OpenIDConnect {
    fileprivate init?(
        _ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary,
        besides taken: inout ServerConfiguration.Taken
    ) {
        let id = form.provider(vocabulary, besides: &taken)
        let title = form.line("title", max: 100, required: true)
        let issuer = form.issuer("issuer", besides: &taken)
        let clientID = form.line("clientId", max: 1_024, required: true)
        let secretFile = form.line("clientSecretFile", max: 4_096, required: true)
        let scopes = form.texts("scopes", as: "a scope such as profile") { scope in
            !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? scope : nil
        }
        let signUp = form.signUp(orElse: .open)
        let vouches = form.choice("secondFactor", of: SecondFactorRule.self) == .provider
        let institution = form.line("institution", max: 64)
        // A second factor counts for the whole server, so one institution's provider cannot vouch for it.
        if vouches, institution != nil { form.refuse("secondFactor", .vouchingOfInstitution) }
        let rules = form.membershipRules(within: institution)
        guard let id, let title, let issuer, let clientID, let secretFile else { return nil }
        self.init(
            id: id, title: title, issuer: issuer, clientID: clientID, secretFile: secretFile,
            scopes: scopes.isEmpty ? ["profile"] : scopes, signUp: signUp, vouchesForFactors: vouches, rules: rules,
            institution: institution)
    }
}

extension ServerConfiguration.GitHub {
    fileprivate init?(_ form: inout Form) {
        let clientID = form.line("clientId", max: 1_024, required: true)
        let secretFile = form.line("clientSecretFile", max: 4_096, required: true)
        let url = form.service("url")
        // Anyone in the world can have an account there.
        let signUp = form.signUp(orElse: .invited)
        guard let clientID, let secretFile else { return nil }
        self.init(clientID: clientID, secretFile: secretFile, url: url, signUp: signUp)
    }
}

extension ServerConfiguration.CAS {
    fileprivate init?(
        _ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary,
        besides taken: inout ServerConfiguration.Taken
    ) {
        let id = form.provider(vocabulary, besides: &taken)
        let title = form.line("title", max: 100, required: true)
        let url = form.issuer("url", besides: &taken)
        let signUp = form.signUp(orElse: .open)
        let institution = form.line("institution", max: 64)
        let rules = form.membershipRules(within: institution)
        guard let id, let title, let url else { return nil }
        self.init(
            id: id, title: title, url: url, signUp: signUp, rules: rules,
            institution: institution)
    }
}

extension ServerConfiguration.MembershipRule {
    fileprivate init?(_ form: inout Form, within own: String?) {
        let claim = form.line("claim", max: 200, required: true)
        let value = form.line("equals", max: 1_000, required: true)
        let institution = form.line("institution", max: 64) ?? own
        if institution == nil { form.refuse("institution", .missingField) }
        let mayManage = form.flag("mayManage") ?? false
        let role = form.role(mayManage: mayManage)
        let programs = form.texts("programs", as: "the identifier of a program") { $0.isEmpty ? nil : $0 }
        if !programs.isEmpty, let role, role != .teacher { form.refuse("programs", .rulePrograms) }
        let studentNumber = form.line("studentNumber", max: 200)
        guard let claim, let value, let institution, let role else { return nil }
        self.init(
            claim: claim, value: value, institution: institution, role: role, programs: programs,
            studentNumber: studentNumber)
    }
}

extension Form {
    fileprivate mutating func membershipRules(within institution: String?) -> [ServerConfiguration.MembershipRule] {
        let most = ServerConfiguration.MembershipRule.most
        return parts("memberships", most: most) { ServerConfiguration.MembershipRule(&$0, within: institution) } ?? []
    }

    /// Reads the role that a rule gives. The people who manage the provider's groups decide who gets it, so it is never
    /// a server role.
    fileprivate mutating func role(mayManage: Bool) -> ServerConfiguration.MembershipRule.Role? {
        let roles = ServerConfiguration.MembershipRule.Role.allCases.map(\.rawValue)
        guard let text = text("role", required: true, as: .choice(roles)) else { return nil }
        let role = ServerConfiguration.MembershipRule.Role(rawValue: text)
        switch role {
        case .student?, .teacher?: break
        case .registrar?: if !mayManage { refuse("role", .ruleRegistrar) }
        case nil where text == "administrator": refuse("role", .ruleAdministrator)
        case nil:
            refuse("role", .outOfRange, ["allowed": .array(roles.map { .string($0) })])
        }
        return role
    }
}

extension ServerConfiguration.MembershipRule {
    /// The largest number of rules of one provider.
    fileprivate static let most = 1_000
}

extension String {
    /// The issuer's address in a form for comparison: in lower case, without a `/` at the end.
    fileprivate var issuerForm: String {
        var text = lowercased()
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

/// Whose second factors count: only those set up here, or also the provider's.
private enum SecondFactorRule: String, CaseIterable {
    case own, provider
}

extension Form {
    fileprivate mutating func provider(
        _ vocabulary: ServerConfiguration.Vocabulary, besides taken: inout ServerConfiguration.Taken
    ) -> String? {
        guard let id = line("id", max: 32, required: true) else { return nil }
        if !taken.names.insert(id).inserted { refuse("id", .providerRepeated) }
        if vocabulary.isProvider(id) { return id }
        refuse("id", .outOfRange, ["expected": "lower-case letters, digits and hyphens, such as university"])
        return nil
    }

    fileprivate mutating func signUp(orElse usual: ServerConfiguration.SignUp) -> ServerConfiguration.SignUp {
        choice("signUp", of: ServerConfiguration.SignUp.self) ?? usual
    }

    /// Reads the address of a provider's service that no other provider may have.
    fileprivate mutating func issuer(_ name: String, besides taken: inout ServerConfiguration.Taken) -> String? {
        guard let address = service(name, required: true) else { return nil }
        if !taken.issuers.insert(address.issuerForm).inserted { refuse(name, .issuerRepeated) }
        return address
    }

    /// Reads the address of a service: `https`, or plain `http` on this machine, without user, query or fragment.
    fileprivate mutating func service(_ name: String, required: Bool = false) -> String? {
        guard let text = line(name, max: 1_024, required: required) else { return nil }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.contains { "?#@".contains($0) }
        if isPlain, text.hasPrefix("https://"), Self.authority(of: text.dropFirst(8)) != nil { return text }
        if isPlain, text.hasPrefix("http://"),
            Self.authority(of: text.dropFirst(7))?.address?.isLoopback ?? false
        {
            return text
        }
        refuse(name, .outOfRange, ["expected": "https://login.example.org"])
        return nil
    }

    private static func authority(of rest: Substring) -> Authority? { Authority(String(rest.prefix { $0 != "/" })) }
}
