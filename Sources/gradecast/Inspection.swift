import Configuration
import DataStore
import Glibc
import GradingKit
import SchemeHost
import API
import Shared
import Transport

/// Looks for everything that would keep a server from starting, all at once, and changes nothing.
struct Inspection {
    /// What is wrong, each finding in words for an operator.
    private(set) var findings: [String]
    /// What is not wrong, but worth knowing.
    private(set) var remarks: [String] = []
    private var configuration: ServerConfiguration
    /// Whether checks of the stored data are possible; otherwise each of them would report the same fault.
    private var isStoreReadable = true

    /// Examines a configuration; `findings` are the faults that are known already.
    init(
        of configuration: ServerConfiguration, knowing findings: [String] = [], isDemo: Bool = false,
        isInsecure: Bool = false
    ) {
        self.configuration = configuration
        self.findings = findings
        note { configuration in try configuration.checkAddress(isInsecure: isInsecure) }
        do {
            try self.configuration.settleRosefire(isDemo: isDemo)
        } catch {
            self.findings.append("\(error)")
        }
        inspectAddresses()
        inspectCertificate()
        inspectStore()
        inspectProviders()
        inspectMail()
        inspectWebClient()
        inspectSchemes()
    }

    private mutating func note(_ examine: (ServerConfiguration) throws -> Void) {
        do {
            try examine(configuration)
        } catch {
            findings.append("\(error)")
        }
    }

    /// Binds both addresses, which must differ, and releases them. A server that already runs on this data may hold
    /// them.
    private mutating func inspectAddresses() {
        let bound = [
            bind(configuration.numericHost, configuration.port),
            bind(ServerConfiguration.numeric(configuration.management.host), configuration.management.port),
        ]
        for socket in bound.joined() { socket.close() }
    }

    private mutating func bind(_ host: String, _ port: Int) -> [ListeningSocket] {
        do throws(TransportError) {
            let address = try SocketAddress(host: host, port: UInt16(clamping: port))
            return try ListeningSocket.bind(address, count: 1)
        } catch {
            if error.code == EADDRINUSE, isServed {
                remarks.append("A server is running on \(stores.place) and has port \(port).")
            } else {
                findings.append("Cannot listen on \(host), port \(port): \(error)")
            }
            return []
        }
    }

    private var isServed: Bool { stores.isServed }
    private var stores: any DataStoreFactory { Installation.stores(configuration) }

    private mutating func inspectCertificate() {
        guard let tls = configuration.tls else { return }
        note { _ in try tls.checkKey() }
        note { _ in _ = try TLSIdentity(certificate: tls.certificate, key: tls.key) }
    }

    private mutating func inspectStore() {
        let keys = KeyFile(configuration)
        let known = findings.count
        note { _ in _ = try keys.found() }
        if configuration.postgreSQL != nil {
            note { try Files.checkWritable(folder: $0.dataFolder) }
            inspectDatabase()
        } else if stores.exists {
            note { try Files.checkWritable($0.database) }
        } else {
            return note { try Files.checkWritable(folder: $0.dataFolder) }
        }
        guard findings.count == known else { return }
        note { _ in
            if let fault = try keys.fault() { throw Failure("\(fault)\n\(keys.advice)") }
        }
    }

    /// Connects to a database server, and compares its schema with this program's.
    private mutating func inspectDatabase() {
        do {
            try stores.check()
        } catch let error as StoreError {
            isStoreReadable = false
            findings.append("\(stores.place): \(error.explanation)")
        } catch {
            isStoreReadable = false
            findings.append("\(error)")
        }
    }

    private mutating func inspectProviders() {
        // A stand-in creates its secret when the secret is first needed.
        guard configuration.rosefire?.isStandIn != true else { return }
        note { _ = try SignInProviders($0) }
        guard isStoreReadable else { return }
        do {
            findings += try MembershipRules(of: configuration, over: stores).findings
            remarks += try configuration.formerNames(over: stores).map {
                "The configuration names the institution \($0.now) by its former short name \($0.former)."
            }
        } catch {
            findings.append("\(error)")
        }
    }

    /// Reports a mail server that does not answer as a remark, because it may be down for a while and mails wait.
    private mutating func inspectMail() {
        do {
            guard let server = try MailServer(configuration), let fault = server.fault else { return }
            remarks.append("The mail server does not take mail from here at this moment: \(fault)")
        } catch {
            findings.append("\(error)")
        }
    }

    private mutating func inspectWebClient() {
        guard let folder = configuration.webFolder else { return }
        note { _ in
            do throws(WebFiles.Unreadable) {
                _ = try WebFiles(folder: folder)
            } catch {
                throw Failure("\(folder) holds no web client: \(error.path) cannot be read.")
            }
        }
    }

    /// Starts each scheme, lets it describe itself, and checks that it accepts the programs that will use it.
    private mutating func inspectSchemes() {
        var installed: [InstalledScheme] = []
        defer { for scheme in installed { scheme.close() } }
        for plugin in configuration.plugins {
            var alone = configuration
            alone.plugins = [plugin]
            note { _ in installed += try Installation.schemes(alone).0.schemes }
        }
        let names = installed.map(\.identifier.text)
        for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
            findings.append("The scheme \(name) is installed twice.")
        }
        if isStoreReadable, stores.exists {
            note { configuration in
                try ExecutableReview(of: installed, over: Installation.stores(configuration))?.check()
            }
        }
        for institution in configuration.institutions {
            for program in institution.programs {
                note { _ in try Self.check(program, of: institution.slug, against: installed) }
            }
        }
    }

    private static func check(_ program: JSON, of slug: String, against schemes: [InstalledScheme]) throws {
        // Reading the file has already reported a program that is not valid at all.
        guard let name = program["scheme"]?.string else { return }
        guard let scheme = schemes.first(where: { $0.identifier.text == name }) else {
            throw Failure("The institution \(slug) has a program of the scheme \(name), which is not installed.")
        }
        do throws(FaultList) {
            _ = try scheme.rulebook(
                preset: program["preset"]?.string, configuration: program["configuration"] ?? .null)
        } catch {
            let faults = error.faults.map { "  \($0.path): \(MessageCatalog.kit.message($0, in: .english))" }
            throw Failure(
                "A program of the institution \(slug) does not suit its scheme \(name):\n"
                    + faults.joined(separator: "\n"))
        }
    }
}

extension Files {
    /// Throws unless a file can be read and written.
    static func checkWritable(_ path: String) throws {
        guard access(path, R_OK | W_OK) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }

    /// Throws unless a folder exists and can be written, or can be created.
    static func checkWritable(folder: String) throws {
        var folder = folder.isEmpty ? "." : folder
        while access(folder, F_OK) != 0, errno == ENOENT, folder != "/", folder != "." { folder = parent(of: folder) }
        var status = stat()
        guard access(folder, W_OK | X_OK) == 0, stat(folder, &status) == 0 else {
            throw Failure("\(folder): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure("\(folder) is not a folder.") }
    }
}
