import PostgreSQL
import RelationalStore

/// The locks that programs take in the database; they are none of rows.
enum AdvisoryLock: Int {
    /// The right to serve the store: each server's writing connection shares it as long as it lasts. A program that
    /// needs the store to itself takes it alone.
    case serving = 0x4772_6164_0000_0001
    /// The right to write, held to the end of a transaction: shared by changes that lock what they touch, alone by all
    /// others.
    case writing = 0x4772_6164_0000_0002
    /// The right to change the schema beside servers.
    case migrating = 0x4772_6164_0000_0003

    /// The turn of one server to make what is missing at its start.
    case starting = 0x4772_6164_0000_0004

    /// Whether others may hold the lock too.
    enum Kind {
        case alone
        case shared

        var suffix: String { self == .shared ? "_shared" : "" }
    }
}

extension PostgreSQLConnection {
    /// Takes a lock until the connection ends, unless another connection is in the way; returns whether it did.
    func tryLock(_ lock: AdvisoryLock, _ kind: AdvisoryLock.Kind = .alone) throws -> Bool {
        let sql = "SELECT pg_try_advisory_lock\(kind.suffix)(?)"
        return try first(sql, .integer(lock.rawValue)) { $0.boolean(0) } == true
    }

    /// Takes a lock until the connection ends, and waits if another connection is in the way; returns whether it did.
    func waitForLock(
        _ lock: AdvisoryLock, _ kind: AdvisoryLock.Kind = .alone, atMost time: Duration
    ) throws -> Bool {
        if try tryLock(lock, kind) { return true }
        let milliseconds = time / .milliseconds(1)
        guard milliseconds >= 1 else { return false }
        do {
            try withTransaction(.readCommitted) {
                try run("SELECT set_config('lock_timeout', ?, true)", .text(String(Int(milliseconds.rounded()))))
                let sql = "SELECT pg_advisory_lock\(kind.suffix)(?)"
                _ = try first(sql, .integer(lock.rawValue)) { _ in true }
            }
            return true
        } catch let error as PostgreSQLError where error.kind == .lockTimeout {
            return false
        }
    }

    /// Gives back a lock that the connection has taken.
    func unlock(_ lock: AdvisoryLock, _ kind: AdvisoryLock.Kind = .alone) throws {
        _ = try first("SELECT pg_advisory_unlock\(kind.suffix)(?)", .integer(lock.rawValue)) { _ in true }
    }

    /// Waits for a lock and holds it until the open transaction ends.
    func lockUntilEnd(_ lock: AdvisoryLock) throws {
        try lockUntilEnd(.everything, by: lock)
        try flush()
    }

    /// Waits for what a group of changes has to itself, and holds it until the open transaction ends. The next answer waits
    /// for it.
    ///
    /// The locks are taken in one order on all nodes: first the right to write, then the numbers, rising. So no two groups
    /// wait for each other. What is read in a later statement is as the holders before left it.
    func lockUntilEnd(_ reach: WriteReach, by lock: AdvisoryLock = .writing) throws {
        guard case .only = reach else {
            return try run("SELECT pg_advisory_xact_lock(?)", .integer(lock.rawValue))
        }
        try run("SELECT pg_advisory_xact_lock_shared(?)", .integer(lock.rawValue))
        try run(
            """
            SELECT count(pg_advisory_xact_lock(number))
            FROM unnest(CAST(string_to_array(?, ' ') AS bigint[])) AS number
            """, .text(reach.lockNumbers.map(String.init).joined(separator: " ")))
    }

    /// Returns whether a connection holds the lock.
    func isLocked(_ lock: AdvisoryLock) throws -> Bool {
        let found = try first(
            """
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid::bigint = ? AND objid::bigint = ?
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1
            """, .integer(lock.rawValue >> 32), .integer(lock.rawValue & 0xffff_ffff)
        ) { $0.boolean(0) }
        return found == true
    }
}
