import JSON

extension Setting {
    static let providers = oidc + gitHub + cas

    private static let oidc =
        [
            Setting(
                "signIn.oidc[].id",
                "The name of an OpenID Connect provider in addresses: lower-case letters, digits and hyphens."),
            Setting("signIn.oidc[].title", "What its button says."),
            Setting("signIn.oidc[].issuer", "Its `iss`, exactly as its tokens have it."),
            Setting("signIn.oidc[].clientId", "The identifier that it gave this server."),
            Setting(
                "signIn.oidc[].clientSecretFile", "The file with the client secret, which only its owner may read."),
            Setting(
                "signIn.oidc[].scopes", "The scopes that are requested in addition to `openid`.", orElse: ["profile"]),
            signUp("signIn.oidc[]", orElse: "open"),
            Setting(
                "signIn.oidc[].secondFactor",
                "`own`: only this server's second factors count; `provider`: the provider's count too, which excludes `institution`.",
                orElse: "own"),
            institution("signIn.oidc[]"),
        ] + memberships("signIn.oidc[]")

    private static let gitHub = [
        Setting("signIn.github.clientId", "The identifier that GitHub gave this server."),
        Setting("signIn.github.clientSecretFile", "The file with the client secret, which only its owner may read."),
        Setting("signIn.github.url", "The address of a GitHub Enterprise Server; without it GitHub itself."),
        signUp("signIn.github", orElse: "invited"),
    ]

    private static let cas =
        [
            Setting(
                "signIn.cas[].id", "The name of a CAS server in addresses: lower-case letters, digits and hyphens."),
            Setting("signIn.cas[].title", "What its button says."),
            Setting("signIn.cas[].url", "Its address."),
            signUp("signIn.cas[]", orElse: "open"),
            institution("signIn.cas[]"),
        ] + memberships("signIn.cas[]")

    private static func signUp(_ provider: String, orElse fallback: JSON) -> Setting {
        Setting(
            provider + ".signUp",
            "Who gets an account at the first sign-in: everybody, those who come with an invitation, or nobody.",
            orElse: fallback)
    }

    private static func institution(_ provider: String) -> Setting {
        Setting(
            provider + ".institution",
            "The only institution, by short name or identifier, whose sign-in offers it; without it, everyone is offered it."
        )
    }

    private static func memberships(_ provider: String) -> [Setting] {
        let rule = provider + ".memberships[]"
        return [
            Setting(rule + ".claim", "The claim, or attribute, that a rule looks at."),
            Setting(rule + ".equals", "The text that the claim equals or, if it is a list, contains."),
            Setting(
                rule + ".institution",
                "The institution in which people become members; required unless the provider has one."),
            Setting(rule + ".role", "The role that they get; `registrar` needs `mayManage`."),
            Setting(rule + ".mayManage", "Whether the rule may make registrars.", orElse: false),
            Setting(rule + ".programs", "The programs of a teacher, by identifier; none means all.", orElse: []),
            Setting(rule + ".studentNumber", "The claim that has the member's student number."),
        ]
    }

    static let limits = [
        limit("connections", "Connections of the server.", \.connections),
        limit(
            "connectionsPerAddress",
            "Connections from one address (IPv6: one /64); proxies of `listen.proxies` are exempt.",
            \.connectionsPerAddress),
        limit(
            "connectionsPerAccount", "Live connections of one account: sockets, event streams, long polls.",
            \.connectionsPerAccount),
        limit(
            "guestsPerAddress",
            "Live connections of guests from one client address (IPv6: one /64), behind a proxy too.",
            \.guestsPerAddress),
        limit("subscriptions", "Topics of one live connection.", \.subscriptions),
        limit("documentBytes", "Bytes of a live document; for a larger one, its address is sent.", \.documentBytes),
        limit(
            "unreadBytesPerConnection",
            "Bytes of responses that a connection may leave unread before its next request is read.",
            \.unreadBytesPerConnection),
        limit(
            "unreadBytesPerClient", "The same, in bytes, for an account, or for guests from one address.",
            \.unreadBytesPerClient),
        limit(
            "unreadBytes",
            "The same, in bytes, for all clients together. Above it, the connections that have made no progress for longest are reset.",
            \.unreadBytes),
        limit(
            "requestBytesPerClient",
            "Bytes of requests of an account, or of guests from one address, that are coming in or being answered.",
            \.requestBytesPerClient),
        limit(
            "requestBytes", "The same, in bytes, for all clients together. Above it, requests are refused with 503.",
            \.requestBytes),
        limit("writesPerSecond", "Changes of one account in a second.", \.writesPerSecond),
        limit("writeBurst", "Changes of one account at once.", \.writeBurst),
        limit(
            "evaluationsPerSecond",
            "Units of calculation in a second for an account, or for guests from one address; an ordinary evaluation costs two.",
            \.evaluationsPerSecond),
        limit(
            "requestSeconds", "Seconds that a request may wait for its turns before it is answered with 503.",
            \.requestSeconds),
        limit("signUpsPerMinute", "Accounts made from one address in a minute.", \.signUpsPerMinute),
        limit(
            "noticeSeconds", "Seconds for which a stopping server says so in `/readyz` and still serves.",
            \.noticeSeconds),
        limit("drainSeconds", "Seconds that connections have to end at a shutdown.", \.drainSeconds),
    ]

    private static func limit(
        _ name: String, _ meaning: String, _ path: KeyPath<ServerConfiguration.Limits, Int>
    ) -> Setting {
        let fallback = ServerConfiguration.Limits()[keyPath: path]
        return Setting("limits." + name, meaning, orElse: .number(String(fallback)))
    }
}
