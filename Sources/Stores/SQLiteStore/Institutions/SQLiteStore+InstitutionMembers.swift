public import Cryptography
public import Institutions
import SQLite
public import Shared

extension SQLiteStore {
    /// An account's places in all institutions.
    public func places(of account: AccountID) async throws -> AccountPlaces {
        try await read { connection in
            let memberships = try connection.all(
                "SELECT \(MembershipRow.columns) FROM memberships WHERE account = ? ORDER BY institution",
                .text(account.text)
            ) { MembershipRow.membership($0) }
            return AccountPlaces(
                memberships: memberships, accessVersion: try connection.accessVersion(of: .account(account)))
        }
    }

    /// An institution's members in the order of their accounts.
    public func members(
        of institution: InstitutionID, role: MemberRole?, after cursor: AccountID?, limit: Int
    ) async throws -> [Member] {
        try await read { connection in
            try connection.all(
                """
                SELECT \(MembershipRow.columns), accounts.login, accounts.display_name FROM memberships
                JOIN accounts ON accounts.id = memberships.account
                WHERE institution = ?1 AND account > ?2 AND (?3 IS NULL OR memberships.role = ?3)
                ORDER BY account LIMIT ?4
                """,
                .text(institution.text), .text(cursor?.text ?? ""), .text(role?.rawValue), .integer(limit)
            ) { row in
                Member(
                    membership: MembershipRow.membership(row), login: row.text(MembershipRow.count),
                    displayName: row.text(MembershipRow.count + 1))
            }
        }
    }

    /// Makes, changes or ends a membership.
    public func amendMembership(
        of account: AccountID, in institution: InstitutionID,
        _ change: @escaping @Sendable (Membership?) throws -> MembershipChange
    ) async throws -> Membership? {
        try await write { transaction in
            let rows = try transaction.connection.rows(account, in: institution)
            return try transaction.apply(MembershipPlans.amendment(rows, change))
        }
    }

    /// Stores an invitation, in place of an earlier one to the same account.
    public func insert(_ invitation: Invitation, token: TokenDigest, audit: AuditEntry) async throws {
        try await write { transaction in
            let rows = try invitation.account.map {
                try transaction.connection.rows($0, in: invitation.institution)
            }
            try transaction.apply(
                MembershipPlans.invitation(invitation, token: token, audit: audit, found: rows))
        }
    }

    /// The invitation of a token.
    public func invitation(_ token: TokenDigest) async throws -> Invitation? {
        try await read { try $0.invitation(.token(token), to: nil) }
    }

    /// The invitations made out to an account, newest first.
    public func invitations(to account: AccountID) async throws -> [Invitation] {
        try await read { connection in
            try connection.all(
                "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE account = ? ORDER BY id DESC",
                .text(account.text)
            ) { MembershipRow.invitation($0) }
        }
    }

    /// Drops an invitation made out to an account, which declines it.
    public func decline(
        _ id: String, by account: AccountID, audit: @escaping @Sendable (Invitation) -> AuditEntry
    ) async throws {
        try await write { transaction in
            let invitation = try transaction.connection.invitation(.offer(id), to: account)
            try transaction.apply(MembershipPlans.decline(invitation, audit: audit))
        }
    }

    /// An institution's invitations, newest first.
    public func invitations(of institution: InstitutionID) async throws -> [Invitation] {
        try await read { connection in
            try connection.all(
                "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE institution = ? ORDER BY id DESC",
                .text(institution.text)
            ) { MembershipRow.invitation($0) }
        }
    }

    /// Takes an invitation back.
    public func removeInvitation(_ id: String, of institution: InstitutionID, audit: AuditEntry) async throws {
        try await write { transaction in
            let invitation = try transaction.connection.first(
                "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE institution = ? AND id = ?",
                .text(institution.text), .text(id)
            ) { MembershipRow.invitation($0) }
            try transaction.apply(MembershipPlans.withdrawal(of: invitation, audit: audit))
        }
    }

    /// Uses up an invitation and does what `amendMembership` does.
    public func redeemInvitation(
        _ key: InvitationKey, at: Timestamp, for account: AccountID,
        _ change: @escaping @Sendable (Invitation, Membership?) throws -> MembershipChange
    ) async throws -> Membership? {
        try await write { transaction in
            let connection = transaction.connection
            let invitation = try connection.invitation(key, to: account)
            let rows = try invitation.map { try connection.rows(account, in: $0.institution) }
            return try transaction.apply(MembershipPlans.acceptance(of: invitation, at: at, found: rows, change))
        }
    }
}

extension Connection {
    fileprivate func rows(_ id: AccountID, in institution: InstitutionID) throws -> MembershipPlans.Rows {
        let membership = try first(
            "SELECT \(MembershipRow.columns) FROM memberships WHERE institution = ? AND account = ?",
            .text(institution.text), .text(id.text)
        ) { MembershipRow.membership($0) }
        let offers = try all(
            "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE institution = ? AND account = ?",
            .text(institution.text), .text(id.text)
        ) { MembershipRow.invitation($0) }
        return MembershipPlans.Rows(
            account: id, institution: institution, isThere: try account(id) != nil, membership: membership,
            offers: offers)
    }

    /// The invitation that a key opens to an account.
    fileprivate func invitation(_ key: InvitationKey, to account: AccountID?) throws -> Invitation? {
        let select = "SELECT \(MembershipRow.invitationColumns) FROM invitations"
        switch key {
        case .token(let token):
            return try first("\(select) WHERE token = ?", .blob(token.bytes)) { MembershipRow.invitation($0) }
        case .offer(let id):
            return try first("\(select) WHERE account = ? AND id = ?", .text(account?.text), .text(id)) {
                MembershipRow.invitation($0)
            }
        }
    }
}
