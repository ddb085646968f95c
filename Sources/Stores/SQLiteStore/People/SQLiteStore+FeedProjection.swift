import GradingKit
public import People
import SQLite
public import Shared

extension SQLiteStore: FeedStore {
    /// Returns the next slice of the logs.
    public func feedSlice(limit: Int) async throws -> FeedSlice {
        try await browse { connection in
            let from = try connection.feedProgress()
            let changes = try connection.recordFacts(after: from.changes, limit: limit)
            let audit = try connection.auditFacts(after: from.audit, limit: limit)
            var standings: [RecordID: (standing: [UInt8], met: Set<String>?)] = [:]
            for fact in changes.facts where standings[fact.record] == nil {
                standings[fact.record] = try connection.standing(of: fact.record)
            }
            return FeedSlice(
                from: from, to: FeedProgress(changes: changes.place, audit: audit.place), records: changes.facts,
                audit: audit.facts, standings: standings)
        }
    }

    /// Stores events and the position reached.
    public func store(
        _ events: [FeedEvent], met: [RecordID: Set<String>], notifying due: [FeedDue], from: FeedProgress,
        to: FeedProgress
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            guard try connection.feedProgress() == from else { return }
            var number = try connection.eventsStored()
            var first = number + 1
            for event in events {
                if let known = try connection.number(of: event) {
                    first = min(first, known)
                } else if try connection.insert(event, number: number + 1) {
                    number += 1
                }
            }
            for (record, outcomes) in met {
                try connection.run(
                    """
                    INSERT INTO feed_outcomes (record, met) SELECT id, ?2 FROM records WHERE id = ?1
                    ON CONFLICT (record) DO UPDATE SET met = excluded.met
                    """, .text(record.text), .text(outcomes.sorted().joined(separator: " ")))
            }
            for notice in due { try connection.insert(notice, from: first) }
            try connection.run(
                "UPDATE feed_progress SET changes = ?, audit = ?, events = ?", .integer(to.changes),
                .integer(to.audit), .integer(number))
        }
    }

    /// Deletes events of before `moment`.
    public func sweepFeed(before moment: Timestamp, limit: Int) async throws -> Int {
        let old = try await browse { connection in
            try connection.all(
                "SELECT stream, at, id FROM feed_events INDEXED BY feed_events_by_time WHERE at < ? LIMIT ?",
                .integer(moment.microseconds), .integer(limit)
            ) { ($0.text(0), $0.integer(1), $0.text(2)) }
        }
        guard !old.isEmpty else { return 0 }
        try await write { transaction in
            for (stream, at, id) in old {
                try transaction.connection.run(
                    "DELETE FROM feed_events WHERE stream = ? AND at = ? AND id = ?", .text(stream), .integer(at),
                    .text(id))
            }
        }
        return old.count
    }
}

extension WriteTransaction {
    /// Deletes the events of an account, and those in which it acted.
    func forgetFeed(of account: AccountID) throws {
        try connection.run(
            "DELETE FROM feed_events WHERE stream = ?", .text(FeedStream.account(account).text))
        try connection.run("DELETE FROM feed_events WHERE actor = ?", .text(account.text))
    }
}

extension Connection {
    fileprivate func feedProgress() throws -> FeedProgress {
        try first("SELECT changes, audit FROM feed_progress") {
            FeedProgress(changes: $0.integer(0), audit: $0.integer(1))
        } ?? FeedProgress(changes: 0, audit: 0)
    }

    /// Returns the number of the event that was stored last.
    fileprivate func eventsStored() throws -> Int {
        try first("SELECT events FROM feed_progress") { $0.integer(0) } ?? 0
    }

    /// Returns the number under which an event was stored before; `nil` if it was not.
    fileprivate func number(of event: FeedEvent) throws -> Int? {
        try first(
            "SELECT number FROM feed_events WHERE stream = ? AND at = ? AND id = ?", .text(event.stream.text),
            .integer(event.at.microseconds), .text(event.id)
        ) { $0.integer(0) }
    }

    /// Stores an event; returns `false` if the person whose event it is, or who acted in it, is gone.
    fileprivate func insert(_ event: FeedEvent, number: Int) throws -> Bool {
        // A person's events go with the person, also those that the projector finds later.
        if case .account(let id) = event.stream, try !isAccount(id) { return false }
        if let actor = event.actor, try !isAccount(actor) { return false }
        try run(
            """
            INSERT INTO feed_events (
                stream, at, id, number, types, actor, object, institution, program, version, change, former, job)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(event.stream.text), .integer(event.at.microseconds), .text(event.id), .integer(number),
            .integer(event.types.rawValue), .text(event.actor?.text), .text(event.object),
            .text(event.institution?.text), .text(event.program?.text), .integer(event.version),
            .integer(event.change), .integer(event.former), .boolean(event.isJob))
        return true
    }

    private func isAccount(_ id: AccountID) throws -> Bool {
        try first("SELECT 1 FROM accounts WHERE id = ?", .text(id.text)) { $0.boolean(0) } ?? false
    }

    /// Makes a notice due that tells of the events from a number on, or has them join one that is due.
    func insert(_ due: FeedDue, from number: Int) throws {
        try run(
            """
            INSERT INTO notices_due (account, pace, at, turn, first) SELECT id, ?2, ?3, 0, ?4 FROM accounts WHERE id = ?1
            ON CONFLICT (account, pace) DO UPDATE
            SET at = min(at, excluded.at), turn = turn + 1, first = min(first, excluded.first)
            """, .text(due.account.text), .text(due.pace.rawValue), .integer(due.at.microseconds), .integer(number))
    }

    /// Returns the changes after a place that students can see, and the place reached. A hidden change, and one of a
    /// record that is gone or has no student, is passed over.
    fileprivate func recordFacts(after place: Int, limit: Int) throws -> (facts: [RecordFact], place: Int) {
        let places = try all(
            "SELECT seq, released_version IS NOT NULL FROM changes WHERE seq > ? ORDER BY seq LIMIT ?",
            .integer(place), .integer(limit)
        ) { (seq: $0.integer(0), isSeen: $0.boolean(1)) }
        let facts = try places.filter(\.isSeen).compactMap { try recordFact(at: $0.seq) }
        return (facts, places.last?.seq ?? place)
    }

    private func recordFact(at seq: Int) throws -> RecordFact? {
        guard let previous = try formerSeen(before: seq) else { return nil }
        return try first(
            """
            SELECT changes.record, changes.institution, records.program, records.student, changes.at,
                changes.released_version, ifnull(changes.released_operation, changes.operation),
                iif(changes.released_operation IS NULL, changes.figures, changes.released_figures), changes.chain
            FROM changes JOIN records ON records.id = changes.record
            WHERE changes.seq = ? AND records.student IS NOT NULL AND changes.erased = 0
            """, .integer(seq)
        ) { row in
            RecordFact(
                change: seq, former: previous.seq, record: RecordID(row.text(0)),
                institution: InstitutionID(row.text(1)), program: ProgramID(row.text(2)),
                student: AccountID(row.text(3)), at: Timestamp(microseconds: Int64(row.integer(4))),
                version: row.integer(5), operation: row.text(6), figures: row.optionalBytes(7) ?? [],
                formerFigures: previous.figures, link: row.bytes(8))
        }
    }

    /// Returns the last change before another one of the same record that the student can see, with its figures; `nil`
    /// if the change itself is not there. Over all changes of a record, each hidden one is passed once.
    private func formerSeen(before seq: Int) throws -> (seq: Int?, figures: [UInt8]?)? {
        let find = "SELECT previous FROM changes WHERE seq = ?"
        guard let last = try first(find, .integer(seq), read: { $0.optionalInteger(0) }) else { return nil }
        var found: (seq: Int?, figures: [UInt8]?) = (nil, nil)
        guard let last else { return found }
        let columns = "released_version, iif(released_operation IS NULL, figures, released_figures)"
        try Trail(connection: self).walk(from: last, columns) { seq, row in
            guard !row.isNull(1) else { return .onward }
            found = (seq, row.optionalBytes(2))
            return .enough
        }
        return found
    }

    fileprivate func auditFacts(after place: Int, limit: Int) throws -> (facts: [AuditFact], place: Int) {
        let rows = try all(
            """
            SELECT seq, scope, at, account, action, subject, detail, chain FROM audit WHERE seq > ?
            ORDER BY seq LIMIT ?
            """, .integer(place), .integer(limit)
        ) { row -> (seq: Int, fact: AuditFact?) in
            let action = row.text(4)
            guard AuditFact.actions.contains(action) else { return (row.integer(0), nil) }
            return (
                row.integer(0),
                AuditFact(
                    institution: row.text(1).isEmpty ? nil : InstitutionID(row.text(1)),
                    at: Timestamp(microseconds: Int64(row.integer(2))),
                    account: row.optionalText(3).map { AccountID($0) }, action: action, subject: row.text(5),
                    detail: row.optionalBytes(6), link: row.bytes(7))
            )
        }
        return (rows.compactMap(\.fact), rows.last?.seq ?? place)
    }

    fileprivate func standing(of record: RecordID) throws -> (standing: [UInt8], met: Set<String>?)? {
        let met = try first("SELECT met FROM feed_outcomes WHERE record = ?", .text(record.text)) {
            Set($0.text(0).split(separator: " ").map { String($0) })
        }
        return try first("SELECT ifnull(released_standing, standing) FROM records WHERE id = ?", .text(record.text)) {
            ($0.bytes(0), met)
        }
    }
}
