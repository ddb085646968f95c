public import Forms
import HTTP
public import JSON
public import Messages

extension ServerConfiguration {
    /// The names and checks from the rest of the program that reading a configuration needs.
    public struct Vocabulary {
        /// The schemes that are compiled in.
        public var schemes: [String]
        /// Returns whether a text can be an institution's short name.
        public var isSlug: (String) -> Bool
        /// Returns whether a text can name a provider to sign in with.
        public var isProvider: (String) -> Bool
        /// Returns whether a text is an e-mail address.
        public var isEmail: (String) -> Bool
        /// Describes an institution's program as configured.
        public var program: JSONSchema
        /// Returns the faults of an institution's program as configured; the paths are relative to it.
        public var programFaults: (JSON) -> FaultList

        /// Creates a vocabulary.
        public init(
            schemes: [String], isSlug: @escaping (String) -> Bool, isProvider: @escaping (String) -> Bool,
            isEmail: @escaping (String) -> Bool, program: JSONSchema,
            programFaults: @escaping (JSON) -> FaultList
        ) {
            self.schemes = schemes
            self.isSlug = isSlug
            self.isProvider = isProvider
            self.isEmail = isEmail
            self.program = program
            self.programFaults = programFaults
        }
    }

    /// Reads a configuration file's JSON; throws everything that is wrong with it at once.
    public init(_ json: JSON, knowing vocabulary: Vocabulary) throws(FaultList) {
        var faults = FaultList()
        self.init(json, knowing: vocabulary, noting: &faults)
        try faults.check()
    }

    /// Reads what is valid in a configuration file's JSON, and adds everything that is wrong with it to `faults`.
    public init(_ json: JSON, knowing vocabulary: Vocabulary, noting faults: inout FaultList) {
        var form = Form(json)
        self.init(&form, vocabulary)
        do {
            try form.finish()
        } catch {
            for fault in error.faults { faults.add(fault) }
        }
    }

    /// Returns the schema of a configuration file, derived from reading one.
    static func plainSchema(knowing vocabulary: Vocabulary) -> JSONSchema {
        var form = Form.describing()
        _ = ServerConfiguration(&form, vocabulary)
        return form.schema
    }

    private init(_ form: inout Form, _ vocabulary: Vocabulary) {
        self.init()
        form.part("listen") { form in
            host = form.host() ?? host
            port = form.integer("port", in: 0...65_535) ?? port
            loops = form.integer("loops", in: 0...256) ?? loops
            batchesSends = form.flag("batchedSends") ?? batchesSends
            proxies = form.texts("proxies", as: "an address such as 192.0.2.1, or a network such as 10.0.0.0/8") {
                IPNetwork($0)
            }
            names = form.texts("names", as: "a host name without a port") { text in
                Authority(text).flatMap { $0.port == nil ? $0.name : nil }
            }
            form.part("tls") { form in tls = TLS(&form) }
        }
        form.part("management") { form in
            management.host = form.host() ?? management.host
            management.port = form.integer("port", in: 0...65_535) ?? management.port
        }
        if let text = form.line("publicUrl", max: 300) {
            publicURL = PublicURL(text)
            if publicURL == nil { form.refuse("publicUrl", .outOfRange, ["expected": "https://grades.example.org"]) }
        }
        form.part("store") { form in
            form.part("sqlite") { form in database = form.line("path", max: 4_096) ?? database }
            form.part("postgresql") { form in postgreSQL = PostgreSQL(&form) }
        }
        form.part("backup") { form in
            backupFolder = form.line("folder", max: 4_096)
            keptBackups = form.integer("keep", in: 1...1_000) ?? keptBackups
        }
        form.part("keys") { form in pepper = form.line("pepper", max: 4_096) ?? pepper }
        plugins = form.parts("plugins") { Plugin(&$0, vocabulary) } ?? plugins
        var slugs: Set<String> = []
        institutions = form.parts("institutions") { Institution(&$0, vocabulary, besides: &slugs) } ?? institutions
        var namesProviders = false
        form.part("signIn") { form in
            form.part("password") { form in
                allowsSignUp = form.flag("signUp") ?? allowsSignUp
                passwordLength = form.integer("length", in: 8...64) ?? passwordLength
            }
            offersPasskeys = form.flag("passkeys") ?? offersPasskeys
            form.part("secondFactor") { form in
                administratorsNeedFactor = form.flag("administrators") ?? administratorsNeedFactor
            }
            form.part("rosefire") { rosefire = Rosefire(&$0) }
            namesProviders = readProviders(from: &form, vocabulary)
        }
        form.part("mail") { mail = Mail(&$0, vocabulary) }
        if namesProviders || mail != nil, publicURL == nil {
            // It cannot be taken from a request's `Host`, because providers and links in mails send people there.
            form.refuse("publicUrl", .missingField)
        }
        form.part("outbound") { form in
            outboundNetworks = form.texts("networks", as: "a network such as 10.0.0.0/8") { IPNetwork($0) }
        }
        form.part("webhooks") { form in
            sendsToWebhooks = form.flag("enabled") ?? sendsToWebhooks
            webhookNetworks = form.texts("networks", as: "a network such as 10.0.0.0/8") { IPNetwork($0) }
        }
        origins = form.texts("origins", as: "an origin such as https://app.example.org") { $0 }
        form.part("limits") { limits.read(from: &$0) }
        form.part("live") { form in compressesLive = form.flag("compression") ?? compressesLive }
        form.part("people") { form in
            letsPeopleShare = form.flag("enabled") ?? letsPeopleShare
            keepDays = form.integer("keepDays", in: 1...3_650) ?? keepDays
        }
        form.part("log") { form in
            logLevel = form.choice("level", of: Level.self)?.rawValue ?? logLevel
            loggedRequests = form.choice("requests", of: LoggedRequests.self) ?? loggedRequests
        }
        form.part("web") { form in webFolder = form.line("path", max: 4_096) ?? webFolder }
    }

    private enum Level: String, CaseIterable {
        case debug, info, warning, error
    }
}

extension ServerConfiguration.TLS {
    fileprivate init?(_ form: inout Form) {
        let certificate = form.line("certificate", max: 4_096, required: true)
        let key = form.line("key", max: 4_096, required: true)
        guard let certificate, let key else { return nil }
        self.init(certificate: certificate, key: key)
    }
}

extension ServerConfiguration.Plugin {
    fileprivate init?(_ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary) {
        let builtin = form.text("builtin", as: .choice(vocabulary.schemes))
        if let builtin, !vocabulary.schemes.contains(builtin) {
            form.refuse("builtin", .outOfRange, ["allowed": .array(vocabulary.schemes.map { .string($0) })])
        }
        let run = form.line("run", max: 4_096)
        // Only a process has limits.
        let limits = builtin == nil ? ServerConfiguration.ProcessLimits(&form) : nil
        switch (builtin, run, limits) {
        case (let name?, nil, nil): self = .builtin(name)
        case (nil, let path?, let limits?): self = .run(path, limits: limits)
        default:
            form.refuse("builtin", .missingField)
            return nil
        }
    }
}

extension ServerConfiguration.ProcessLimits {
    fileprivate init(_ form: inout Form) {
        self.init()
        memoryMiB = form.integer("memoryMiB", in: Self.memory) ?? memoryMiB
        deadlineMilliseconds = form.integer("deadlineMilliseconds", in: 1...60_000) ?? deadlineMilliseconds
        startSeconds = form.integer("startSeconds", in: 1...600) ?? startSeconds
        isConfined = form.choice("sandbox", of: Sandbox.self) != Sandbox.none
        reads = form.texts("reads", as: "a path") { $0.isEmpty ? nil : $0 }
    }
}

extension ServerConfiguration.Institution {
    fileprivate init?(
        _ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary, besides slugs: inout Set<String>
    ) {
        let slug = form.line("slug", max: 64, required: true)
        // Only the first would be created, and the programs of the second would be missing.
        if let slug, !slugs.insert(slug).inserted { form.refuse("slug", .slugRepeated) }
        let title = form.line("title", max: 200, required: true)
        let isOpen = form.flag("open") ?? true
        let programs = form.array("programs", of: vocabulary.program) ?? []
        if let slug, !vocabulary.isSlug(slug) { form.refuse("slug", .outOfRange) }
        for (index, program) in programs.enumerated() {
            let found = vocabulary.programFaults(program).faults.map { $0.prefixed(JSONPointer.step(index)) }
            form.refuse("programs", FaultList(found))
        }
        guard let slug, let title else { return nil }
        self.init(slug: slug, title: title, isOpen: isOpen, programs: programs)
    }
}

extension ServerConfiguration.Rosefire {
    fileprivate init(_ form: inout Form) {
        isStandIn = form.flag("standIn") ?? false
        registry = form.line("registry", max: 1_024)
        if registry == nil, !isStandIn { form.refuse("registry", .missingField) }
        page = form.line("page", max: 1_024) ?? page
        secret = form.line("secret", max: 4_096)
        allowsSignUp = form.flag("signUp") ?? allowsSignUp
        if !page.hasPrefix("https://") || page.contains(where: { "?#".contains($0) }) {
            form.refuse("page", .outOfRange)
        }
    }
}

extension ServerConfiguration.Limits {
    fileprivate mutating func read(from form: inout Form) {
        func limit(_ name: String, _ path: WritableKeyPath<Self, Int>, in range: ClosedRange<Int>) {
            self[keyPath: path] = form.integer(name, in: range) ?? self[keyPath: path]
        }
        limit("connections", \.connections, in: 1...1_000_000)
        limit("connectionsPerAddress", \.connectionsPerAddress, in: 1...1_000_000)
        limit("connectionsPerAccount", \.connectionsPerAccount, in: 1...10_000)
        limit("guestsPerAddress", \.guestsPerAddress, in: 1...1_000_000)
        limit("subscriptions", \.subscriptions, in: 1...10_000)
        limit("documentBytes", \.documentBytes, in: 1_024...16_777_216)
        limit("unreadBytesPerConnection", \.unreadBytesPerConnection, in: 4_096...1_073_741_824)
        limit("unreadBytesPerClient", \.unreadBytesPerClient, in: 65_536...1_099_511_627_776)
        limit("unreadBytes", \.unreadBytes, in: 65_536...1_099_511_627_776)
        limit("requestBytesPerClient", \.requestBytesPerClient, in: 65_536...1_099_511_627_776)
        limit("requestBytes", \.requestBytes, in: 65_536...1_099_511_627_776)
        limit("writesPerSecond", \.writesPerSecond, in: 1...1_000_000)
        limit("writeBurst", \.writeBurst, in: 1...1_000_000)
        limit("evaluationsPerSecond", \.evaluationsPerSecond, in: 1...1_000_000)
        limit("requestSeconds", \.requestSeconds, in: 1...3_600)
        limit("signUpsPerMinute", \.signUpsPerMinute, in: 1...1_000_000)
        limit("noticeSeconds", \.noticeSeconds, in: 0...600)
        limit("drainSeconds", \.drainSeconds, in: 0...600)
    }
}

extension Form {
    /// Reads a list of texts, and converts each; notes a fault at each element that cannot be read.
    mutating func texts<Value>(
        _ name: String, as expected: String, _ read: (String) -> Value?
    ) -> [Value] {
        var values: [Value] = []
        for (index, element) in (array(name, of: .text) ?? []).enumerated() {
            if let text = element.string, let value = read(text) {
                values.append(value)
            } else {
                let code: FaultCode = element.string == nil ? .wrongType : .outOfRange
                refuse(name, FaultList([Fault(code, at: JSONPointer.step(index), ["expected": .string(expected)])]))
            }
        }
        return values
    }

    /// Reads `host`, the address to listen on.
    fileprivate mutating func host() -> String? {
        guard let text = line("host", max: 255) else { return nil }
        if ServerConfiguration.isHost(text) { return text }
        refuse("host", .outOfRange, ["expected": "an IP address such as 0.0.0.0, or localhost"])
        return nil
    }
}
