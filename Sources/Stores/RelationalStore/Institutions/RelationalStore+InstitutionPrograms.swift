import Database
public import Institutions
public import Shared

extension RelationalStore {
    /// Stores a new program.
    public func insert(
        _ program: Program, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround]
    ) async throws {
        try await write { transaction in
            try transaction.apply(ProgramPlans.creation(of: program, audit: audit, keeping: kept, under: grounds))
        }
    }

    /// Returns the program; `nil` if it does not exist.
    public func program(_ id: ProgramID) async throws -> Program? {
        try await read { [epoch] in try $0.program(id, epoch: epoch) }
    }

    /// Returns an institution's programs in order of creation.
    public func programs(
        of institution: InstitutionID, publishedOnly: Bool, after cursor: ProgramID?, limit: Int
    ) async throws -> [Program] {
        try await read { [epoch] connection in
            try connection.all(
                """
                SELECT \(ProgramRow.selected) FROM programs
                WHERE institution = ?1 AND id > ?2 AND (?3 = 0 OR newest IS NOT NULL) ORDER BY id LIMIT ?4
                """,
                .text(institution.text), .text(cursor?.text ?? ""), .boolean(publishedOnly), .integer(limit)
            ) { ProgramRow.program($0, epoch: epoch) }
        }
    }

    /// Changes a program, and stores the new version if one is published.
    public func amend(
        _ id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program) throws -> ProgramChange?
    ) async throws -> Program {
        try await write { transaction in
            try transaction.apply(
                ProgramPlans.amendment(try transaction.rows(of: id), keeping: keep, change))
        }
    }

    /// Withdraws a version, and cancels the move that waits for its day.
    public func withdraw(
        _ number: Version, of id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program, [ProgramVersion], Bool) throws -> ProgramChange
    ) async throws -> Program {
        try await write { transaction in
            let isInUse = try transaction.connection.first(
                "SELECT EXISTS (SELECT 1 FROM records WHERE program = ? AND program_version = ?)", .text(id.text),
                .integer(number)
            ) { $0.boolean(0) }
            return try transaction.apply(
                ProgramPlans.withdrawal(
                    of: number, try transaction.rows(of: id), isInUse: isInUse ?? true, keeping: keep, change))
        }
    }

    /// Returns the programs that have a newer version than the one in force whose first day has come.
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

    /// Returns a published version; `nil` if the number does not exist.
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

    /// Returns the published versions, newest first.
    public func versions(of program: ProgramID) async throws -> [ProgramVersion] {
        try await read { try $0.versions(of: program) }
    }
}

extension Connection {
    fileprivate func program(_ id: ProgramID, epoch: Epoch) throws -> Program? {
        try first("SELECT \(ProgramRow.selected) FROM programs WHERE id = ?", .text(id.text)) {
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
    fileprivate func rows(of id: ProgramID) throws -> ProgramPlans.Rows {
        ProgramPlans.Rows(
            program: try connection.program(id, epoch: epoch), versions: try connection.versions(of: id))
    }
}
