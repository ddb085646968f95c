import HTTP
import JSON
public import Messages

extension ServerConfiguration {
    /// Lets the environment override the file: `GRADECAST_HOST`, `GRADECAST_PORT`, `GRADECAST_MANAGEMENT_HOST`,
    /// `GRADECAST_MANAGEMENT_PORT`, `GRADECAST_DATABASE`, `GRADECAST_STORE`, `GRADECAST_STORE_PASSWORD_FILE`,
    /// `GRADECAST_PEPPER`, `GRADECAST_ROSEFIRE`, `GRADECAST_MAIL_PASSWORD_FILE`, `GRADECAST_LOG_LEVEL`,
    /// `GRADECAST_LOG_REQUESTS`, `GRADECAST_WEB`. `GRADECAST_STORE` is the URL of a PostgreSQL database.
    ///
    /// - Throws: a fault for each variable with an invalid value; its path is the variable's name.
    public mutating func override(with environment: [String: String]) throws(FaultList) {
        var faults = FaultList()
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "GRADECAST_HOST", "GRADECAST_MANAGEMENT_HOST":
                guard Self.isHost(value) else {
                    faults.add(.outOfRange, at: name, ["expected": "an IP address such as 0.0.0.0, or localhost"])
                    continue
                }
                self[keyPath: name == "GRADECAST_HOST" ? \Self.host : \Self.management.host] = value
            case "GRADECAST_PORT", "GRADECAST_MANAGEMENT_PORT":
                guard let number = Int(value), (0...65_535).contains(number) else {
                    faults.add(.outOfRange, at: name, ["min": 0, "max": 65_535])
                    continue
                }
                self[keyPath: name == "GRADECAST_PORT" ? \Self.port : \Self.management.port] = number
            case "GRADECAST_DATABASE": database = value
            case "GRADECAST_STORE":
                guard var store = PostgreSQL(value) else {
                    faults.add(.outOfRange, at: name, ["expected": .string(PostgreSQL.expected)])
                    continue
                }
                if let configured = postgreSQL {
                    (store.connections, store.tls) = (configured.connections, configured.tls)
                    store.pooler = configured.pooler
                    (store.authorities, store.passwordFile) = (configured.authorities, configured.passwordFile)
                }
                postgreSQL = store
            // Its name sorts after `GRADECAST_STORE`, which may create the settings that it belongs to.
            case "GRADECAST_STORE_PASSWORD_FILE": postgreSQL?.passwordFile = value
            case "GRADECAST_PEPPER": pepper = value
            case "GRADECAST_ROSEFIRE": rosefire?.secret = value
            case "GRADECAST_MAIL_PASSWORD_FILE": mail?.passwordFile = value
            case "GRADECAST_WEB": webFolder = value
            case "GRADECAST_LOG_LEVEL":
                guard ["debug", "info", "warning", "error"].contains(value) else {
                    faults.add(.outOfRange, at: name, ["allowed": ["debug", "info", "warning", "error"]])
                    continue
                }
                logLevel = value
            case "GRADECAST_LOG_REQUESTS":
                guard let requests = LoggedRequests(rawValue: value) else {
                    let allowed = LoggedRequests.allCases.map { JSON.string($0.rawValue) }
                    faults.add(.outOfRange, at: name, ["allowed": .array(allowed)])
                    continue
                }
                loggedRequests = requests
            default: break
            }
        }
        try faults.check()
    }

    /// Makes `folder` the data folder, which holds the database.
    public mutating func keepData(in folder: String) {
        database = folder + "/gradecast.db"
    }

    /// The folder of the database.
    public var dataFolder: String {
        let parts = database.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// The file with the pepper: beside the data folder, never in it, so that a copy of the data does not contain the
    /// key.
    public var pepperFile: String { pepper ?? dataFolder + "-keys/pepper" }

    /// The file with the secret shared with Rosefire: beside the pepper, unless the configuration names another. A
    /// stand-in has a file of its own, so that what it signs is worthless once it is gone.
    public var rosefireFile: String {
        if let secret = rosefire?.secret { return secret }
        let folder = pepperFile.lastIndex(of: "/").map { String(pepperFile[...$0]) } ?? ""
        return folder + (rosefire?.isStandIn == true ? "rosefire-stand-in" : "rosefire")
    }

    /// Files and folders that no third-party scheme may read, wherever they are.
    public var secretFiles: [String] {
        // The working directory holds much besides the data, so there the data files are listed one by one.
        let files = ["", "-wal", "-shm", "-journal", "-work"].map { database + $0 } + ["demo-sign-ins.json"]
        let folder = pepper == nil ? [dataFolder + "-keys"] : []
        return (dataFolder == "." ? files : [dataFolder]) + folder + [pepperFile, rosefireFile]
            + (tls.map { [$0.key] } ?? []) + openIDConnect.map(\.secretFile) + (gitHub.map { [$0.secretFile] } ?? [])
            + [mail?.passwordFile, postgreSQL?.passwordFile].compactMap(\.self)
    }

    /// Whether a stand-in may sign anyone in, which needs a server that only this machine can reach.
    public var allowsStandIns: Bool { isLoopback && proxies.isEmpty }

    /// Whether the address can only be reached from this machine.
    public var isLoopback: Bool { IPAddress(numericHost)?.isLoopback == true }

    /// The IP address to listen on.
    public var numericHost: String { Self.numeric(host) }

    /// Returns a host as an IP address: `localhost` becomes 127.0.0.1.
    public static func numeric(_ host: String) -> String { host == "localhost" ? "127.0.0.1" : host }

    static func isHost(_ text: String) -> Bool { IPAddress(numeric(text)) != nil }

    /// The host names that the server answers for, besides loopback names: the public address's, the configured ones,
    /// and the address it listens on, unless that is unspecified (0.0.0.0 or ::).
    public var hostNames: Set<String> {
        var names = Set(names)
        if let publicURL { names.insert(publicURL.authority.name) }
        if let address = IPAddress(numericHost), !address.isUnspecified { names.insert(address.description) }
        return names
    }
}
