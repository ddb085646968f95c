public import HTTP
public import JSON

/// Everything that `config.json`, the environment and flags can say about a server. Every key has a default.
public struct ServerConfiguration: Sendable, Equatable {
    /// A plugin to install.
    public enum Plugin: Sendable, Equatable {
        /// A scheme that is compiled in, by its identifier.
        case builtin(String)
        /// A scheme that runs in a process of its own, by the path of its executable, with what it may take.
        case run(String, limits: ProcessLimits = ProcessLimits())
    }

    /// What a scheme in a process of its own may take.
    public struct ProcessLimits: Sendable, Equatable {
        /// How far a scheme is confined.
        enum Sandbox: String, CaseIterable { case full, none }

        /// How much address space may be given, in MiB.
        public static let memory = 16...16_777_216

        /// Address space, in MiB; runtimes that reserve much of it need more than they use.
        public var memoryMiB = 1_024
        /// Milliseconds for an answer about up to 64 records; about more, as many times as long.
        public var deadlineMilliseconds = 250
        /// Seconds to start.
        public var startSeconds = 5
        /// Whether it is confined: `"sandbox": "none"` lets it do what the server may.
        public var isConfined = true
        /// Files and folders that it may read beside its own folder and the system's programs and libraries.
        public var reads: [String] = []

        /// The defaults.
        public init() {}
    }

    /// An institution to open at start, unless it is there.
    public struct Institution: Sendable, Equatable {
        /// Its short name in addresses.
        public var slug: String
        /// What people read.
        public var title: String
        /// Whether anybody may see it and sign up for its programs.
        public var isOpen: Bool
        /// Programs to open and publish, unless they are there: `{scheme,title,entry?,preset?,configuration?}`.
        public var programs: [JSON]

        /// An institution to open.
        public init(slug: String, title: String, isOpen: Bool, programs: [JSON]) {
            self.slug = slug
            self.title = title
            self.isOpen = isOpen
            self.programs = programs
        }
    }

    /// What to speak TLS with: PEM files.
    public struct TLS: Sendable, Equatable {
        /// The server's certificate, then those between it and a root that clients know.
        public var certificate: String
        /// The certificate's private key, which only its owner may read.
        public var key: String

        /// The files of a certificate and its key.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Where operators and their tools look at the server.
    public struct Management: Sendable, Equatable {
        /// The address to listen on: this machine alone.
        public var host = "127.0.0.1"
        /// The port; 0 takes a free one.
        public var port = 0

        /// The defaults.
        public init() {}
    }

    /// Sign-in with Rosefire.
    public struct Rosefire: Sendable, Equatable {
        /// Rosefire's own page for signing in.
        public static let page = "https://rosefire.csse.rose-hulman.edu/webview/login"

        /// What Rosefire calls this application; no secret.
        public var registry: String?
        /// The address of Rosefire's page, without a query.
        public var page = Rosefire.page
        /// The file with the secret that Rosefire and this server share, and perhaps the one before.
        public var secret: String?
        /// Whether a person without an account gets one.
        public var allowsSignUp = true
        /// Whether a stand-in plays Rosefire, in a demonstration.
        public var isStandIn = false

        /// The defaults.
        public init() {}
    }

    /// Who gets an account at the first sign-in with a provider.
    public enum SignUp: String, Sendable, CaseIterable {
        /// Everybody whom the provider vouches for.
        case open
        /// Those who come with an invitation.
        case invited
        /// Nobody.
        case closed
    }

    /// Makes people members by what their provider says of them.
    public struct MembershipRule: Sendable, Equatable {
        /// The roles that a rule may give.
        public enum Role: String, Sendable, CaseIterable { case student, teacher, registrar }

        /// The claim that is looked at.
        public var claim: String
        /// The text that it must have, or that must be in its list.
        public var value: String
        /// Where it makes members: the identifier or short name of an institution.
        public var institution: String
        /// As what.
        public var role: Role
        /// A teacher's programs, by their identifiers.
        public var programs: [String]
        /// The claim that is the member's student number; `nil` for none.
        public var studentNumber: String?
    }

    /// Sign-in with an OpenID Connect provider.
    public struct OpenIDConnect: Sendable, Equatable {
        /// What it is called in addresses.
        public var id: String
        /// What people read on its button.
        public var title: String
        /// Its `iss`.
        public var issuer: String
        /// What it calls this server.
        public var clientID: String
        /// The file with the secret that both share.
        public var secretFile: String
        /// What is asked for besides `openid`.
        public var scopes: [String]
        /// Whether a person without an account gets one.
        public var signUp: SignUp
        /// Whether it is believed when it says that two factors were shown.
        public var vouchesForFactors = false
        /// By which people become members.
        public var rules: [MembershipRule]
        /// The institution whose sign-in offers it, by identifier or short name; `nil` for the whole server's.
        public var institution: String?
    }

    /// Sign-in with GitHub.
    public struct GitHub: Sendable, Equatable {
        /// What GitHub calls this server.
        public var clientID: String
        /// The file with the secret that both share.
        public var secretFile: String
        /// The address of a GitHub Enterprise Server; `nil` for GitHub itself.
        public var url: String?
        /// Whether a person without an account gets one.
        public var signUp: SignUp
    }

    /// Sign-in with a CAS server.
    public struct CAS: Sendable, Equatable {
        /// What it is called in addresses.
        public var id: String
        /// What people read on its button.
        public var title: String
        /// Its address.
        public var url: String
        /// Whether a person without an account gets one.
        public var signUp: SignUp
        /// By which people become members.
        public var rules: [MembershipRule]
        /// The institution whose sign-in offers it, by identifier or short name; `nil` for the whole server's.
        public var institution: String?
    }

    /// The mail server that takes this server's mails.
    public struct Mail: Sendable, Equatable {
        /// Where it is: `smtps://host:port` or `smtp://host:port`.
        public var url: String
        /// Whether it is on this machine, where the connection need not be encrypted.
        public var isOnThisMachine: Bool
        /// The name that stands before the sender's address; empty for none.
        public var senderName: String
        /// The sender's address.
        public var sender: String
        /// The name to sign in to the mail server with; `nil` to send without signing in.
        public var user: String?
        /// The file with the password.
        public var passwordFile: String?
        /// The PEM file with the authorities that vouch for it; `nil` for the system's.
        public var authorities: String?
    }

    /// Limits an operator may move.
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
        /// Bytes of a live document; a greater one is sent as its address.
        public var documentBytes = 65_536
        /// Bytes of responses that a connection may leave unread before its next request is read.
        public var unreadBytesPerConnection = 256 << 10
        /// Bytes kept of responses that an account, or an address of guests, leaves unread.
        public var unreadBytesPerClient = 8 << 20
        /// Bytes kept of responses that are left unread, in all.
        public var unreadBytes = 256 << 20
        /// Bytes kept of requests of an account, or of an address of guests, that are coming in or being answered.
        public var requestBytesPerClient = 64 << 20
        /// Bytes kept of requests that are coming in or being answered, in all.
        public var requestBytes = 256 << 20
        /// Writes of one account in a second.
        public var writesPerSecond = 100
        /// Writes of one account at once.
        public var writeBurst = 500
        /// What an account, or guests from an address, may have calculated in a second, in ordinary evaluations.
        public var evaluationsPerSecond = 200
        /// Seconds for which a request may wait for its turns before it is given up.
        public var requestSeconds = 30
        /// Sign-ups from one address in a minute.
        public var signUpsPerMinute = 20
        /// Seconds for which a stopping server says so in `/readyz` and goes on serving.
        public var noticeSeconds = 0
        /// Seconds that connections get to leave at a shutdown.
        public var drainSeconds = 20
    }

    /// Where to listen.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 8080
    /// Event loops; 0 is one a core.
    public var loops = 0
    /// Whether the sends of a turn go to the kernel in one call (io_uring), where it lets them.
    public var batchesSends = true
    /// What to speak TLS with; `nil` is plain HTTP.
    public var tls: TLS?
    /// Networks of the reverse proxies whose forwarding headers are believed and that may speak plain HTTP to the server.
    public var proxies: [IPNetwork] = []
    /// Names besides that of `publicURL` that the server answers under.
    public var names: [String] = []
    /// The address that people know the server by; links are made with it.
    public var publicURL: PublicURL?
    /// Where metrics and details of readiness are served.
    public var management = Management()
    /// The database file.
    public var database = "data/gradecast.db"
    /// The file with the key that peppers passwords; made at first start.
    public var pepper: String?
    /// The schemes to install.
    public var plugins: [Plugin] = [
        .builtin("chalkboard"), .builtin("rose-hulman"), .builtin("iut"), .builtin("regulations"),
    ]
    /// The institutions to open.
    public var institutions: [Institution] = []
    /// Whether anybody may make an account.
    public var allowsSignUp = true
    /// The least length of a password.
    public var passwordLength = 8
    /// Whether people may sign in with passkeys.
    public var offersPasskeys = true
    /// Whether administrators must have a second factor; `nil` leaves it to the way the server is started.
    public var administratorsNeedFactor: Bool?
    /// How to sign in with Rosefire; `nil` for not at all.
    public var rosefire: Rosefire?
    /// The OpenID Connect providers to sign in with.
    public var openIDConnect: [OpenIDConnect] = []
    /// How to sign in with GitHub; `nil` for not at all.
    public var gitHub: GitHub?
    /// The CAS servers to sign in with.
    public var cas: [CAS] = []
    /// How to send mail; `nil` for not at all.
    public var mail: Mail?
    /// Networks besides the public ones that requests of the server's own may go to: where a provider lies inside.
    public var outboundNetworks: [IPNetwork] = []
    /// Origins, besides the server's own, whose pages may use it.
    public var origins: [String] = []
    /// Limits an operator may move.
    public var limits = Limits()
    /// Whether live documents are compressed for clients that offer it.
    public var compressesLive = false
    /// Whether people may share what is theirs with each other.
    public var letsPeopleShare = true
    /// `debug`, `info`, `warning` or `error`.
    public var logLevel = "info"
    /// The folder of the web client; `nil` looks beside the program.
    public var webFolder: String?

    /// The defaults.
    public init() {}
}
