import API
import Accounts
import Configuration
import HTTP
import Rosefire

/// The providers that the configuration names, with their secrets read from their files.
struct SignInProviders {
    /// All of them, in the order in which people see them.
    let all: [any IdentityProvider]
    /// Who plays one of them, in a demonstration.
    let standIn: ProviderStandIn?

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
        self.all = all
        self.standIn = standIn
    }

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
        try Files.writePrivately(RosefireSecrets.newFile(), to: path)
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
