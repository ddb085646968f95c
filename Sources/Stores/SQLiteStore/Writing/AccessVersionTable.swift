import SQLite
import Shared

/// The stored access versions, with a memory of those that the writer has read or raised.
///
/// Programs beside the server raise versions too, so the memory is given up whenever another program has committed.
struct AccessVersionTable {
    /// The most versions that are remembered.
    private static let capacity = 10_000

    /// Reads the version of a subject whose identifier an expression of SQL gives.
    static func select(_ kind: StaticString, _ id: String) -> String {
        "ifnull((SELECT version FROM access_versions WHERE kind = '\(kind)' AND id = \(id)), 0)"
    }

    private var known: [AccessSubject: Int] = [:]
    /// What SQLite says of the commits of others.
    private var others: Int?

    /// Starts a transaction; forgets all cached versions if another connection has committed.
    mutating func begin(on connection: Connection) throws {
        let others = try connection.first("PRAGMA data_version") { $0.integer(0) }
        if others != self.others { forget() }
        self.others = others
    }

    /// The version of a subject; 0 for one that has not changed since it was made.
    mutating func version(of subject: AccessSubject, on connection: Connection) throws -> Int {
        if let version = known[subject] { return version }
        let version = try connection.accessVersion(of: subject)
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[subject] = version
        return version
    }

    /// Raises the version of a subject.
    mutating func raise(_ subject: AccessSubject, on connection: Connection) throws {
        known[subject] = nil
        try connection.run(
            """
            INSERT INTO access_versions (kind, id, version) VALUES (?, ?, 1)
            ON CONFLICT (kind, id) DO UPDATE SET version = version + 1
            """,
            .text(subject.kind), .text(subject.id))
    }

    /// Gives up the memory, when what was read or raised is taken back.
    mutating func forget() { known.removeAll(keepingCapacity: true) }
}

extension Connection {
    /// The stored access version of a subject.
    func accessVersion(of subject: AccessSubject) throws -> Int {
        try first(
            "SELECT version FROM access_versions WHERE kind = ? AND id = ?", .text(subject.kind), .text(subject.id)
        ) { $0.integer(0) } ?? 0
    }
}

extension AccessSubject {
    var kind: String {
        switch self {
        case .account: "account"
        case .institution: "institution"
        case .program: "program"
        }
    }

    var id: String {
        switch self {
        case .account(let id): id.text
        case .institution(let id): id.text
        case .program(let id): id.text
        }
    }
}
