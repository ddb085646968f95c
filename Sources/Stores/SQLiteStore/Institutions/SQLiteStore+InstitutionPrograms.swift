public import Institutions
import Records
import SQLite
public import Shared

extension SQLiteStore {
    /// Stores a new program.
    public func insert(_ program: Program, audit: AuditEntry, keeping kept: KeptAnswer?) async throws {
        try await write { transaction in
            try transaction.keep(kept)
            try transaction.connection.run(
                """
                INSERT INTO programs (\(ProgramRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(program.institution.text), .text(program.id.text), .integer(program.revision.version),
                .text(program.scheme), .integer(program.createdAt.microseconds), .text(program.title),
                .text(program.entry.rawValue), .integer(program.newest), .integer(program.effectiveFrom?.days),
                .text(program.draft?.preset), .utf8(program.draft?.configuration),
                .integer(program.draft?.editedAt.microseconds), .integer(program.inForce?.number),
                .integer(program.inForce?.effectiveFrom.days), .integer(program.lastNumber))
            try transaction.audit(audit)
            try transaction.bumpAccess(voiding: nil)
            transaction.post(.programChanged(program.id))
        }
    }

    /// The program; `nil` when there is none.
    public func program(_ id: ProgramID) async throws -> Program? {
        try await read { [epoch] in try $0.program(id, epoch: epoch) }
    }

    /// An institution's programs in the order they were made.
    public func programs(
        of institution: InstitutionID, publishedOnly: Bool, after cursor: ProgramID?, limit: Int
    ) async throws -> [Program] {
        try await read { [epoch] connection in
            try connection.all(
                """
                SELECT \(ProgramRow.columns) FROM programs
                WHERE institution = ?1 AND id > ?2 AND (NOT ?3 OR newest IS NOT NULL) ORDER BY id LIMIT ?4
                """,
                .text(institution.text), .text(cursor?.text ?? ""), .boolean(publishedOnly), .integer(limit)
            ) { ProgramRow.program($0, epoch: epoch) }
        }
    }

    /// Changes a program, with a version that is published if there is one.
    public func amend(
        _ id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program) throws -> ProgramChange?
    ) async throws -> Program {
        try await write { transaction in
            let connection = transaction.connection
            guard let before = try connection.program(id, epoch: transaction.epoch) else { throw StoreError.notFound }
            var after = before
            if let change = try change(before) {
                if let version = change.version {
                    try transaction.publish(version, of: before.institution, change.audit)
                }
                after = try transaction.store(change, of: before)
            }
            try transaction.keep(keep, of: after)
            return after
        }
    }

    /// Takes a version away, with the move that waits for its day.
    public func withdraw(
        _ number: Version, of id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program, [ProgramVersion], Bool) throws -> ProgramChange
    ) async throws -> Program {
        try await write { transaction in
            let connection = transaction.connection
            guard let before = try connection.program(id, epoch: transaction.epoch) else { throw StoreError.notFound }
            let isInUse = try connection.first(
                "SELECT EXISTS (SELECT 1 FROM records WHERE program = ? AND program_version = ?)", .text(id.text),
                .integer(number)
            ) { $0.boolean(0) }
            let change = try change(before, try connection.versions(of: id), isInUse ?? true)
            try connection.run(
                "DELETE FROM program_versions WHERE institution = ? AND program = ? AND number = ?",
                .text(before.institution.text), .text(id.text), .integer(number))
            try connection.run("DELETE FROM sweeps WHERE program = ? AND target = ?", .text(id.text), .integer(number))
            let after = try transaction.store(change, of: before)
            try transaction.keep(keep, of: after)
            return after
        }
    }

    /// The programs in which a newer version than the one in force holds by a day.
    public func programsToTurn(on day: CalendarDay) async throws -> [ProgramID] {
        try await read { connection in
            try connection.all(
                """
                SELECT id FROM programs WHERE newest > in_force AND EXISTS (
                    SELECT 1 FROM program_versions AS version
                    WHERE version.institution = programs.institution AND version.program = programs.id
                    AND version.number > programs.in_force AND version.effective_from <= ?)
                """,
                .integer(day.days)
            ) { ProgramID($0.text(0)) }
        }
    }

    /// A published version; `nil` when there is none of the number.
    public func version(_ number: Version, of program: ProgramID) async throws -> ProgramVersion? {
        try await read { connection in
            try connection.first(
                """
                SELECT \(ProgramRow.versionColumns) FROM program_versions
                WHERE institution = (SELECT institution FROM programs WHERE id = ?1) AND program = ?1 AND number = ?2
                """,
                .text(program.text), .integer(number)
            ) { ProgramRow.version($0) }
        }
    }

    /// The published versions, newest first.
    public func versions(of program: ProgramID) async throws -> [ProgramVersion] {
        try await read { try $0.versions(of: program) }
    }
}

extension Connection {
    fileprivate func program(_ id: ProgramID, epoch: Epoch) throws -> Program? {
        try first("SELECT \(ProgramRow.columns) FROM programs WHERE id = ?", .text(id.text)) {
            ProgramRow.program($0, epoch: epoch)
        }
    }

    fileprivate func versions(of program: ProgramID) throws -> [ProgramVersion] {
        try all(
            """
            SELECT \(ProgramRow.versionColumns) FROM program_versions
            WHERE institution = (SELECT institution FROM programs WHERE id = ?1) AND program = ?1
            ORDER BY number DESC
            """,
            .text(program.text)
        ) { ProgramRow.version($0) }
    }
}

extension WriteTransaction {
    /// Stores what a change makes of a program, under the next revision.
    fileprivate func store(_ change: ProgramChange, of before: Program) throws -> Program {
        let (id, after) = (before.id, change.program)
        try connection.run(
            """
            UPDATE programs SET revision = revision + 1, title = ?, entry = ?, newest = ?, effective_from = ?,
            draft_preset = ?, draft_configuration = ?, draft_edited_at = ?, in_force = ?, in_force_from = ?,
            last_number = ? WHERE id = ?
            """,
            .text(after.title), .text(after.entry.rawValue), .integer(after.newest),
            .integer(after.effectiveFrom?.days), .text(after.draft?.preset), .utf8(after.draft?.configuration),
            .integer(after.draft?.editedAt.microseconds), .integer(after.inForce?.number),
            .integer(after.inForce?.effectiveFrom.days), .integer(after.lastNumber), .text(id.text))
        try audit(change.audit)
        // Who is in the middle of entering a score is not held up by a title or a draft.
        try bumpAccess(voiding: before.isAlike(after) ? nil : .program(id))
        post(.programChanged(id))
        if (before.newest == nil) != (after.newest == nil) { post(.audienceChanged(id)) }
        guard let stored = try connection.program(id, epoch: epoch) else { throw StoreError.notFound }
        return stored
    }

    /// Keeps the answer to a change of a program.
    fileprivate func keep(_ answer: ProgramKeeper, of program: Program) throws {
        try keep(answer(program, StandingVersions(of: program, among: try connection.versions(of: program.id))))
    }

    /// Stores a version and, where the records are to follow, the sweep that moves them.
    fileprivate func publish(
        _ version: ProgramVersion, of institution: InstitutionID, _ audit: AuditEntry
    ) throws {
        try insert(version, of: institution)
        guard version.records == .move, let account = audit.account else { return }
        try insert(
            BulkChangeJob(
                moving: version.program, of: institution, to: version.number, by: account, from: audit.source,
                at: audit.at, dueOn: version.effectiveFrom))
    }

    fileprivate func insert(_ version: ProgramVersion, of institution: InstitutionID) throws {
        try connection.run(
            """
            INSERT INTO program_versions (institution, \(ProgramRow.versionColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(institution.text), .text(version.program.text), .integer(version.number), .text(version.preset),
            .utf8(version.configuration), .integer(version.effectiveFrom.days),
            .integer(version.publishedAt.microseconds), .text(version.publishedBy?.text),
            .text(version.records.rawValue), .text(version.rehearsal))
    }
}

extension Program {
    /// Whether permissions and the rules of new records are the same with the other.
    fileprivate func isAlike(_ other: Program) -> Bool {
        entry == other.entry && newest == other.newest && effectiveFrom == other.effectiveFrom
            && inForce == other.inForce
    }
}
