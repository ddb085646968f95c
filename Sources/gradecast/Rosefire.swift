import Accounts
import Configuration
import HTTP
import API

/// Sign-in with Rosefire as the configuration asks for it, with the secrets read from their file.
struct Rosefire {
    let settings: RosefireSignIn.Settings
    /// Who plays Rosefire, in a demonstration.
    let standIn: RosefireStandIn?

    /// `nil` when the configuration does not ask for it.
    init?(_ configuration: ServerConfiguration) throws {
        guard let wish = configuration.rosefire else { return nil }
        let path = configuration.rosefireFile
        if wish.isStandIn { try Self.makeFile(path) }
        guard let file = try Files.privateContents(of: path) else {
            throw Failure("\(path) is missing: it holds the secret that Rosefire and this server share.")
        }
        let secrets: RosefireSecrets
        do {
            secrets = try RosefireSecrets(file: file)
        } catch {
            throw Failure("\(path): \(error.explanation)")
        }
        let page = wish.isStandIn ? RosefireStandIn.page : Self.page(wish)
        settings = RosefireSignIn.Settings(secrets: secrets, page: page, allowsSignUp: wish.allowsSignUp)
        standIn = wish.isStandIn ? RosefireStandIn(secrets: secrets) : nil
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
