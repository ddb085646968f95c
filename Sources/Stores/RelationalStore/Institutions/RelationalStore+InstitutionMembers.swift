import Accounts
public import Cryptography
import Database
public import Institutions
public import Shared

extension RelationalStore {
    /// Returns an account's memberships in all institutions, with its access version.
    public func places(of account: AccountID, at moment: Timestamp) async throws -> AccountPlaces {
        try await read { connection in
            let numbers = try connection.studentNumbers(of: account)
            let memberships = try connection.grants(of: account).compactMap { institution, grants in
                Membership(institution: institution, account: account, grants: grants, at: moment)?
                    .numbered(numbers[institution])
            }
            return AccountPlaces(
                memberships: memberships.sorted { $0.institution < $1.institution },
                accessVersion: try connection.accessVersion(of: .account(account)))
        }
    }

    /// Returns an institution's members, ordered by account.
    public func members(
        of institution: InstitutionID, role: MemberRole?, after cursor: AccountID?, limit: Int, at moment: Timestamp
    ) async throws -> [Member] {
        try await read { connection in
            var members: [Member] = []
            var cursor = cursor
            while members.count < limit {
                let accounts = try connection.accounts(
                    grantedIn: institution, role, after: cursor, limit: limit, at: moment)
                for account in accounts {
                    // An account with a grant of this role may also have one of a higher role, which counts.
                    guard let member = try connection.member(account, of: institution, at: moment),
                        role == nil || role == member.membership.role
                    else { continue }
                    members.append(member)
                }
                guard accounts.count == limit else { break }
                cursor = accounts.last
            }
            return Array(members.prefix(limit))
        }
    }

    /// Changes what rules grant to an account.
    public func changeGrants(
        of account: AccountID, numbering numbers: [InstitutionID: String],
        _ plan: @escaping @Sendable (GrantPlans.Rows) throws -> InstitutionPlan<Void>
    ) async throws {
        try await write { transaction in
            try transaction.apply(plan(try transaction.connection.grantRows(of: account, numbering: numbers)))
        }
    }

    /// Who has a student number.
    public func members(numbered number: String, in institution: InstitutionID) async throws -> [AccountID] {
        try await read { try $0.members(numbered: number, in: institution) }
    }

    /// The names of accounts, with their student numbers.
    public func students(
        _ accounts: [AccountID], in institution: InstitutionID
    ) async throws -> [AccountID: StudentNames] {
        try await read { connection in
            var names: [AccountID: StudentNames] = [:]
            for id in accounts {
                let number = try connection.studentNumber(of: id, in: institution)
                names[id] = try connection.first(
                    "SELECT \(MembershipRow.names) FROM accounts WHERE id = ?", .text(id.text)
                ) { row in
                    StudentNames(
                        login: row.text(0), displayName: row.text(1), personName: AccountRow.personName(row, from: 2),
                        studentNumber: number)
                }
            }
            return names
        }
    }

    /// Sets or removes a member's student number.
    public func setStudentNumber(
        _ number: String?, of account: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Membership {
        try await write { transaction in
            let connection = transaction.connection
            return try transaction.apply(
                MembershipPlans.numbering(
                    number, of: try connection.rows(account, in: institution),
                    heldBy: try number.flatMap {
                        try connection.members(numbered: $0, in: institution).first { $0 != account }
                    }, by: act))
        }
    }

    /// Returns the grants that lapse next.
    public func lapses(limit: Int) async throws -> [(account: AccountID, until: Timestamp)] {
        try await read { connection in
            try connection.all("SELECT account, until FROM grants ORDER BY until LIMIT ?", .integer(limit)) { row in
                (AccountID(row.text(0)), Timestamp(microseconds: Int64(row.integer(1))))
            }
        }
    }

    /// Creates, changes or ends a membership.
    public func amendMembership(
        of account: AccountID, in institution: InstitutionID,
        _ change: @escaping @Sendable (Membership?) throws -> MembershipChange
    ) async throws -> Membership? {
        try await write { transaction in
            let rows = try transaction.connection.rows(account, in: institution)
            return try transaction.apply(MembershipPlans.amendment(rows, change))
        }
    }

    /// Stores an invitation, which replaces an earlier one to the same account.
    public func insert(
        _ invitation: Invitation, token: TokenDigest, audit: AuditEntry, mailing mail: Mail?, at now: Timestamp,
        under grounds: [AccessGround]
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let rows = try invitation.account.map { try connection.rows($0, in: invitation.institution) }
            let mailing = try mail.map { mail in
                let earlier = try connection.earlierMails(mail.kind, to: mail.recipient, about: nil, at: now)
                return (
                    mail: mail, earlier: earlier,
                    sent: try mail.sender.map { try connection.sentMails(mail.kind, by: $0, at: now) } ?? []
                )
            }
            try transaction.apply(
                MembershipPlans.invitation(
                    invitation, token: token, audit: audit, found: rows, mailing: mailing, under: grounds))
        }
    }

    /// Returns the invitation of a token.
    public func invitation(_ token: TokenDigest) async throws -> Invitation? {
        try await read { try $0.invitation(.token(token), to: nil) }
    }

    /// Returns the invitations addressed to an account, newest first.
    public func invitations(to account: AccountID) async throws -> [Invitation] {
        try await read { connection in
            try connection.all(
                "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE account = ? ORDER BY id DESC",
                .text(account.text)
            ) { MembershipRow.invitation($0) }
        }
    }

    /// Deletes an invitation that its account declines.
    public func decline(
        _ id: String, by account: AccountID, audit: @escaping @Sendable (Invitation) -> AuditEntry
    ) async throws {
        try await write { transaction in
            let invitation = try transaction.connection.invitation(.offer(id), to: account)
            try transaction.apply(MembershipPlans.decline(invitation, audit: audit))
        }
    }

    /// Returns an institution's invitations, newest first.
    public func invitations(of institution: InstitutionID) async throws -> [Invitation] {
        try await read { connection in
            try connection.all(
                "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE institution = ? ORDER BY id DESC",
                .text(institution.text)
            ) { MembershipRow.invitation($0) }
        }
    }

    /// Withdraws an invitation.
    public func removeInvitation(
        _ id: String, of institution: InstitutionID, audit: AuditEntry, under grounds: [AccessGround]
    ) async throws {
        try await write { transaction in
            let invitation = try transaction.connection.first(
                "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE institution = ? AND id = ?",
                .text(institution.text), .text(id)
            ) { MembershipRow.invitation($0) }
            try transaction.apply(MembershipPlans.withdrawal(of: invitation, audit: audit, under: grounds))
        }
    }

    /// Addresses an invitation to the account whose owner opened its link.
    public func makeOutInvitation(_ token: TokenDigest, to account: AccountID, at now: Timestamp) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let invitation = try connection.invitation(.token(token), to: nil)
            let rows = try invitation.map { try connection.rows(account, in: $0.institution) }
            try transaction.apply(MembershipPlans.makingOut(invitation, to: rows, at: now))
        }
    }

    /// Consumes an invitation and changes the membership like `amendMembership`.
    public func redeemInvitation(
        _ key: InvitationKey, at: Timestamp, for account: AccountID,
        _ change: @escaping @Sendable (Invitation, Membership?) throws -> MembershipChange
    ) async throws -> Membership? {
        try await write { transaction in
            let connection = transaction.connection
            let invitation = try connection.invitation(key, to: account)
            let rows = try invitation.map { try connection.rows(account, in: $0.institution) }
            let maker = try invitation.flatMap { try connection.maker(of: $0, at: at) }
            return try transaction.apply(
                MembershipPlans.acceptance(of: invitation, by: maker, at: at, found: rows, change))
        }
    }
}

extension Connection {
    /// Reads what the rules of grants need to know of an account.
    ///
    /// - Parameter numbers: student numbers that the account may get.
    func grantRows(
        of account: AccountID, numbering numbers: [InstitutionID: String] = [:]
    ) throws -> GrantPlans.Rows {
        let taken = try numbers.filter { institution, number in
            try members(numbered: number, in: institution).contains { $0 != account }
        }
        return GrantPlans.Rows(
            account: account, isThere: try self.account(account) != nil, grants: try grants(of: account),
            studentNumbers: try studentNumbers(of: account), taken: Set(taken.keys))
    }

    fileprivate func studentNumbers(of account: AccountID) throws -> [InstitutionID: String] {
        let found = try all(
            "SELECT institution, number FROM student_numbers WHERE account = ?", .text(account.text)
        ) { (InstitutionID($0.text(0)), $0.text(1)) }
        return Dictionary(found) { first, _ in first }
    }

    fileprivate func studentNumber(of account: AccountID, in institution: InstitutionID) throws -> String? {
        try first(
            "SELECT number FROM student_numbers WHERE institution = ? AND account = ?", .text(institution.text),
            .text(account.text)
        ) { $0.text(0) }
    }

    fileprivate func members(numbered number: String, in institution: InstitutionID) throws -> [AccountID] {
        guard let key = StudentNumber.key(number) else { return [] }
        return try all(
            "SELECT account FROM student_numbers WHERE institution = ? AND key = ? ORDER BY account LIMIT 2",
            .text(institution.text), .text(key)
        ) { AccountID($0.text(0)) }
    }

    /// Returns all grants of an account by institution; those made by people come first.
    fileprivate func grants(of account: AccountID) throws -> [InstitutionID: [Grant]] {
        let given = try all(
            "SELECT \(MembershipRow.given) FROM memberships WHERE account = ?", .text(account.text)
        ) { MembershipRow.given($0) }
        let granted = try all(
            "SELECT \(MembershipRow.granted) FROM grants WHERE account = ? ORDER BY issuer, claim, value",
            .text(account.text)
        ) { MembershipRow.granted($0) }
        return Dictionary(grouping: given + granted, by: \.institution).mapValues { $0.map(\.grant) }
    }

    /// Returns all grants of an account in an institution; those made by people come first.
    fileprivate func grants(of account: AccountID, in institution: InstitutionID) throws -> [Grant] {
        let given = try first(
            "SELECT \(MembershipRow.given) FROM memberships WHERE institution = ? AND account = ?",
            .text(institution.text), .text(account.text)
        ) { MembershipRow.given($0).grant }
        let granted = try all(
            """
            SELECT \(MembershipRow.granted) FROM grants WHERE institution = ? AND account = ?
            ORDER BY issuer, claim, value
            """,
            .text(institution.text), .text(account.text)
        ) { MembershipRow.granted($0).grant }
        return (given.map { [$0] } ?? []) + granted
    }

    /// Returns the accounts with grants in an institution that are valid at the given moment, in order.
    fileprivate func accounts(
        grantedIn institution: InstitutionID, _ role: MemberRole?, after cursor: AccountID?, limit: Int,
        at moment: Timestamp
    ) throws -> [AccountID] {
        try all(
            """
            SELECT account FROM memberships WHERE institution = ?1 AND account > ?2 AND (?3 IS NULL OR role = ?3)
            AND account NOT IN (SELECT id FROM accounts WHERE service_of = ?1)
            UNION SELECT account FROM grants
            WHERE institution = ?1 AND account > ?2 AND (?3 IS NULL OR role = ?3) AND until > ?4
            ORDER BY account LIMIT ?5
            """,
            .text(institution.text), .text(cursor?.text ?? ""), .text(role?.rawValue), .integer(moment.microseconds),
            .integer(limit)
        ) { AccountID($0.text(0)) }
    }

    fileprivate func member(
        _ account: AccountID, of institution: InstitutionID, at moment: Timestamp
    ) throws -> Member? {
        let grants = try grants(of: account, in: institution)
        guard
            let membership = Membership(institution: institution, account: account, grants: grants, at: moment)
        else { return nil }
        let numbered = membership.numbered(try studentNumber(of: account, in: institution))
        return try first("SELECT \(MembershipRow.names) FROM accounts WHERE id = ?", .text(account.text)) { row in
            Member(
                membership: numbered, login: row.text(0), displayName: row.text(1),
                personName: AccountRow.personName(row, from: 2))
        }
    }

    func rows(_ id: AccountID, in institution: InstitutionID) throws -> MembershipPlans.Rows {
        let offers = try all(
            "SELECT \(MembershipRow.invitationColumns) FROM invitations WHERE institution = ? AND account = ?",
            .text(institution.text), .text(id.text)
        ) { MembershipRow.invitation($0) }
        return MembershipPlans.Rows(
            account: id, institution: institution, isThere: try account(id).map { $0.service == nil } ?? false,
            grants: try grants(of: id, in: institution), offers: offers,
            studentNumber: try studentNumber(of: id, in: institution))
    }

    /// Who made an invitation, at a moment; `nil` if the account is gone or may not act.
    func maker(of invitation: Invitation, at moment: Timestamp) throws -> MembershipPlans.Maker? {
        guard let id = invitation.createdBy, let account = try account(id), !account.isDisabled,
            account.service.map({ $0.institution == invitation.institution }) ?? true
        else { return nil }
        let membership = Membership(
            institution: invitation.institution, account: id,
            grants: try grants(of: id, in: invitation.institution), at: moment)
        return MembershipPlans.Maker(role: membership?.role, isAdministrator: account.role == .administrator)
    }

    /// The invitation that a key opens to an account.
    func invitation(_ key: InvitationKey, to account: AccountID?) throws -> Invitation? {
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
