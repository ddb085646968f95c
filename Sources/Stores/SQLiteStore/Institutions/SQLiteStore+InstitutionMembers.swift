public import Cryptography
public import Institutions
import SQLite
public import Shared

extension SQLiteStore {
    /// An account's places in all institutions.
    public func memberships(of account: AccountID) async throws -> [Membership] {
        try await read { connection in
            try connection.all(
                "SELECT \(MembershipRow.columns) FROM memberships WHERE account = ? ORDER BY institution",
                .text(account.text)
            ) { MembershipRow.membership($0) }
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
            let before = try transaction.connection.membership(of: account, in: institution)
            return try transaction.apply(try change(before), to: account, in: institution)
        }
    }

    /// Stores an invitation, in place of an earlier one to the same account.
    public func insert(_ invitation: Invitation, token: TokenDigest, audit: AuditEntry) async throws {
        try await write { transaction in
            if let account = invitation.account {
                guard try transaction.connection.account(account) != nil else { throw StoreError.notFound }
                try transaction.removeOffers(to: account, in: invitation.institution)
            }
            try transaction.connection.run(
                """
                INSERT INTO invitations (institution, id, token, role, programs, created_by, expires_at, account)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(invitation.institution.text), .text(invitation.id), .blob(token.bytes),
                .text(invitation.role.rawValue), .text(MembershipRow.text(invitation.programs)),
                .text(invitation.createdBy?.text), .integer(invitation.expiresAt.microseconds),
                .text(invitation.account?.text))
            try transaction.audit(audit)
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
            guard let invitation = try transaction.connection.invitation(.offer(id), to: account) else {
                throw StoreError.notFound
            }
            try transaction.removeOffers(to: account, in: invitation.institution)
            try transaction.audit(audit(invitation))
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
            try transaction.connection.run(
                "DELETE FROM invitations WHERE institution = ? AND id = ?", .text(institution.text), .text(id))
            guard transaction.connection.changes == 1 else { throw StoreError.notFound }
            try transaction.audit(audit)
        }
    }

    /// Uses up an invitation and does what `amendMembership` does.
    public func redeemInvitation(
        _ key: InvitationKey, at: Timestamp, for account: AccountID,
        _ change: @escaping @Sendable (Invitation, Membership?) throws -> MembershipChange
    ) async throws -> Membership? {
        try await write { transaction in
            let connection = transaction.connection
            guard let invitation = try connection.invitation(key, to: account), at < invitation.expiresAt else {
                throw StoreError.notFound
            }
            try connection.run(
                "DELETE FROM invitations WHERE institution = ? AND id = ?", .text(invitation.institution.text),
                .text(invitation.id))
            let before = try connection.membership(of: account, in: invitation.institution)
            return try transaction.apply(
                try change(invitation, before), to: account, in: invitation.institution)
        }
    }
}

extension Connection {
    fileprivate func membership(of account: AccountID, in institution: InstitutionID) throws -> Membership? {
        try first(
            "SELECT \(MembershipRow.columns) FROM memberships WHERE institution = ? AND account = ?",
            .text(institution.text), .text(account.text)
        ) { MembershipRow.membership($0) }
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

extension WriteTransaction {
    fileprivate func removeOffers(to account: AccountID, in institution: InstitutionID) throws {
        try connection.run(
            "DELETE FROM invitations WHERE institution = ? AND account = ?", .text(institution.text),
            .text(account.text))
    }

    fileprivate func apply(
        _ change: MembershipChange, to account: AccountID, in institution: InstitutionID
    ) throws -> Membership? {
        guard try connection.account(account) != nil else { throw StoreError.notFound }
        if let membership = change.membership {
            try connection.run(
                """
                INSERT OR REPLACE INTO memberships (institution, account, role, programs, since)
                VALUES (?, ?, ?, ?, ?)
                """,
                .text(institution.text), .text(account.text), .text(membership.role.rawValue),
                .text(MembershipRow.text(membership.programs)), .integer(membership.since.microseconds))
        } else {
            try connection.run(
                "DELETE FROM memberships WHERE institution = ? AND account = ?", .text(institution.text),
                .text(account.text))
            // An earlier offer must not bring back a membership that was taken away since.
            try removeOffers(to: account, in: institution)
        }
        try audit(change.audit)
        if change.becomesStaff { try tightenSessions(of: account, at: change.audit.at) }
        try bumpAccess(voiding: .account(account))
        post(.accessChanged(account))
        return change.membership
    }
}
