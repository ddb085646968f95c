import JSON

/// What one key of the configuration means to an operator. The code that reads the key defines its values
/// (``ServerConfiguration/schema(knowing:)``).
struct Setting: Sendable {
    /// The key's path: `listen.port`; `[]` stands for each element of an array.
    let key: String
    /// One sentence, or a few, with the unit.
    let meaning: String
    /// The value that a missing key has, if one can be written down.
    let fallback: JSON?
    /// The environment variable that overrides the file.
    let variable: String?

    init(_ key: String, _ meaning: String, orElse fallback: JSON? = nil, from variable: String? = nil) {
        self.key = key
        self.meaning = meaning
        self.fallback = fallback
        self.variable = variable
    }

    /// All keys, in the order of the reference.
    static let all = addresses + store + grading + signIn + providers + mailAndPeople + limits
}

extension Setting {
    private static let addresses = [
        Setting(
            "listen.host",
            "The IP address to listen on, or `localhost`. Plain HTTP on an address that others can reach needs `tls`, `proxies` or `--insecure`.",
            orElse: "127.0.0.1", from: "GRADECAST_HOST"),
        Setting(
            "listen.port", "The port; 0 takes a free one. `--port` overrides it.", orElse: 8_080,
            from: "GRADECAST_PORT"),
        Setting("listen.loops", "Event loops; 0 means one for each core.", orElse: 0),
        Setting(
            "listen.batchedSends",
            "Whether what a loop has to send goes to the kernel in one call (io_uring), where the kernel allows that.",
            orElse: true),
        Setting(
            "listen.proxies",
            "Addresses and networks of reverse proxies whose forwarding headers are believed and that may speak plain HTTP.",
            orElse: []),
        Setting(
            "listen.names", "Host names, without a port, that the server answers to besides that of `publicUrl`.",
            orElse: []),
        Setting("listen.tls.certificate", "The PEM file with the certificate and its intermediate certificates."),
        Setting("listen.tls.key", "The PEM file with its private key, which only its owner may read."),
        Setting(
            "management.host", "The IP address of metrics, profiles and details of readiness, or `localhost`.",
            orElse: "127.0.0.1", from: "GRADECAST_MANAGEMENT_HOST"),
        Setting(
            "management.port", "Its port; 0 takes a free one, which the server prints.", orElse: 0,
            from: "GRADECAST_MANAGEMENT_PORT"),
        Setting(
            "publicUrl",
            "The address at which people know the server; links are made with it. Mail and providers other than Rosefire need it."
        ),
        Setting(
            "web.path", "The folder of the web client; without it the one that came with the program.",
            from: "GRADECAST_WEB"),
        Setting(
            "log.level", "The lowest level that is logged.", orElse: "info", from: "GRADECAST_LOG_LEVEL"),
        Setting(
            "log.requests",
            "The requests that have a line in the log, whatever `log.level` says: none, those answered with a status from 400 on, or all.",
            orElse: "off", from: "GRADECAST_LOG_REQUESTS"),
        Setting("origins", "Origins, besides the server's own, whose pages may use the API by token.", orElse: []),
        Setting(
            "outbound.networks",
            "Private networks to which the server's own requests may go, for providers inside them.",
            orElse: []),
        Setting(
            "webhooks.enabled",
            "Whether messages are sent to webhooks; turn it off where a copy of the data is tried out. What happens meanwhile is sent once it is on.",
            orElse: true),
        Setting(
            "webhooks.networks",
            "Private networks to which messages of webhooks may go. Registrars choose the addresses, so name none that holds more than receivers of them; plain `http://` works for an address of this machine alone, by its number.",
            orElse: []),
        Setting("live.compression", "Whether live documents are compressed for clients that offer it.", orElse: false),
    ]

    private static let store = [
        Setting(
            "store.sqlite.path",
            "The database file; its folder is the data folder. `--data DIR` overrides it with `DIR/gradecast.db`.",
            orElse: "data/gradecast.db", from: "GRADECAST_DATABASE"),
        Setting(
            "store.postgresql.url",
            "User, server, port and database of PostgreSQL, without a password. A socket is named by its folder, percent-encoded: `postgresql://gradecast@%2Frun%2Fpostgresql/grades`.",
            from: "GRADECAST_STORE"),
        Setting(
            "store.postgresql.connections",
            "Connections that the server keeps: one writes, one serves lists and exports, the others read.", orElse: 16),
        Setting(
            "store.postgresql.tls",
            "`verify-full`: the certificate is for that host, and an authority vouches for it; `verify-ca`: an authority vouches for it; `require`: encrypted, to whatever answers; `disable`: not encrypted. A socket needs none of it.",
            orElse: "verify-full"),
        Setting(
            "store.postgresql.authorities",
            "The PEM file with the authorities to trust; without it the system's."),
        Setting(
            "store.postgresql.passwordFile",
            "The file with the password, which only its owner may read; it is read again for each new connection.",
            from: "GRADECAST_STORE_PASSWORD_FILE"),
        Setting(
            "store.postgresql.pooler",
            "The URL of a pooler in transaction mode, such as PgBouncer, that reads go through. It gets the same password and `tls`."
        ),
        Setting(
            "store.postgresql.prepared",
            "Whether the pooler keeps prepared statements; PgBouncer before 1.21 does not.", orElse: true),
        Setting(
            "keys.pepper",
            "The file with the key that peppers passwords, made at the first start; by default `pepper` in a folder beside the data folder, named after it with `-keys`.",
            from: "GRADECAST_PEPPER"),
        Setting(
            "backup.folder",
            "The folder to which `gradecast backup` adds a copy of SQLite's file if it is told no other."),
        Setting("backup.keep", "How many copies are kept there; the oldest are deleted.", orElse: 14),
    ]

    private static let grading = [
        Setting(
            "plugins", "The schemes that programs can have.",
            orElse: .array(["chalkboard", "rose-hulman", "iut", "regulations"].map { ["builtin": .string($0)] })),
        Setting(
            "plugins[].builtin", "The name of a scheme that ships. An element has this key, or `run` and its limits."),
        Setting("plugins[].run", "The path of a program that is a scheme; it runs in a process of its own."),
        Setting(
            "plugins[].memoryMiB",
            "Address space in MiB, and memory where control groups limit it.", orElse: 1_024),
        Setting(
            "plugins[].deadlineMilliseconds",
            "Milliseconds for an answer about up to 64 records; each further 64 get as many again.", orElse: 250),
        Setting("plugins[].startSeconds", "Seconds in which it must have started.", orElse: 5),
        Setting(
            "plugins[].sandbox", "`none` runs it without confinement, with the rights of the server.", orElse: "full"),
        Setting(
            "plugins[].reads", "Files and folders that it may read besides its own folder and the system's programs.",
            orElse: []),
        Setting("institutions", "Institutions to create at the start unless they exist.", orElse: []),
        Setting("institutions[].slug", "Its short name in addresses."),
        Setting("institutions[].title", "Its displayed name."),
        Setting("institutions[].open", "Whether everyone may see it and start records in its programs.", orElse: true),
        Setting(
            "institutions[].programs[].scheme",
            "The scheme of a program, which is created and published unless it exists."),
        Setting("institutions[].programs[].title", "Its displayed name."),
        Setting(
            "institutions[].programs[].entry", "Who enters results: the students themselves, staff, or both.",
            orElse: "both"),
        Setting(
            "institutions[].programs[].given", "Who may give figures and outcomes instead of the computed ones.",
            orElse: "registrar"),
        Setting("institutions[].programs[].preset", "The preset of the scheme to begin with."),
        Setting("institutions[].programs[].configuration", "Settings of the scheme that differ from the preset."),
    ]

    private static let signIn = [
        Setting("signIn.password.signUp", "Whether everyone may make an account.", orElse: true),
        Setting("signIn.password.length", "The shortest password that people may choose, in characters.", orElse: 8),
        Setting("signIn.passkeys", "Whether people may sign in with passkeys.", orElse: true),
        Setting(
            "signIn.secondFactor.administrators",
            "Whether administrators must have a second factor; without the key they must, except under `--demo`."),
        Setting(
            "signIn.rosefire.registry",
            "The token by which Rosefire knows this application; required unless `standIn`."),
        Setting(
            "signIn.rosefire.page", "The address of Rosefire's sign-in page, `https` without a query.",
            orElse: .string(ServerConfiguration.Rosefire.page)),
        Setting(
            "signIn.rosefire.secret",
            "The file with the shared secrets, one per line; by default `rosefire` beside the key file.",
            from: "GRADECAST_ROSEFIRE"),
        Setting(
            "signIn.rosefire.signUp", "Whether a person without an account gets one at the first sign-in.", orElse: true
        ),
        Setting(
            "signIn.rosefire.standIn", "Whether a stand-in plays Rosefire, which only `--demo` on loopback allows.",
            orElse: false),
    ]

    private static let mailAndPeople = [
        Setting(
            "mail.smtp",
            "The mail server: `smtps://host:465`, or `smtp://host:587`, which must turn to TLS except on this machine."),
        Setting("mail.from", "The sender of mails: an address, or a name before an address in angle brackets."),
        Setting("mail.user", "The user name at the mail server; without it, the server sends mail without signing in."),
        Setting(
            "mail.passwordFile", "The file with the password on one line, which only its owner may read.",
            from: "GRADECAST_MAIL_PASSWORD_FILE"),
        Setting("mail.authorities", "The PEM file with the authorities to trust; without it the system's."),
        Setting("people.enabled", "Whether people may share their records with each other.", orElse: true),
        Setting("people.keepDays", "Days for which events are kept for feeds.", orElse: 400),
    ]
}
