import Configuration
import Forms
import GradingKit
import HTTP
import Testing

@Suite struct ServerConfigurationTests {
    static var vocabulary: ServerConfiguration.Vocabulary {
        ServerConfiguration.Vocabulary(
            schemes: ["chalkboard", "iut"], isSlug: { $0.allSatisfy { $0.isLowercase } },
            isProvider: { $0.allSatisfy { $0.isLowercase } }, isEmail: { $0.contains("@") },
            program: .object,
            programFaults: { program in
                program["scheme"] == nil ? FaultList([Fault(.missingField, at: "/scheme")]) : FaultList()
            })
    }

    private func read(_ json: JSON) throws -> ServerConfiguration {
        try ServerConfiguration(json, knowing: Self.vocabulary)
    }

    @Test func `an empty file is the defaults`() throws {
        #expect(try read([:]) == ServerConfiguration())
    }

    @Test func `every key is read`() throws {
        let configuration = try read([
            "listen": [
                "host": "::1", "port": 0, "loops": 3, "batchedSends": false,
                "proxies": ["10.0.0.0/8", "::1"], "names": ["Grades.Example", "[2001:db8::1]"],
                "tls": ["certificate": "c", "key": "k"],
            ],
            "management": ["host": "localhost", "port": 9_464], "publicUrl": "https://grades.example.org:443/",
            "store": ["sqlite": ["path": "x/y.db"]], "keys": ["pepper": "x/key"],
            "backup": ["folder": "x/copies", "keep": 3],
            "plugins": [
                ["builtin": "iut"], ["run": "plugins/german"],
                ["run": "x", "memoryMiB": 4_096, "deadlineMilliseconds": 1_000, "startSeconds": 30],
            ],
            "institutions": [["slug": "demo", "title": "Demo", "open": false, "programs": [["scheme": "iut"]]]],
            "signIn": ["password": ["signUp": false, "length": 15]], "origins": ["https://a.example"],
            "limits": ["connections": 5, "noticeSeconds": 3, "drainSeconds": 0],
            "live": ["compression": true], "people": ["enabled": false],
            "log": ["level": "debug"], "web": ["path": "www"],
        ])
        #expect(configuration.host == "::1" && configuration.port == 0 && configuration.loops == 3)
        #expect(!configuration.batchesSends && configuration.compressesLive && !configuration.letsPeopleShare)
        #expect(configuration.tls == ServerConfiguration.TLS(certificate: "c", key: "k"))
        #expect(configuration.database == "x/y.db" && configuration.dataFolder == "x")
        #expect(configuration.pepperFile == "x/key")
        #expect(configuration.backupFolder == "x/copies" && configuration.keptBackups == 3)
        var limits = ServerConfiguration.ProcessLimits()
        #expect([limits.memoryMiB, limits.deadlineMilliseconds, limits.startSeconds] == [1_024, 250, 5])
        (limits.memoryMiB, limits.deadlineMilliseconds, limits.startSeconds) = (4_096, 1_000, 30)
        #expect(configuration.plugins == [.builtin("iut"), .run("plugins/german"), .run("x", limits: limits)])
        #expect(configuration.institutions.first?.isOpen == false)
        #expect(!configuration.allowsSignUp && configuration.passwordLength == 15)
        #expect(configuration.limits.connections == 5 && configuration.limits.drainSeconds == 0)
        #expect(configuration.limits.noticeSeconds == 3)
        #expect(configuration.proxies.map(\.description) == ["10.0.0.0/8", "::1"])
        #expect(configuration.management.host == "localhost" && configuration.management.port == 9_464)
        #expect(configuration.publicURL?.description == "https://grades.example.org")
        #expect(configuration.hostNames == ["grades.example", "2001:db8::1", "grades.example.org", "::1"])
        #expect(configuration.logLevel == "debug" && configuration.webFolder == "www")
    }

    @Test func `what is right is read beside what is wrong`() {
        var faults = FaultList()
        let configuration = ServerConfiguration(
            ["listen": ["port": 70_000, "hosts": "x"], "store": ["sqlite": ["path": "x/y.db"]]],
            knowing: Self.vocabulary, noting: &faults)
        #expect(configuration.database == "x/y.db" && configuration.port == 8_080)
        #expect(faults.faults.map(\.path) == ["/listen/hosts", "/listen/port"])
        #expect(faults.faults.first?.arguments["nearest"] == "host")
    }

    @Test func `two institutions under one slug are a fault of the second`() {
        let institution: JSON = ["slug": "demo", "title": "Demo"]
        #expect(throws: FaultList([Fault(.slugRepeated, at: "/institutions/2/slug")])) {
            try read(["institutions": [institution, ["slug": "other", "title": "Other"], institution]])
        }
    }

    @Test func `all faults are told at once, by their key paths`() throws {
        let json: JSON = [
            "listen": ["port": 70_000, "hots": "x"], "plugins": [["builtin": "nothing"], [:]],
            "institutions": [["slug": "Not", "title": "", "programs": [[:]]]], "log": ["level": "loud"], "colour": 1,
        ]
        do {
            _ = try read(json)
            Issue.record("accepted")
        } catch let faults as FaultList {
            #expect(
                faults.faults.map(\.path) == [
                    "/colour", "/institutions/0/programs/0/scheme", "/institutions/0/slug", "/institutions/0/title",
                    "/listen/hots", "/listen/port", "/log/level", "/plugins/0/builtin", "/plugins/1/builtin",
                ])
        }
    }

    @Test func `what a scheme may take has bounds, and is nothing for one that is compiled in`() {
        let json: JSON = [
            "plugins": [
                ["run": "x", "memoryMiB": 15, "deadlineMilliseconds": 0, "startSeconds": 601],
                ["run": "x", "memoryMiB": 16_777_217], ["builtin": "iut", "memoryMiB": 64],
            ]
        ]
        let faults = #expect(throws: FaultList.self) { try read(json) }?.faults
        #expect(
            faults?.map { "\($0.code) \($0.path)" } == [
                "out_of_range /plugins/0/deadlineMilliseconds", "out_of_range /plugins/0/memoryMiB",
                "out_of_range /plugins/0/startSeconds", "out_of_range /plugins/1/memoryMiB",
                "unknown_field /plugins/2/memoryMiB",
            ])
    }

    @Test(
        arguments: [
            (["listen": ["host": "grades.example.org"]], "/listen/host"),
            (["listen": ["host": "1.2.3"]], "/listen/host"),
            (["listen": ["proxies": ["10.0.0.1", "10.0.0.1/8"]]], "/listen/proxies/1"),
            (["listen": ["proxies": ["0.0.0.0/0"]]], "/listen/proxies/0"),
            (["listen": ["proxies": [1]]], "/listen/proxies/0"),
            (["listen": ["names": ["a:80"]]], "/listen/names/0"), (["listen": ["names": [""]]], "/listen/names/0"),
            (["management": ["port": 65_536]], "/management/port"),
            (["management": ["host": "all"]], "/management/host"),
            (["publicUrl": "grades.example.org"], "/publicUrl"), (["publicUrl": "https://a/b"], "/publicUrl"),
            (["publicUrl": "https://me@a"], "/publicUrl"), (["publicUrl": "https://a?b"], "/publicUrl"),
            (["publicUrl": "ftp://a"], "/publicUrl"), (["publicUrl": "https://"], "/publicUrl"),
            (["limits": ["noticeSeconds": -1]], "/limits/noticeSeconds"), (["origins": [1]], "/origins/0"),
        ] as [(JSON, String)])
    func `an address that is none is refused by its place`(json: JSON, path: String) {
        #expect { try read(json) } throws: { error in (error as? FaultList)?.faults.map(\.path) == [path] }
    }

    @Test func `localhost is an address of this machine, and every address is no name`() throws {
        let local = try read(["listen": ["host": "localhost"]])
        #expect(local.isLoopback && local.numericHost == "127.0.0.1")
        for host in ["0.0.0.0", "::"] {
            let everywhere = try read(["listen": ["host": .string(host)]])
            #expect(!everywhere.isLoopback && everywhere.hostNames.isEmpty)
        }
    }

    @Test func `a certificate has a key`() throws {
        #expect(throws: FaultList([Fault(.missingField, at: "/listen/tls/key")])) {
            try read(["listen": ["tls": ["certificate": "c"]]])
        }
        #expect(try read(["listen": ["tls": ["certificate": "c", "key": "k"]]]).tls != nil)
    }

    @Test func `the environment overrides the file`() throws {
        var configuration = ServerConfiguration()
        try configuration.override(with: ["GRADECAST_PORT": "9", "GRADECAST_HOST": "127.0.0.2", "PATH": "/bin"])
        #expect(configuration.port == 9 && configuration.host == "127.0.0.2" && configuration.isLoopback)
        try configuration.override(with: ["GRADECAST_MANAGEMENT_PORT": "8", "GRADECAST_MANAGEMENT_HOST": "::1"])
        #expect(configuration.management.port == 8 && configuration.management.host == "::1")
        for wrong in [["GRADECAST_PORT": "many"], ["GRADECAST_HOST": "a.example"], ["GRADECAST_MANAGEMENT_PORT": "-1"]]
        {
            #expect(throws: FaultList.self) { try configuration.override(with: wrong) }
        }
    }

    @Test func `a database of PostgreSQL is read`() throws {
        let all: JSON = [
            "url": "postgresql://grades%40work@[2001:db8::1]:5433/grades", "connections": 3, "tls": "verify-ca",
            "authorities": "x/roots", "passwordFile": "x/password",
            "pooler": "postgresql://reads@pooler:6432/grades", "prepared": false,
        ]
        let configuration = try read(["store": ["postgresql": all]])
        let store = try #require(configuration.postgreSQL)
        #expect(store.user == "grades@work" && store.host == "2001:db8::1" && store.port == 5_433)
        #expect(store.database == "grades" && store.connections == 3 && store.tls == .verifyAuthority)
        #expect(store.authorities == "x/roots" && configuration.secretFiles.contains("x/password"))
        let pooler = try #require(store.pooler)
        #expect(pooler.host == "pooler" && pooler.port == 6_432 && pooler.user == "reads" && !pooler.prepared)
        let socket = try #require(ServerConfiguration.PostgreSQL("postgres://u@%2Frun%2Fpostgresql/d"))
        #expect(socket.host == "/run/postgresql" && socket.port == 5_432 && socket.tls == .verifyFull)
        for wrong in [
            "", "postgresql://", "grades", "https://u@h/d", "postgresql://h/d", "postgresql://u:secret@h/d",
            "postgresql://u@h", "postgresql://u@h/", "postgresql://u@/d", "postgresql://u@h:0/d",
            "postgresql://u@h:65536/d", "postgresql://u@h:x/d", "postgresql://u@[::1/d",
            "postgresql://u@h/d?sslmode=disable",
            "postgresql://u@h/%0", "postgresql://u@h/%00", "postgresql://u@h/%ff", "postgresql://u@h/d/e",
        ] {
            #expect(ServerConfiguration.PostgreSQL(wrong) == nil, "\(wrong)")
            #expect(throws: FaultList.self) { try read(["store": ["postgresql": ["url": .string(wrong)]]]) }
        }
        for wrong: JSON in [
            ["connections": 2], ["tls": "prefer"], ["password": "x"], ["url": "postgresql://u@h/d", "pooler": "x"], [:],
        ] {
            #expect(throws: FaultList.self) { try read(["store": ["postgresql": wrong]]) }
        }
    }

    @Test func `the environment names a database of PostgreSQL, and the file the rest`() throws {
        var configuration = try read([
            "store": ["postgresql": ["url": "postgresql://u@h/d", "tls": "disable", "connections": 5]]
        ])
        try configuration.override(with: [
            "GRADECAST_STORE_PASSWORD_FILE": "x/password", "GRADECAST_STORE": "postgresql://v@i/e",
        ])
        let store = try #require(configuration.postgreSQL)
        #expect(store.user == "v" && store.host == "i" && store.database == "e")
        #expect(store.tls == .disable && store.connections == 5 && store.passwordFile == "x/password")
        #expect(throws: FaultList.self) { try configuration.override(with: ["GRADECAST_STORE": "postgresql"]) }
    }

    @Test func `providers are read, and need an address of the server's own`() throws {
        let oidc: JSON = [
            "id": "university", "title": "University", "issuer": "https://login.example.org/realm", "clientId": "c",
            "clientSecretFile": "x/secret", "scopes": ["profile", "groups"], "signUp": "closed",
        ]
        let json: JSON = [
            "publicUrl": "https://grades.example.org", "outbound": ["networks": ["10.0.0.0/8"]],
            "signIn": [
                "oidc": [oidc], "github": ["clientId": "g", "clientSecretFile": "x/github"],
                "cas": [["id": "cas", "title": "CAS", "url": "https://cas.example.org/cas"]],
            ],
        ]
        let configuration = try read(json)
        let university = try #require(configuration.openIDConnect.first)
        #expect(
            university.id == "university" && university.scopes == ["profile", "groups"] && university.signUp == .closed)
        #expect(university.issuer == "https://login.example.org/realm" && university.secretFile == "x/secret")
        #expect(configuration.gitHub?.url == nil && configuration.gitHub?.signUp == .invited)
        #expect(configuration.cas.map(\.url) == ["https://cas.example.org/cas"])
        #expect(configuration.outboundNetworks.map(\.description) == ["10.0.0.0/8"])
        #expect(configuration.secretFiles.suffix(2) == ["x/secret", "x/github"])
        #expect { try read(["signIn": ["oidc": [oidc]]]) } throws: { error in
            (error as? FaultList)?.faults.map(\.path) == ["/publicUrl"]
        }
    }

    @Test(arguments: [
        "http://login.example.org", "login.example.org", "https://", "https://a@b.example", "https://a.example?x=1",
        "https://a.example#x", "javascript:alert(1)", "file:///etc/passwd",
    ])
    func `an issuer is an https address, or one of this machine`(issuer: String) throws {
        func configuration(_ issuer: String) -> JSON {
            [
                "publicUrl": "https://grades.example.org",
                "signIn": [
                    "oidc": [
                        [
                            "id": "u", "title": "U", "issuer": .string(issuer), "clientId": "c",
                            "clientSecretFile": "s",
                        ]
                    ]
                ],
            ]
        }
        #expect { try read(configuration(issuer)) } throws: { error in
            (error as? FaultList)?.faults.map(\.path) == ["/signIn/oidc/0/issuer"]
        }
        #expect(try read(configuration("http://127.0.0.1:8080/realm")).openIDConnect.count == 1)
    }

    @Test(arguments: [("one", "https://b.example", "id"), ("two", "https://A.example/", "url")])
    func `two providers of one name, or of one issuer, are refused`(id: String, url: String, key: String) throws {
        let one: JSON = ["id": "one", "title": "CAS", "url": "https://a.example"]
        let other: JSON = ["id": .string(id), "title": "CAS", "url": .string(url)]
        let json: JSON = ["publicUrl": "https://grades.example.org", "signIn": ["cas": [one, other]]]
        #expect { try read(json) } throws: { error in
            (error as? FaultList)?.faults.map(\.path) == ["/signIn/cas/1/\(key)"]
        }
    }

    @Test(
        arguments: [
            (["role": "administrator"], "role", "rule_administrator"),
            (["role": "registrar"], "role", "rule_registrar"),
            (["role": "owner"], "role", "out_of_range"),
            (["role": "student", "programs": ["p"]], "programs", "rule_programs"),
            (["role": "student", "equals": 7], "equals", "wrong_type"),
            (["role": "student", "x": 1], "x", "unknown_field"),
        ] as [(JSONObject, String, String)])
    func `a rule that grants too much is refused by its place`(said: JSONObject, key: String, code: String) throws {
        var rule: JSONObject = ["claim": "groups", "equals": "staff", "institution": "iut"]
        for member in said { rule[member.name] = member.value }
        func configuration(_ rule: JSONObject) -> JSON {
            let cas: JSON = [
                "id": "one", "title": "CAS", "url": "https://a.example", "memberships": [.object(rule)],
            ]
            return ["publicUrl": "https://grades.example.org", "signIn": ["cas": [cas]]]
        }
        #expect { try read(configuration(rule)) } throws: { error in
            let fault = (error as? FaultList)?.faults.first
            return fault?.path == "/signIn/cas/0/memberships/0/\(key)" && fault?.code.text == code
        }
        let right: JSONObject = [
            "claim": "groups", "equals": "staff", "institution": "iut", "role": "registrar", "mayManage": true,
        ]
        #expect(try read(configuration(right)).cas.first?.rules.first?.role == .registrar)
    }

    @Test func `Rosefire is off unless it is asked for, and what it needs is said`() throws {
        #expect(try read(["signIn": [:]]).rosefire == nil)
        var rosefire = try #require(
            try read(["signIn": ["rosefire": ["registry": "app", "secret": "x/y", "signUp": false]]]).rosefire)
        #expect(rosefire.registry == "app" && rosefire.secret == "x/y" && !rosefire.allowsSignUp)
        #expect(rosefire.page == ServerConfiguration.Rosefire.page && !rosefire.isStandIn)
        rosefire = try #require(try read(["signIn": ["rosefire": ["standIn": true]]]).rosefire)
        #expect(rosefire.isStandIn && rosefire.registry == nil)
        for (wrong, path): (JSON, String) in [
            ([:], "registry"), (["registry": "a", "page": "http://x"], "page"),
            (["registry": "a", "page": "https://x?y"], "page"), (["registry": "a", "key": "x"], "key"),
        ] {
            #expect { try read(["signIn": ["rosefire": wrong]]) } throws: { error in
                (error as? FaultList)?.faults.map(\.path) == ["/signIn/rosefire/\(path)"]
            }
        }
    }

    @Test func `a stand-in has a key of its own, and needs a server that nobody else can reach`() {
        var configuration = ServerConfiguration()
        configuration.keepData(in: "/srv/data")
        configuration.rosefire = .init()
        #expect(configuration.rosefireFile == "/srv/data-keys/rosefire")
        configuration.rosefire?.isStandIn = true
        #expect(configuration.rosefireFile == "/srv/data-keys/rosefire-stand-in")
        configuration.rosefire?.secret = "elsewhere"
        #expect(configuration.rosefireFile == "elsewhere")
        #expect(configuration.allowsStandIns)
        configuration.proxies = [IPNetwork("10.0.0.1")].compactMap { $0 }
        #expect(!configuration.allowsStandIns)
        configuration.proxies = []
        configuration.host = "0.0.0.0"
        #expect(!configuration.allowsStandIns)
    }

    @Test func `keys are kept beside the data, never in it`() {
        var configuration = ServerConfiguration()
        configuration.keepData(in: "/srv/data")
        #expect(configuration.database == "/srv/data/gradecast.db")
        #expect(configuration.pepperFile == "/srv/data-keys/pepper")
    }
}
