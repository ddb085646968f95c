import Classes
import Database
import Gradebook
import GradingKit
public import People
public import Shared

extension RelationalStore: FeedStore {
    /// Returns the next slice of the logs.
    public func feedSlice(limit: Int) async throws -> FeedSlice {
        let settled = try await settledLogs()
        return try await browse { [recentChanges, feedMemory] connection in
            let from = try connection.feedProgress()
            feedMemory.begin(at: from)
            // What this program has just committed needs no reading. All before its last change has come to its end.
            let held = recentChanges.changes(after: from.changes)
            let changes =
                if let held { try connection.recordFacts(in: held, feedMemory) } else {
                    try connection.recordFacts(after: from.changes, upTo: settled.changes, limit: limit)
                }
            let audit = try connection.auditFacts(after: from.audit, limit: limit)
            let classes = try connection.classFacts(after: from.classes, upTo: settled.classes, limit: limit)
            return FeedSlice(
                from: from, to: FeedProgress(changes: changes.place, audit: audit.place, classes: classes.place),
                isFull: changes.isFull || audit.isFull || classes.isFull, records: changes.facts, audit: audit.facts,
                classes: classes.facts, standings: changes.standings)
        }
    }

    /// Stores events and the position reached.
    public func store(
        _ events: [FeedEvent], met: [RecordID: Set<String>], notifying due: [FeedDue], from: FeedProgress,
        to: FeedProgress
    ) async throws {
        do {
            let isStored = try await put(events, met: met, notifying: due, from: from, to: to)
            if isStored { feedMemory.note(met, reaching: to) } else { feedMemory.forget() }
        } catch {
            feedMemory.forget()
            throw error
        }
    }

    /// Stores events and the position reached; returns `false` if they were made from another position.
    private func put(
        _ events: [FeedEvent], met: [RecordID: Set<String>], notifying due: [FeedDue], from: FeedProgress,
        to: FeedProgress
    ) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            guard try connection.feedProgress() == from else { return false }
            var number = try connection.eventsStored()
            var first = number + 1
            var people = KnownAccounts()
            // A person's events go with the person, also those that the projector finds later.
            for event in events where try people.exist(in: event, on: connection) {
                let found = try connection.unstored(event)
                if let known = found.known { first = min(first, known) }
                guard let event = found.event else { continue }
                if try connection.insert(event, number: number + 1) {
                    number += 1
                } else if let known = try connection.number(of: event) {
                    first = min(first, known)
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
                "UPDATE feed_progress SET changes = ?, audit = ?, classes = ?, events = ?", .integer(to.changes),
                .integer(to.audit), .integer(to.classes), .integer(number))
            return true
        }
    }

    /// Deletes events of before `moment`.
    public func sweepFeed(before moment: Timestamp, limit: Int) async throws -> Int {
        // Events are stored nearly in the order of their times, so the old ones are among the first.
        let first = try await browse { connection in
            try connection.all("SELECT number, at FROM feed_events ORDER BY number LIMIT ?", .integer(limit)) {
                (number: $0.integer(0), at: Timestamp(microseconds: Int64($0.integer(1))))
            }
        }
        let old = first.filter { $0.at < moment }
        guard !old.isEmpty else { return 0 }
        try await write { transaction in
            for event in old {
                try transaction.connection.run("DELETE FROM feed_events WHERE number = ?", .integer(event.number))
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

/// Whether accounts are still there, each looked up once.
private struct KnownAccounts {
    private var known: [AccountID: Bool] = [:]

    /// Returns whether the person whose event it is, and the one who acted in it, are there.
    mutating func exist(in event: FeedEvent, on connection: Connection) throws -> Bool {
        if case .account(let id) = event.stream, try !exists(id, on: connection) { return false }
        return try event.actor.map { try exists($0, on: connection) } ?? true
    }

    private mutating func exists(_ id: AccountID, on connection: Connection) throws -> Bool {
        if let found = known[id] { return found }
        let found = try connection.first("SELECT 1 FROM accounts WHERE id = ?", .text(id.text)) { $0.boolean(0) }
        known[id] = found ?? false
        return found ?? false
    }
}

extension FeedEvent {
    /// Whether those with whom the person shares may see it.
    fileprivate var isShown: Bool { types.contains(FeedType.friendHeadline.alone) }
}

extension Connection {
    fileprivate func feedProgress() throws -> FeedProgress {
        try first("SELECT changes, audit, classes FROM feed_progress") {
            FeedProgress(changes: $0.integer(0), audit: $0.integer(1), classes: $0.integer(2))
        } ?? FeedProgress(changes: 0, audit: 0, classes: 0)
    }

    /// Returns the number of the event that was stored last.
    fileprivate func eventsStored() throws -> Int {
        try first("SELECT events FROM feed_progress") { $0.integer(0) } ?? 0
    }

    /// Returns the number under which an event was stored before; `nil` if it was not.
    fileprivate func number(of event: FeedEvent) throws -> Int? {
        try first(
            "SELECT number FROM feed_events WHERE stream = ? AND shown = ? AND at = ? AND id = ?",
            .text(event.stream.text), .boolean(event.isShown), .integer(event.at.microseconds), .text(event.id)
        ) { $0.integer(0) }
    }

    /// Returns what is left of an event without the changes that stored events stand for, and the lowest number of
    /// these.
    fileprivate func unstored(_ event: FeedEvent) throws -> (event: FeedEvent?, known: Int?) {
        guard let object = event.object, let last = event.change else { return (event, nil) }
        let stored = try all(
            """
            SELECT number, ifnull(former, 0), change FROM feed_events
            WHERE stream = ? AND shown = ? AND at >= ? AND at < ? AND object = ? AND change IS NOT NULL
            """,
            .text(event.stream.text), .boolean(event.isShown), .integer(Int(event.moments.lowerBound)),
            .integer(Int(event.moments.upperBound)), .text(object)
        ) { (number: $0.integer(0), former: $0.integer(1), change: $0.integer(2)) }
        let known = stored.filter { row in event.places.contains { row.former < $0 && $0 <= row.change } }
        guard !known.isEmpty else { return (event, nil) }
        let end = known.map(\.change).max() ?? 0
        return (last > end ? event.behind(end) : nil, known.map(\.number).min())
    }

    /// Stores an event; returns `false` if it was stored before.
    fileprivate func insert(_ event: FeedEvent, number: Int) throws -> Bool {
        try run(
            """
            INSERT INTO feed_events (
                number, stream, shown, at, id, types, actor, object, institution, program, version, change, former, job,
                act, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (stream, shown, at, id) DO NOTHING
            """,
            .integer(number), .text(event.stream.text), .boolean(event.isShown), .integer(event.at.microseconds),
            .text(event.id), .integer(event.types.rawValue), .text(event.actor?.text), .text(event.object),
            .text(event.institution?.text), .text(event.program?.text), .integer(event.version),
            .integer(event.change), .integer(event.former), .boolean(event.isJob), .text(event.act?.text),
            .integer(event.count))
        return try changes > 0
    }

    /// Makes a notice due that tells of the events from a number on, or has them join one that is due.
    func insert(_ due: FeedDue, from number: Int) throws {
        try run(
            """
            INSERT INTO notices_due (account, pace, at, turn, first, since)
            SELECT id, ?2, ?3, 0, ?4, ?5 FROM accounts WHERE id = ?1
            ON CONFLICT (account, pace) DO UPDATE
            SET at = min(notices_due.at, excluded.at), turn = notices_due.turn + 1,
                first = min(notices_due.first, excluded.first), since = min(notices_due.since, excluded.since)
            """, .text(due.account.text), .text(due.pace.rawValue), .integer(due.at.microseconds), .integer(number),
            .integer(due.since.microseconds))
    }

    /// Returns the changes between two places that students can see, the place reached, and whether there may be more. A
    /// hidden change, and one of a record that is gone or has no student, is passed over.
    fileprivate func recordFacts(
        after place: Int, upTo end: Int, limit: Int
    ) throws -> RecordFacts {
        let rows = try all(
            """
            SELECT c.seq, c.record, c.institution, records.program, records.student, c.at, c.released_version,
                ifnull(c.released_operation, c.operation),
                iif(c.released_operation IS NULL, c.figures, c.released_figures), c.chain, c.previous,
                previous.released_version IS NOT NULL,
                iif(previous.released_operation IS NULL, previous.figures, previous.released_figures)
            FROM changes AS c LEFT JOIN changes AS previous ON previous.seq = c.previous
            LEFT JOIN records ON records.id = c.record AND c.released_version IS NOT NULL AND c.erased = 0
            WHERE c.seq > ? AND c.seq <= ? ORDER BY c.seq LIMIT ?
            """, .integer(place), .integer(end), .integer(limit)
        ) { row in
            (
                seq: row.integer(0), fact: row.isNull(4) ? nil : RecordFact(row),
                followsHidden: !row.isNull(10) && !row.boolean(11)
            )
        }
        let facts = try rows.compactMap { row in
            guard var fact = row.fact else { return nil as RecordFact? }
            if row.followsHidden { (fact.former, fact.formerFigures) = try formerSeen(before: row.seq) }
            return fact
        }
        var standings: [RecordID: (standing: [UInt8], met: Set<String>?)] = [:]
        for fact in facts where standings[fact.record] == nil {
            standings[fact.record] = try standing(of: fact.record)
        }
        return (facts, standings, rows.last?.seq ?? place, rows.count == limit)
    }

    /// Returns the changes that students can see among those that were not read from the database, with the place
    /// reached.
    fileprivate func recordFacts(in held: RecentChanges.Run, _ memory: FeedMemory) throws -> RecordFacts {
        var facts: [RecordFact] = []
        facts.reserveCapacity(held.changes.count)
        var traces: [RecordID: FeedMemory.Trace] = [:]
        var standings: [RecordID: (standing: [UInt8], met: Set<String>?)] = [:]
        for change in held.changes {
            var trace = traces[change.record] ?? memory[change.record] ?? FeedMemory.Trace()
            if let previous = change.previous, trace.end != previous {
                (trace.seen, trace.figures) = try seen(upTo: previous)
            }
            trace.end = change.number
            if var fact = change.fact {
                (fact.former, fact.formerFigures) = (trace.seen, trace.figures)
                (trace.seen, trace.figures) = (fact.change, fact.figures)
                facts.append(fact)
                if standings[change.record] == nil, let standing = held.standings[change.record] {
                    if !trace.knowsMet { (trace.met, trace.knowsMet) = (try outcomes(of: change.record), true) }
                    standings[change.record] = (standing, trace.met)
                }
            }
            traces[change.record] = trace
        }
        for (record, trace) in traces { memory.keep(trace, of: record) }
        return (facts, standings, held.changes.last?.number ?? 0, held.isFull)
    }

    /// Returns the last change before another one of the same record that the student can see, with its figures. Over
    /// all changes of a record, each hidden one is passed once.
    private func formerSeen(before seq: Int) throws -> (seq: Int?, figures: [UInt8]?) {
        let find = "SELECT previous FROM changes WHERE seq = ?"
        guard let last = try first(find, .integer(seq), read: { $0.optionalInteger(0) }) ?? nil else {
            return (nil, nil)
        }
        return try seen(upTo: last)
    }

    /// Returns the last change of a record up to one of its changes that the student can see, with its figures.
    private func seen(upTo last: Int) throws -> (seq: Int?, figures: [UInt8]?) {
        var found: (seq: Int?, figures: [UInt8]?) = (nil, nil)
        let columns = "released_version, iif(released_operation IS NULL, figures, released_figures)"
        try Trail(connection: self).walk(from: last, columns) { seq, row in
            guard !row.isNull(1) else { return .onward }
            found = (seq, row.optionalBytes(2))
            return .enough
        }
        return found
    }

    fileprivate func auditFacts(
        after place: Int, limit: Int
    ) throws -> (facts: [AuditFact], place: Int, isFull: Bool) {
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
        return (rows.compactMap(\.fact), rows.last?.seq ?? place, rows.count == limit)
    }

    /// Returns the acts of classes between two places that are news, the place reached, and whether there may be more.
    fileprivate func classFacts(
        after place: Int, upTo end: Int, limit: Int
    ) throws -> (facts: [ClassFact], place: Int, isFull: Bool) {
        let rows = try all(
            """
            SELECT c.seq, k.institution, k.program, e.student, e.record, c.chain, \(LedgerLine.columns)
            FROM class_changes AS c JOIN classes AS k ON k.number = c.class
            LEFT JOIN enrolments AS e ON e.id = c.enrolment
            WHERE c.seq > ? AND c.seq <= ? ORDER BY c.seq LIMIT ?
            """, .integer(place), .integer(end), .integer(limit)
        ) { row in
            (
                seq: row.integer(0), institution: InstitutionID(row.text(1)), program: ProgramID(row.text(2)),
                student: row.optionalText(3).map { (account: AccountID($0), record: RecordID(row.text(4))) },
                link: row.bytes(5), line: LedgerLine(row, firstColumn: 6)
            )
        }
        let facts = try rows.compactMap { row -> ClassFact? in
            guard let kind = try kind(of: row.line, about: row.student) else { return nil }
            return ClassFact(
                ClassAct(row.line.classID, line: row.line.number), kind, institution: row.institution,
                program: row.program, at: row.line.at, link: row.link)
        }
        return (facts, rows.last?.seq ?? place, rows.count == limit)
    }

    /// Returns what an act did that is news; `nil` for one that changed nothing before students' eyes, and for one of a
    /// student who is gone.
    private func kind(
        of line: LedgerLine, about student: (account: AccountID, record: RecordID)?
    ) throws -> ClassFact.Kind? {
        if line.enrolment != nil {
            guard let student, line.changesShownCells else { return nil }
            return line.operation == LedgerLine.correction
                ? .corrected(student.account, student.record) : .entered(student.account, student.record)
        }
        if let id = line.correctionID {
            guard let asker = try corrections("WHERE r.id = ?", [.text(id.text)]).first?.correction.account else {
                return nil
            }
            if line.operation == LedgerLine.correctionRequested { return .correctionRequested(id, by: asker) }
            // Who takes a correction back knows it.
            return line.account == asker ? nil : .correctionDecided(id, askedBy: asker, by: line.account)
        }
        if !line.seen.shown.isEmpty { return .shown }
        return line.seen.hidden.isEmpty ? nil : .hidden
    }

    fileprivate func standing(of record: RecordID) throws -> (standing: [UInt8], met: Set<String>?)? {
        let met = try outcomes(of: record)
        return try first("SELECT ifnull(released_standing, standing) FROM records WHERE id = ?", .text(record.text)) {
            ($0.bytes(0), met)
        }
    }

    /// Returns the outcomes of a record that are stored as met; `nil` if it was not looked at before.
    private func outcomes(of record: RecordID) throws -> Set<String>? {
        try first("SELECT met FROM feed_outcomes WHERE record = ?", .text(record.text)) {
            Set($0.text(0).split(separator: " ").map { String($0) })
        }
    }
}

/// Changes of records that their students can see, the records' standings, the place reached, and whether there may be more.
private typealias RecordFacts = (
    facts: [RecordFact], standings: [RecordID: (standing: [UInt8], met: Set<String>?)], place: Int, isFull: Bool
)

extension RecordFact {
    /// Reads a change with the one before it of the same record.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            change: row.integer(0), former: row.optionalInteger(10), record: RecordID(row.text(1)),
            institution: InstitutionID(row.text(2)), program: ProgramID(row.text(3)), student: AccountID(row.text(4)),
            at: Timestamp(microseconds: Int64(row.integer(5))), version: row.integer(6), operation: row.text(7),
            figures: row.optionalBytes(8) ?? [], formerFigures: row.optionalBytes(12), link: row.bytes(9))
    }
}
