public import HTTP
public import JSON

/// Everything that `config.json`, the environment and flags can say about a server. Every key has a default.
public struct ServerConfiguration: Sendable, Equatable {
    /// A plugin to install.
    public enum Plugin: Sendable, Equatable {
        /// A scheme that is compiled in, by its identifier.
        case builtin(String)
        /// A scheme that runs in its own process: the path of its executable, and its limits.
        case run(String, limits: ProcessLimits = ProcessLimits())
    }

    /// The limits of a scheme that runs in its own process.
    public struct ProcessLimits: Sendable, Equatable {
        /// How far a scheme is confined.
        enum Sandbox: String, CaseIterable { case full, none }

        /// The range of the address space that an operator may give, in MiB.
        public static let memory = 16...16_777_216

        /// Address space, in MiB; runtimes that reserve much of it need more than they use.
        public var memoryMiB = 1_024
        /// Milliseconds for an answer about up to 64 records; every further 64 records, or part of them, get as long
        /// again.
        public var deadlineMilliseconds = 250
        /// Seconds that it may take to start.
        public var startSeconds = 5
        /// Whether it is confined; `"sandbox": "none"` lets it do whatever the server may do.
        public var isConfined = true
        /// Files and folders that it may read besides its own folder and the system's programs and libraries.
        public var reads: [String] = []

        /// Creates the default limits.
        public init() {}
    }

    /// An institution to create at start, unless it exists.
    public struct Institution: Sendable, Equatable {
        /// Its short name in addresses.
        public var slug: String
        /// The displayed name.
        public var title: String
        /// Whether everyone may see it and sign up for its programs.
        public var isOpen: Bool
        /// Programs to create and publish, unless they exist: `{scheme,title,entry?,preset?,configuration?}`.
        public var programs: [JSON]

        /// Describes an institution to create.
        public init(slug: String, title: String, isOpen: Bool, programs: [JSON]) {
            self.slug = slug
            self.title = title
            self.isOpen = isOpen
            self.programs = programs
        }
    }

    /// The PEM files for TLS.
    public struct TLS: Sendable, Equatable {
        /// The file with the server's certificate, followed by its intermediate certificates.
        public var certificate: String
        /// The file with the certificate's private key, which only its owner may read.
        public var key: String

        /// Names the files of a certificate and its key.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The address at which operators and their tools reach the server.
    public struct Management: Sendable, Equatable {
        /// The address to listen on; by default only this machine can reach it.
        public var host = "127.0.0.1"
        /// The port; 0 chooses a free one.
        public var port = 0

        /// Creates the default address.
        public init() {}
    }

    /// Sign-in with Rosefire.
    public struct Rosefire: Sendable, Equatable {
        /// The address of Rosefire's own sign-in page.
        public static let page = "https://rosefire.csse.rose-hulman.edu/webview/login"

        /// The token that identifies this application to Rosefire; it is not secret.
        public var registry: String?
        /// The address of Rosefire's page, without a query.
        public var page = Rosefire.page
        /// The file with the secret that Rosefire and this server share, optionally also with the previous secret.
        public var secret: String?
        /// Whether a person without an account gets one at the first sign-in.
        public var allowsSignUp = true
        /// Whether a stand-in plays Rosefire, in a demonstration.
        public var isStandIn = false

        /// Creates the default settings.
        public init() {}
    }

    /// Who gets an account at the first sign-in with a provider.
    public enum SignUp: String, Sendable, CaseIterable {
        /// Everyone whom the provider vouches for.
        case open
        /// People who come with an invitation.
        case invited
        /// No one.
        case closed
    }

    /// A rule that makes people members, depending on what their provider says about them.
    public struct MembershipRule: Sendable, Equatable {
        /// The roles that a rule may give.
        public enum Role: String, Sendable, CaseIterable { case student, teacher, registrar }

        /// The claim that the rule checks.
        public var claim: String
        /// The text that the claim must equal or, if the claim is a list, contain.
        public var value: String
        /// The institution in which people become members, by identifier or short name.
        public var institution: String
        /// The role that they get.
        public var role: Role
        /// The programs of a teacher, by their identifiers.
        public var programs: [String]
        /// The claim that has the member's student number; `nil` for none.
        public var studentNumber: String?
    }

    /// Sign-in with an OpenID Connect provider.
    public struct OpenIDConnect: Sendable, Equatable {
        /// Its identifier in addresses.
        public var id: String
        /// The text on its button.
        public var title: String
        /// Its issuer identifier (`iss`).
        public var issuer: String
        /// The identifier that it gave this server.
        public var clientID: String
        /// The file with the client secret.
        public var secretFile: String
        /// The scopes to ask for, besides `openid`.
        public var scopes: [String]
        /// Who gets an account at the first sign-in.
        public var signUp: SignUp
        /// Whether it is trusted when it says that a person has shown two factors.
        public var vouchesForFactors = false
        /// The rules by which people become members.
        public var rules: [MembershipRule]
        /// The institution that offers it for sign-in, by identifier or short name; `nil` if it is offered to everyone.
        public var institution: String?
    }

    /// Sign-in with GitHub.
    public struct GitHub: Sendable, Equatable {
        /// The client identifier that GitHub gave this server.
        public var clientID: String
        /// The file with the client secret.
        public var secretFile: String
        /// The address of a GitHub Enterprise Server; `nil` for GitHub itself.
        public var url: String?
        /// Who gets an account at the first sign-in.
        public var signUp: SignUp
    }

    /// Sign-in with a CAS server.
    public struct CAS: Sendable, Equatable {
        /// Its identifier in addresses.
        public var id: String
        /// The text on its button.
        public var title: String
        /// Its address.
        public var url: String
        /// Who gets an account at the first sign-in.
        public var signUp: SignUp
        /// The rules by which people become members.
        public var rules: [MembershipRule]
        /// The institution that offers it for sign-in, by identifier or short name; `nil` if it is offered to everyone.
        public var institution: String?
    }

    /// The mail server that takes this server's mails.
    public struct Mail: Sendable, Equatable {
        /// Its address: `smtps://host:port` or `smtp://host:port`.
        public var url: String
        /// Whether it is on this machine, so that the connection need not be encrypted.
        public var isOnThisMachine: Bool
        /// The name in front of the sender's address; empty for none.
        public var senderName: String
        /// The sender's address.
        public var sender: String
        /// The name to sign in to the mail server with; `nil` to send without signing in.
        public var user: String?
        /// The file with the password.
        public var passwordFile: String?
        /// The PEM file with the certificate authorities to trust; `nil` for the system's.
        public var authorities: String?
    }

    /// The limits that an operator may change.
    public struct Limits: Sendable, Equatable {
        /// Connections of the whole server.
        public var connections = 100_000
        /// Connections of one address.
        public var connectionsPerAddress = 10_000
        /// Live connections of one account.
        public var connectionsPerAccount = 20
        /// Live connections of guests from one address.
        public var guestsPerAddress = 250
        /// Topics of one live connection.
        public var subscriptions = 256
        /// Bytes of a live document; instead of a larger one, its address is sent.
        public var documentBytes = 65_536
        /// Bytes of responses that a connection may leave unread before its next request is read.
        public var unreadBytesPerConnection = 256 << 10
        /// Bytes of unread responses that are kept for one account, or for guests from one address.
        public var unreadBytesPerClient = 8 << 20
        /// Bytes of unread responses that are kept in total.
        public var unreadBytes = 256 << 20
        /// Bytes of requests that are being received or answered, for one account, or for guests from one address.
        public var requestBytesPerClient = 64 << 20
        /// Bytes of requests that are being received or answered, in total.
        public var requestBytes = 256 << 20
        /// Writes of one account per second.
        public var writesPerSecond = 100
        /// Writes of one account in a burst.
        public var writeBurst = 500
        /// Units of calculation per second for one account, or for guests from one address; an ordinary evaluation
        /// costs two.
        public var evaluationsPerSecond = 200
        /// Seconds for which a request may wait in queues before it fails.
        public var requestSeconds = 30
        /// Sign-ups from one address per minute.
        public var signUpsPerMinute = 20
        /// Seconds for which a stopping server reports the stop in `/readyz` and still serves requests.
        public var noticeSeconds = 0
        /// Seconds that connections have to close at a shutdown.
        public var drainSeconds = 20
    }

    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 chooses a free one.
    public var port = 8080
    /// Event loops; 0 means one per core.
    public var loops = 0
    /// Whether the sends of a loop's turn go to the kernel in one call (io_uring), if the kernel allows it.
    public var batchesSends = true
    /// The files for TLS; `nil` for plain HTTP.
    public var tls: TLS?
    /// Networks of the reverse proxies whose forwarding headers are trusted and that may speak plain HTTP to the
    /// server.
    public var proxies: [IPNetwork] = []
    /// Host names that the server answers for, besides the host of `publicURL`.
    public var names: [String] = []
    /// The public address of the server, which links use.
    public var publicURL: PublicURL?
    /// The address that serves metrics and details of readiness.
    public var management = Management()
    /// The database file. Its folder is the data folder, even if the store is in a PostgreSQL database.
    public var database = "data/gradecast.db"
    /// The database of a PostgreSQL server that holds the store; `nil` if it is in the file.
    public var postgreSQL: PostgreSQL?
    /// The folder for the copies that `gradecast backup` names itself; `nil` if it has to be told a file.
    public var backupFolder: String?
    /// How many copies are kept there.
    public var keptBackups = 14
    /// The file with the key that peppers passwords, created at the first start; `nil` for ``pepperFile``'s default.
    public var pepper: String?
    /// The schemes to install.
    public var plugins: [Plugin] = [
        .builtin("chalkboard"), .builtin("rose-hulman"), .builtin("iut"), .builtin("regulations"),
    ]
    /// The institutions to open.
    public var institutions: [Institution] = []
    /// Whether everyone may create an account.
    public var allowsSignUp = true
    /// The shortest password that people may choose.
    public var passwordLength = 8
    /// Whether people may sign in with passkeys.
    public var offersPasskeys = true
    /// Whether administrators must have a second factor; `nil` depends on how the server is started.
    public var administratorsNeedFactor: Bool?
    /// Sign-in with Rosefire; `nil` if it is not offered.
    public var rosefire: Rosefire?
    /// The OpenID Connect providers to sign in with.
    public var openIDConnect: [OpenIDConnect] = []
    /// Sign-in with GitHub; `nil` if it is not offered.
    public var gitHub: GitHub?
    /// The CAS servers to sign in with.
    public var cas: [CAS] = []
    /// The mail server; `nil` if the server sends no mail.
    public var mail: Mail?
    /// Networks, besides the public ones, that the server's own requests may reach, for providers on an internal
    /// network.
    public var outboundNetworks: [IPNetwork] = []
    /// Whether messages are sent to webhooks; what happens meanwhile is sent once they are again.
    public var sendsToWebhooks = true
    /// Networks, besides the public ones, to which messages of webhooks may go.
    public var webhookNetworks: [IPNetwork] = []
    /// Origins, besides the server's own, whose pages may use it.
    public var origins: [String] = []
    /// The limits that an operator may change.
    public var limits = Limits()
    /// Whether live documents are compressed for clients that offer it.
    public var compressesLive = false
    /// Whether people may share their own data with each other.
    public var letsPeopleShare = true
    /// How long events are kept for people's feeds, in days.
    public var keepDays = 400
    /// `debug`, `info`, `warning` or `error`.
    public var logLevel = "info"
    /// The requests that have a line in the log.
    public var loggedRequests = LoggedRequests.off
    /// The folder of the web client; `nil` looks beside the program.
    public var webFolder: String?

    /// Creates the default configuration.
    public init() {}
}

/// The requests that have a line in the log.
public enum LoggedRequests: String, Sendable, CaseIterable {
    /// None.
    case off
    /// Those that are answered with a status from 400 on.
    case errors
    /// All.
    case all
}
