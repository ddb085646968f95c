import Database
import GradingKit
public import Institutions
public import Shared

extension RelationalStore: InstitutionStore {
    /// Stores a new institution.
    public func insert(
        _ institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround]
    ) async throws {
        try await write { transaction in
            try transaction.apply(
                InstitutionPlans.creation(of: institution, audit: audit, keeping: kept, under: grounds))
        }
    }

    /// Returns the institution; `nil` if it does not exist.
    public func institution(_ id: InstitutionID) async throws -> Institution? {
        try await read { try $0.institution(id) }
    }

    /// Returns the institution that has or had that slug; `nil` if it does not exist.
    public func institution(slug: Slug) async throws -> Institution? {
        try await read { connection in
            try connection.first(
                """
                SELECT \(InstitutionRow.selected) FROM institutions
                WHERE slug = ?1 OR id = (SELECT institution FROM former_slugs WHERE slug = ?1)
                """, .text(slug.text)
            ) { InstitutionRow.institution($0) }
        }
    }

    /// Returns institutions in order of creation.
    public func institutions(
        _ scope: InstitutionScope, after cursor: InstitutionID?, limit: Int
    ) async throws -> [Institution] {
        let (all, member, moment): (Bool, AccountID?, Timestamp?) =
            switch scope {
            case .all: (true, nil, nil)
            case .open: (false, nil, nil)
            case .visible(let account, let moment): (false, account, moment)
            }
        return try await read { connection in
            try connection.all(
                """
                SELECT \(InstitutionRow.selected) FROM institutions WHERE id > ?1 AND (?2 <> 0 OR open <> 0
                OR EXISTS (SELECT 1 FROM memberships WHERE institution = institutions.id AND account = ?3)
                OR EXISTS (SELECT 1 FROM grants WHERE institution = institutions.id AND account = ?3 AND until > ?4))
                ORDER BY id LIMIT ?5
                """,
                .text(cursor?.text ?? ""), .boolean(all), .text(member?.text), .integer(moment?.microseconds),
                .integer(limit)
            ) { InstitutionRow.institution($0) }
        }
    }

    /// Changes an institution.
    public func amend(
        _ id: InstitutionID, _ change: @escaping @Sendable (Institution) throws -> InstitutionChange
    ) async throws -> Institution {
        try await write { transaction in
            try transaction.apply(
                InstitutionPlans.amendment(try transaction.connection.institution(id), change))
        }
    }
}

extension Connection {
    fileprivate func institution(_ id: InstitutionID) throws -> Institution? {
        try first("SELECT \(InstitutionRow.selected) FROM institutions WHERE id = ?", .text(id.text)) {
            InstitutionRow.institution($0)
        }
    }
}
