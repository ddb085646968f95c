import Database
import Institutions
public import Records
public import Shared
import TimeZones

extension RelationalStore: LeaseStore {
    /// Claims the oldest work of a kind that has no valid lease.
    public func claim(_ kind: WorkKind, by claim: WorkClaim) async throws -> WorkLease? {
        // Usually there is no work, and finding that out must not cost a write.
        guard try await read({ try $0.freeWork(of: kind, at: claim.at) }) != nil else { return nil }
        return try await write { transaction in
            guard let work = try transaction.connection.freeWork(of: kind, at: claim.at) else { return nil }
            let lease = claim.lease(on: work, kind)
            try transaction.put(lease)
            return lease
        }
    }

    /// Renews a lease.
    public func renew(_ lease: WorkLease, at now: Timestamp) async throws {
        try await write { transaction in
            try lease.check(try transaction.connection.lease(on: lease.work, lease.kind))
            try transaction.put(lease.renewed(at: now))
        }
    }

    /// Releases the lease if it still holds.
    public func release(_ lease: WorkLease) async throws {
        try await write { transaction in
            guard try transaction.connection.lease(on: lease.work, lease.kind)?.token == lease.token else { return }
            try transaction.releaseWork(lease.work, lease.kind)
        }
    }
}

extension RelationalStore {
    /// Returns how much due work of a kind is not finished.
    public func openWork(of kind: WorkKind, at now: Timestamp) async throws -> (count: Int, since: Timestamp?) {
        try await read { try $0.openWork(of: kind, at: now) }
    }
}

extension WorkKind {
    /// The table that holds this kind of work, with the lease on each piece.
    var table: String {
        switch self {
        case .imports: "imports"
        case .rehearsals: "rehearsals"
        case .bulkChanges: "bulk_changes"
        }
    }
}

extension Connection {
    /// Returns the lease on a piece of work; `nil` for none.
    func lease(on work: String, _ kind: WorkKind) throws -> WorkLease? {
        try first(
            "SELECT lease_owner, lease_token, lease_ends_at FROM \(kind.table) WHERE id = ? AND lease_token IS NOT NULL",
            .text(work)
        ) { row in
            WorkLease(
                kind: kind, work: work, owner: row.text(0), token: row.text(1),
                endsAt: Timestamp(microseconds: Int64(row.integer(2))))
        }
    }

    /// Returns the oldest unfinished work without a valid lease at the given moment.
    fileprivate func freeWork(of kind: WorkKind, at now: Timestamp) throws -> String? {
        switch kind {
        case .imports, .rehearsals:
            let ends = WorkLease.ends(holdingAt: now)
            return try first(
                """
                SELECT id FROM \(kind.table) WHERE state = 'running'
                AND (lease_token IS NULL OR lease_ends_at NOT BETWEEN ? AND ?) ORDER BY id LIMIT 1
                """, .integer(ends.lowerBound.microseconds), .integer(ends.upperBound.microseconds)
            ) { $0.text(0) }
        case .bulkChanges: return try dueBulkChanges(at: now).first { !$0.isHeld(at: now) }?.work
        }
    }

    fileprivate func openWork(of kind: WorkKind, at now: Timestamp) throws -> (count: Int, since: Timestamp?) {
        switch kind {
        case .imports, .rehearsals:
            return try first("SELECT count(*), min(started_at) FROM \(kind.table) WHERE state = 'running'") { row in
                (row.integer(0), row.optionalInteger(1).map { Timestamp(microseconds: Int64($0)) })
            } ?? (0, nil)
        case .bulkChanges:
            let due = try dueBulkChanges(at: now)
            return (due.count, due.map(\.since).min())
        }
    }

    private struct DueBulkChange {
        let work: String
        let since: Timestamp
        let leaseEnd: Int64?

        func isHeld(at now: Timestamp) -> Bool {
            let ends = WorkLease.ends(holdingAt: now)
            return leaseEnd.map { (ends.lowerBound.microseconds...ends.upperBound.microseconds).contains($0) } ?? false
        }
    }

    /// Returns the due bulk changes that are not finished, the one to do first at the beginning.
    private func dueBulkChanges(at now: Timestamp) throws -> [DueBulkChange] {
        // A day begins in the institution's time zone: what may have begun somewhere is looked at one by one.
        try all(
            """
            SELECT bulk_changes.id, due_on, time_zone, ordered_at, lease_token, lease_ends_at FROM bulk_changes
            LEFT JOIN institutions ON institutions.id = bulk_changes.institution
            WHERE finished_at IS NULL AND due_on <= ? ORDER BY due_on, ordered_at
            """, .integer(now.latestDay.days)
        ) { row -> DueBulkChange? in
            let zone = row.optionalText(2).flatMap { TimeZone($0) } ?? .utc
            let (day, ordered) = (CalendarDay(days: row.integer(1)), Timestamp(microseconds: Int64(row.integer(3))))
            guard day <= now.day(in: zone) else { return nil }
            // No day begins later than twelve hours after it does in UTC.
            let begun = Timestamp(microseconds: Int64(day.days) * 86_400_000_000).adding(seconds: 43_200)
            let since = day <= ordered.day(in: zone) ? ordered : min(max(ordered, begun), now)
            let leaseEnd = row.optionalText(4) == nil ? nil : row.optionalInteger(5).map { Int64($0) }
            return DueBulkChange(work: row.text(0), since: since, leaseEnd: leaseEnd)
        }.compactMap(\.self)
    }

    /// Ends what a former server has left. It has ended, because only one server at a time has the store.
    package func endWorkOfFormerServer() throws {
        // Notices for it do not matter to this one: its caches are empty.
        try run("DELETE FROM notices")
        try run("DELETE FROM import_bodies WHERE import NOT IN (SELECT id FROM imports WHERE state = 'running')")
        // The mails that it had claimed are sent by this one.
        try run("UPDATE mails SET leased_until = NULL WHERE leased_until IS NOT NULL")
        try run("UPDATE webhooks SET lease_token = NULL, lease_ends_at = NULL WHERE lease_token IS NOT NULL")
        for kind in WorkKind.allCases {
            try run(
                """
                UPDATE \(kind.table) SET lease_owner = NULL, lease_token = NULL, lease_ends_at = NULL
                WHERE lease_token IS NOT NULL
                """)
        }
    }
}

extension WriteTransaction {
    /// Stores a lease, which replaces any other on the work.
    func put(_ lease: WorkLease) throws {
        try connection.run(
            "UPDATE \(lease.kind.table) SET lease_owner = ?, lease_token = ?, lease_ends_at = ? WHERE id = ?",
            .text(lease.owner), .text(lease.token), .integer(lease.endsAt.microseconds), .text(lease.work))
    }

    /// Removes the lease from a piece of work.
    func releaseWork(_ work: String, _ kind: WorkKind) throws {
        try connection.run(
            "UPDATE \(kind.table) SET lease_owner = NULL, lease_token = NULL, lease_ends_at = NULL WHERE id = ?",
            .text(work))
    }
}
