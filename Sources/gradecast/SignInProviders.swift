import API
import Accounts
import Application
import CAS
import Configuration
import GitHub
import HTTP
import OpenIDConnect
import Outbound
import Rosefire

/// The providers that the configuration names, with the secrets read from their files.
struct SignInProviders {
    /// All providers, in the order in which people see them.
    let all: [any IdentityProvider]
    /// The stand-in that plays one of them in a demonstration; `nil` outside one.
    let standIn: ProviderStandIn?
    /// The client that sends the requests to them.
    private let client: OutboundClient

    init(_ configuration: ServerConfiguration) throws {
        var all: [any IdentityProvider] = []
        var standIn: ProviderStandIn?
        if let wish = configuration.rosefire {
            let secrets = try Self.secrets(of: wish, at: configuration.rosefireFile)
            let page = wish.isStandIn ? ProviderStandIn.page(of: RosefireProvider.id) : Self.page(wish)
            let rosefire = RosefireProvider(secrets: secrets, page: page, allowsSignUp: wish.allowsSignUp)
            all.append(rosefire)
            if wish.isStandIn { standIn = Self.standIn(for: rosefire, secrets) }
        }
        let client = OutboundClient(OutboundPolicy(allowing: configuration.outboundNetworks))
        for wish in configuration.openIDConnect {
            all.append(OpenIDConnectProvider(try .init(wish, at: configuration.page(of: wish.id)), client: client))
        }
        for wish in configuration.cas {
            all.append(CASProvider(.init(wish, at: configuration.page(of: wish.id)), client: client))
        }
        if let wish = configuration.gitHub {
            let page = configuration.page(of: GitHubProvider.id.text)
            all.append(GitHubProvider(try .init(wish, at: page), client: client))
        }
        self.all = all
        self.standIn = standIn
        self.client = client
    }

    /// Stops sending requests; returns when the last thread has finished.
    func close() async { await client.close() }

    private static func standIn(for rosefire: RosefireProvider, _ secrets: RosefireSecrets) -> ProviderStandIn {
        ProviderStandIn(for: rosefire.id, title: rosefire.title) { person, now in
            RosefireToken.issue(to: person.id, named: person.name, group: person.group, secrets: secrets, at: now)
        }
    }

    private static func secrets(
        of wish: ServerConfiguration.Rosefire, at path: String
    ) throws -> RosefireSecrets {
        if wish.isStandIn { try makeFile(path) }
        guard let file = try Files.privateContents(of: path) else {
            throw Failure("\(path) is missing: it holds the secret that Rosefire and this server share.")
        }
        do {
            return try RosefireSecrets(file: file)
        } catch {
            throw Failure("\(path): \(error.explanation)")
        }
    }

    private static func makeFile(_ path: String) throws {
        guard try Files.contents(of: path, isRequired: false) == nil else { return }
        if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash])) }
        try Files.createPrivately(RosefireSecrets.newFile(), at: path)
    }

    private static func page(_ wish: ServerConfiguration.Rosefire) -> String {
        "\(wish.page)?platform=web&registryToken=\((wish.registry ?? "").percentEncoded)"
    }
}

extension RosefireSecrets.Fault {
    /// The fault in words for an operator.
    fileprivate var explanation: String {
        switch self {
        case .count(let count): "one secret a line, the present one and at most one before; there are \(count)"
        case .length(let length): "a secret has 32 to 512 characters; one has \(length)"
        case .characters: "a secret has visible ASCII characters only"
        }
    }
}

extension ServerConfiguration {
    /// Returns the page to which a provider sends browsers back. Reading the configuration has made sure that there is
    /// a public URL.
    fileprivate func page(of provider: String) -> String {
        "\(publicURL?.description ?? "")/sign-in/\(provider)"
    }
}

extension Files {
    /// Reads the secret that a provider and this server share: one line of visible characters and spaces.
    fileprivate static func clientSecret(of path: String) throws -> String {
        try secretLine(of: path, "the secret that the provider gave this server")
    }

    /// Reads a secret: one line of visible characters and spaces, in a file that only its owner can read.
    ///
    /// - Parameter what: what the secret is, in words for an operator.
    static func secretLine(of path: String, _ what: String) throws -> String {
        guard let file = try privateContents(of: path) else {
            throw Failure("\(path) is missing: it holds \(what).")
        }
        let line = file.last == UInt8(ascii: "\n") ? file.dropLast() : file[...]
        guard (1...1_024).contains(line.count), line.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Failure("\(path): a secret is one line of up to 1,024 visible ASCII characters.")
        }
        return String(decoding: line, as: UTF8.self)
    }
}

extension SignUpRule {
    fileprivate init(_ wish: ServerConfiguration.SignUp) {
        switch wish {
        case .open: self = .open
        case .invited: self = .invited
        case .closed: self = .closed
        }
    }
}

extension [ServerConfiguration.MembershipRule] {
    /// The claims that the rules use.
    fileprivate var claims: Set<String> { Set(map(\.claim) + compactMap(\.studentNumber)) }
}

extension OpenIDConnectProvider.Settings {
    fileprivate init(_ wish: ServerConfiguration.OpenIDConnect, at page: String) throws {
        self.init(
            id: ProviderID(stored: wish.id), title: wish.title, issuer: wish.issuer, clientID: wish.clientID,
            clientSecret: try Files.clientSecret(of: wish.secretFile), scopes: wish.scopes, redirect: page,
            signUp: SignUpRule(wish.signUp), vouchesForFactors: wish.vouchesForFactors,
            claims: wish.rules.claims, institution: wish.institution)
    }
}

extension GitHubProvider.Settings {
    fileprivate init(_ wish: ServerConfiguration.GitHub, at page: String) throws {
        self.init(
            clientID: wish.clientID, clientSecret: try Files.clientSecret(of: wish.secretFile),
            url: wish.url ?? GitHubProvider.publicURL, redirect: page, signUp: SignUpRule(wish.signUp))
    }
}

extension CASProvider.Settings {
    fileprivate init(_ wish: ServerConfiguration.CAS, at page: String) {
        self.init(
            id: ProviderID(stored: wish.id), title: wish.title, url: wish.url, service: page,
            signUp: SignUpRule(wish.signUp), claims: wish.rules.claims, institution: wish.institution)
    }
}
