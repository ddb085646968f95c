import Database
import Shared

/// The stored access versions, with a cache of those that the writer has read or raised.
///
/// Programs beside the server raise versions too, so the cache is dropped whenever another program has committed.
struct AccessVersionTable {
    /// The greatest number of cached versions.
    private static let capacity = 10_000

    /// Returns SQL that selects the version of the subject whose identifier the expression `id` gives.
    static func select(_ kind: StaticString, _ id: String) -> String {
        "ifnull((SELECT version FROM access_versions WHERE kind = '\(kind)' AND id = \(id)), 0)"
    }

    private var known: [AccessSubject: Int] = [:]
    /// SQLite's counter of other connections' commits.
    private var others: Int?

    /// Prepares for a new transaction; drops the cache if another connection has committed, or if there is no telling.
    mutating func begin(on connection: Connection) throws {
        guard case .sqlite = connection.driver else { return forget() }
        let others = try connection.first("PRAGMA data_version") { $0.integer(0) }
        if others != self.others { forget() }
        self.others = others
    }

    /// Returns the version of a subject; 0 if it has not changed since it was created.
    mutating func version(of subject: AccessSubject, on connection: Connection) throws -> Int {
        if let version = known[subject] { return version }
        let version = try connection.accessVersion(of: subject)
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[subject] = version
        return version
    }

    /// Takes over versions that were read in this transaction.
    mutating func assume(_ versions: [AccessSubject: Int]) { known.merge(versions) { $1 } }

    /// Raises the version of a subject.
    mutating func raise(_ subject: AccessSubject, on connection: Connection) throws {
        known[subject] = nil
        try connection.run(
            """
            INSERT INTO access_versions (kind, id, version) VALUES (?, ?, 1)
            ON CONFLICT (kind, id) DO UPDATE SET version = access_versions.version + 1
            """,
            .text(subject.kind), .text(subject.id))
    }

    /// Drops the cache, for when reads or raised versions are rolled back.
    mutating func forget() { known.removeAll(keepingCapacity: true) }
}

extension Connection {
    /// Returns the stored access version of a subject.
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
