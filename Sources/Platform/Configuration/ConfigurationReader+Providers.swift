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
        let oidc = form.array("oidc", most: Self.mostProviders) ?? []
        openIDConnect = oidc.readAll("oidc", into: &form) { OpenIDConnect(&$0, vocabulary) }
        read("github", of: &form) { gitHub = GitHub(&$0) }
        let list = form.array("cas", most: Self.mostProviders) ?? []
        cas = list.readAll("cas", into: &form) { CAS(&$0, vocabulary) }
        // Addresses could not tell two providers of one name apart.
        var names: Set<String> = ["rosefire", "github"]
        for (name, elements) in [("oidc", oidc), ("cas", list)] {
            for (index, element) in elements.enumerated() {
                guard let id = element["id"]?.string, !names.insert(id).inserted else { continue }
                form.refuse(name, FaultList([Fault(.providerRepeated, at: JSONPointer.step(index) + "/id")]))
            }
        }
        refuseRepeatedIssuers(in: &form, oidc, list)
        return !oidc.isEmpty || !list.isEmpty || gitHub != nil
    }

    /// Refuses two providers of one issuer. People are stored by their issuer, so the same person could come in through
    /// either provider, under two sets of rules.
    private func refuseRepeatedIssuers(in form: inout Form, _ oidc: [JSON], _ cas: [JSON]) {
        var issuers: Set<String> = []
        if let gitHub { issuers.insert((gitHub.url ?? "https://github.com").issuerForm) }
        for (name, key, elements) in [("oidc", "issuer", oidc), ("cas", "url", cas)] {
            for (index, element) in elements.enumerated() {
                guard let issuer = element[key]?.string, !issuers.insert(issuer.issuerForm).inserted else { continue }
                form.refuse(name, FaultList([Fault(.issuerRepeated, at: JSONPointer.step(index) + "/\(key)")]))
            }
        }
    }
}

extension ServerConfiguration.OpenIDConnect {
    fileprivate init?(_ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary) {
        let id = form.provider(vocabulary)
        let title = form.line("title", max: 100, required: true)
        let issuer = form.service("issuer", required: true)
        let clientID = form.line("clientId", max: 1_024, required: true)
        let secretFile = form.line("clientSecretFile", max: 4_096, required: true)
        let scopes = form.texts("scopes", as: "a scope such as profile") { scope in
            !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? scope : nil
        }
        let signUp = form.signUp(orElse: .open)
        let vouches = form.choice("secondFactor", of: SecondFactorRule.self) == .provider
        let institution = form.line("institution", max: 64)
        // A second factor counts on the whole server, so one institution's provider cannot vouch for it.
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
    fileprivate init?(_ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary) {
        let id = form.provider(vocabulary)
        let title = form.line("title", max: 100, required: true)
        let url = form.service("url", required: true)
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
        let institution = form.line("institution", max: 64, required: own == nil) ?? own
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
        return (array("memberships", most: most) ?? []).readAll("memberships", into: &self) {
            ServerConfiguration.MembershipRule(&$0, within: institution)
        }
    }

    /// Reads the role that a rule gives. The people who manage the provider's groups decide who gets it, so it is never
    /// a server role.
    fileprivate mutating func role(mayManage: Bool) -> ServerConfiguration.MembershipRule.Role? {
        guard let text = line("role", max: 32, required: true) else { return nil }
        let role = ServerConfiguration.MembershipRule.Role(rawValue: text)
        switch role {
        case .student?, .teacher?: break
        case .registrar?: if !mayManage { refuse("role", .ruleRegistrar) }
        case nil where text == "administrator": refuse("role", .ruleAdministrator)
        case nil:
            let allowed = ServerConfiguration.MembershipRule.Role.allCases.map { JSON.string($0.rawValue) }
            refuse("role", .outOfRange, ["allowed": .array(allowed)])
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
    fileprivate mutating func provider(_ vocabulary: ServerConfiguration.Vocabulary) -> String? {
        guard let id = line("id", max: 32, required: true) else { return nil }
        if vocabulary.isProvider(id) { return id }
        refuse("id", .outOfRange, ["expected": "lower-case letters, digits and hyphens, such as university"])
        return nil
    }

    fileprivate mutating func signUp(orElse usual: ServerConfiguration.SignUp) -> ServerConfiguration.SignUp {
        choice("signUp", of: ServerConfiguration.SignUp.self) ?? usual
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
