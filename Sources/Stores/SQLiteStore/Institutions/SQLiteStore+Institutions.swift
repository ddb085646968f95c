import GradingKit
public import Institutions
import SQLite
public import Shared

extension SQLiteStore: InstitutionStore {
    /// Stores a new institution.
    public func insert(_ institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?) async throws {
        try await write { transaction in
            try transaction.keep(kept)
            try transaction.connection.run(
                "INSERT INTO institutions (\(InstitutionRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
                .text(institution.id.text), .integer(institution.createdAt.microseconds),
                .text(institution.slug.text), .text(institution.title), .text(institution.locale.rawValue),
                .boolean(institution.isOpen), .boolean(institution.keepsReading))
            try transaction.audit(audit)
            try transaction.bumpAccess(voiding: nil)
        }
    }

    /// The institution; `nil` when there is none.
    public func institution(_ id: InstitutionID) async throws -> Institution? {
        try await read { try $0.institution(id) }
    }

    /// The institution of that slug; `nil` when there is none.
    public func institution(slug: Slug) async throws -> Institution? {
        try await read { connection in
            try connection.first(
                "SELECT \(InstitutionRow.columns) FROM institutions WHERE slug = ?", .text(slug.text)
            ) { InstitutionRow.institution($0) }
        }
    }

    /// Institutions in the order they were made.
    public func institutions(
        _ scope: InstitutionScope, after cursor: InstitutionID?, limit: Int
    ) async throws -> [Institution] {
        let (all, member): (Bool, AccountID?) =
            switch scope {
            case .all: (true, nil)
            case .open: (false, nil)
            case .visible(let account): (false, account)
            }
        return try await read { connection in
            try connection.all(
                """
                SELECT \(InstitutionRow.columns) FROM institutions WHERE id > ?1 AND (?2 OR open OR EXISTS
                (SELECT 1 FROM memberships WHERE institution = institutions.id AND account = ?3))
                ORDER BY id LIMIT ?4
                """,
                .text(cursor?.text ?? ""), .boolean(all), .text(member?.text), .integer(limit)
            ) { InstitutionRow.institution($0) }
        }
    }

    /// Changes an institution.
    public func amend(
        _ id: InstitutionID, _ change: @escaping @Sendable (Institution) throws -> InstitutionChange
    ) async throws -> Institution {
        try await write { transaction in
            guard let before = try transaction.connection.institution(id) else { throw StoreError.notFound }
            let change = try change(before)
            let after = change.institution
            try transaction.connection.run(
                "UPDATE institutions SET slug = ?, title = ?, locale = ?, open = ?, keeps_reading = ? WHERE id = ?",
                .text(after.slug.text), .text(after.title), .text(after.locale.rawValue), .boolean(after.isOpen),
                .boolean(after.keepsReading), .text(id.text))
            try transaction.audit(change.audit)
            let isSameAudience = (before.isOpen, before.keepsReading) == (after.isOpen, after.keepsReading)
            try transaction.bumpAccess(voiding: isSameAudience ? nil : .institution(id))
            if before.isOpen != after.isOpen { try transaction.announcePrograms(of: id) }
            if !isSameAudience { try transaction.announceOwnersBesidesMembers(of: id) }
            return after
        }
    }
}

extension Connection {
    fileprivate func institution(_ id: InstitutionID) throws -> Institution? {
        try first("SELECT \(InstitutionRow.columns) FROM institutions WHERE id = ?", .text(id.text)) {
            InstitutionRow.institution($0)
        }
    }
}

extension WriteTransaction {
    /// Says that who may see an institution's programs is another question now.
    fileprivate func announcePrograms(of id: InstitutionID) throws {
        let programs = try connection.all("SELECT id FROM programs WHERE institution = ?", .text(id.text)) {
            ProgramID($0.text(0))
        }
        for program in programs { post(.audienceChanged(program)) }
    }

    /// Has the live readers checked again who own records here without being members.
    fileprivate func announceOwnersBesidesMembers(of id: InstitutionID) throws {
        let owners = try connection.all(
            """
            SELECT DISTINCT student FROM records WHERE institution = ?1 AND student IS NOT NULL
            AND student NOT IN (SELECT account FROM memberships WHERE institution = ?1)
            """,
            .text(id.text)
        ) { AccountID($0.text(0)) }
        for owner in owners { post(.accessChanged(owner)) }
    }
}
