import Accounts
import Cryptography
import Database
import GradingKit
import Institutions
import Records
import Shared
import TimeZones

extension WriteTransaction {
    func apply<Value>(_ plan: InstitutionPlan<Value>) throws -> Value { try apply(plan) { try apply($0) } }

    /// Says in the audit trails of an account's institutions that its memberships end, because the account does.
    func tellEndOfMemberships(of account: AccountID, by act: AuditContext) throws {
        let institutions = try connection.all(
            """
            SELECT institution FROM memberships WHERE account = ?1
            AND account NOT IN (SELECT id FROM accounts WHERE service_of IS NOT NULL)
            UNION SELECT institution FROM grants WHERE account = ?1 AND until > ?2 ORDER BY institution
            """, .text(account.text), .integer(act.at.microseconds)
        ) { InstitutionID($0.text(0)) }
        for institution in institutions {
            try audit(act.entry("member.removed", of: account.text, in: institution))
        }
    }

    private func apply(_ change: InstitutionRowChange) throws {
        switch change {
        case .insert(let institution):
            try connection.run(
                "INSERT INTO institutions (\(InstitutionRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                .text(institution.id.text), .integer(institution.createdAt.microseconds),
                .text(institution.slug.text), .text(institution.title), .text(institution.locale.rawValue),
                .boolean(institution.isOpen), .boolean(institution.keepsReading),
                .text(institution.secondFactor.rawValue), .text(institution.sharing.rawValue),
                .text(institution.timeZone.identifier))
            try indexInstitution(institution.id)
        case .update(let institution):
            try connection.run(
                """
                INSERT INTO former_slugs SELECT slug, id FROM institutions WHERE id = ? AND slug <> ?
                ON CONFLICT DO NOTHING
                """,
                .text(institution.id.text), .text(institution.slug.text))
            try connection.run(
                """
                UPDATE institutions SET slug = ?, title = ?, locale = ?, open = ?, keeps_reading = ?, second_factor = ?,
                sharing = ?, time_zone = ? WHERE id = ?
                """,
                .text(institution.slug.text), .text(institution.title), .text(institution.locale.rawValue),
                .boolean(institution.isOpen), .boolean(institution.keepsReading),
                .text(institution.secondFactor.rawValue), .text(institution.sharing.rawValue),
                .text(institution.timeZone.identifier), .text(institution.id.text))
            try indexInstitution(institution.id)
        case .announcePrograms(let id):
            let programs = try connection.all("SELECT id FROM programs WHERE institution = ?", .text(id.text)) {
                ProgramID($0.text(0))
            }
            for program in programs { post(.audienceChanged(program)) }
        case .announceOwners(let id, let moment):
            let owners = try connection.all(
                """
                SELECT DISTINCT student FROM records WHERE institution = ?1 AND student IS NOT NULL
                AND student NOT IN (SELECT account FROM memberships WHERE institution = ?1)
                AND student NOT IN (SELECT account FROM grants WHERE institution = ?1 AND until > ?2)
                """,
                .text(id.text), .integer(moment.microseconds)
            ) { AccountID($0.text(0)) }
            for owner in owners {
                post(.accessChanged(owner))
                try announceShared(by: owner)
            }
        case .announceStaff(let id):
            let staff = try connection.all(
                """
                SELECT account FROM memberships WHERE institution = ?1 AND role IN (\(Connection.staff))
                UNION SELECT account FROM grants WHERE institution = ?1 AND role IN (\(Connection.staff))
                """,
                .text(id.text)
            ) { AccountID($0.text(0)) }
            for account in staff {
                try raiseAccess(of: .account(account))
                post(.accessChanged(account))
            }
        case .endSharing(let id): try endSharing(in: id)
        case .member(let change): try apply(change)
        case .invitation(let change): try apply(change)
        case .serviceAccount(let change): try apply(change)
        case .term(let change): try apply(change)
        case .program(let change): try apply(change)
        }
    }

    private func apply(_ change: MemberRowChange) throws {
        switch change {
        case .set(let membership):
            try connection.run(
                """
                INSERT INTO memberships (institution, account, role, programs, since, origin)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (institution, account) DO UPDATE SET role = excluded.role, programs = excluded.programs,
                since = excluded.since, origin = excluded.origin
                """,
                .text(membership.institution.text), .text(membership.account.text), .text(membership.role.rawValue),
                .text(MembershipRow.text(membership.programs)), .integer(membership.since.microseconds),
                .text(MembershipRow.origin(membership)))
            try connection.index(.account(membership.account))
        case .remove(let account, let institution):
            try connection.run(
                "DELETE FROM memberships WHERE institution = ? AND account = ?", .text(institution.text),
                .text(account.text))
            try connection.index(.account(account))
        case .tightenSessions(let account, let moment):
            try apply(SessionPlans.tightening(try connection.sessions(of: account), at: moment))
        case .setStudentNumber(let number, let account, let institution):
            try set(number, of: account, in: institution)
            try connection.index(.account(account))
        case .setGrant(let grant, let rule, let account, let institution):
            try connection.run(
                """
                INSERT INTO grants (
                    institution, account, role, programs, since, until, issuer, claim, value)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (institution, account, issuer, claim, value) DO UPDATE SET role = excluded.role,
                programs = excluded.programs, since = excluded.since, until = excluded.until
                """,
                .text(institution.text), .text(account.text), .text(grant.role.rawValue),
                .text(MembershipRow.text(grant.programs)), .integer(grant.since.microseconds),
                .integer(grant.until?.microseconds), .text(rule.issuer), .text(rule.claim), .text(rule.value))
            try connection.index(.account(account))
        case .removeGrant(let rule, let account, let institution):
            try connection.run(
                """
                DELETE FROM grants
                WHERE institution = ? AND account = ? AND issuer = ? AND claim = ? AND value = ?
                """,
                .text(institution.text), .text(account.text), .text(rule.issuer), .text(rule.claim), .text(rule.value))
            try connection.index(.account(account))
        }
    }

    private func apply(_ change: InvitationRowChange) throws {
        switch change {
        case .insert(let invitation, let token):
            try connection.run(
                """
                INSERT INTO invitations (institution, id, token, role, programs, created_by, expires_at, account)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(invitation.institution.text), .text(invitation.id), .blob(token.bytes),
                .text(invitation.role.rawValue), .text(MembershipRow.text(invitation.programs)),
                .text(invitation.createdBy?.text), .integer(invitation.expiresAt.microseconds),
                .text(invitation.account?.text))
        case .makeOut(let invitation, let account):
            try connection.run(
                "UPDATE invitations SET account = ? WHERE institution = ? AND id = ?", .text(account.text),
                .text(invitation.institution.text), .text(invitation.id))
        case .remove(let invitation): try withdraw("id", invitation.id, in: invitation.institution)
        case .withdrawOffers(let account, let institution): try withdraw("account", account.text, in: institution)
        case .withdrawMade(let account, let institution):
            try withdraw("created_by", account.text, in: institution)
        }
    }

    /// Ends the invitations of an institution that have a value in a column, and the mails that wait with their links.
    private func withdraw(_ column: String, _ value: String, in institution: InstitutionID) throws {
        let invitations = try connection.all(
            "DELETE FROM invitations WHERE institution = ? AND \(column) = ? RETURNING id", .text(institution.text),
            .text(value)
        ) { $0.text(0) }
        for invitation in invitations { try endMails("subject = ?", .text(invitation)) }
    }

    private func set(_ number: String?, of account: AccountID, in institution: InstitutionID) throws {
        try connection.run(
            "DELETE FROM student_numbers WHERE institution = ? AND account = ?", .text(institution.text),
            .text(account.text))
        guard let number else { return }
        try connection.run(
            "INSERT INTO student_numbers (institution, account, number, key) VALUES (?, ?, ?, ?)",
            .text(institution.text), .text(account.text), .text(number), .text(StudentNumber.key(number) ?? number))
    }

    private func apply(_ change: ProgramRowChange) throws {
        switch change {
        case .insert(let program):
            try insert(program)
            try connection.index(.program(program.id))
        case .update(let program):
            try update(program)
            try connection.index(.program(program.id))
        case .insertVersion(let version, let institution): try insert(version, of: institution)
        case .removeVersion(let number, let program):
            try connection.run(
                "DELETE FROM program_versions WHERE institution = ? AND program = ? AND number = ?",
                .text(program.institution.text), .text(program.id.text), .integer(number))
            try connection.run(
                "DELETE FROM bulk_changes WHERE program = ? AND target = ?", .text(program.id.text), .integer(number))
        case .orderMove(let move):
            var job = BulkChangeJob(
                moving: move.program, of: move.institution, to: move.version, by: move.account, from: move.source,
                at: move.at, dueOn: move.dueOn, judgingClosed: move.judgesClosed)
            job.progress.total = try total(of: job)
            try insert(job)
        }
    }

    private func insert(_ program: Program) throws {
        try connection.run(
            """
            INSERT INTO programs (\(ProgramRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(program.institution.text), .text(program.id.text), .integer(program.revision.version),
            .text(program.scheme), .integer(program.createdAt.microseconds), .text(program.title),
            .text(program.entry.rawValue), .integer(program.newest), .integer(program.effectiveFrom?.days),
            .text(program.draft?.preset), .utf8(program.draft?.configuration),
            .integer(program.draft?.editedAt.microseconds), .integer(program.inForce?.number),
            .integer(program.inForce?.effectiveFrom.days), .integer(program.lastNumber),
            .text(program.given.rawValue))
    }

    private func update(_ program: Program) throws {
        try connection.run(
            """
            UPDATE programs SET revision = ?, title = ?, entry = ?, newest = ?, effective_from = ?,
            draft_preset = ?, draft_configuration = ?, draft_edited_at = ?, in_force = ?, in_force_from = ?,
            last_number = ?, given = ? WHERE id = ?
            """,
            .integer(program.revision.version), .text(program.title), .text(program.entry.rawValue),
            .integer(program.newest), .integer(program.effectiveFrom?.days), .text(program.draft?.preset),
            .utf8(program.draft?.configuration), .integer(program.draft?.editedAt.microseconds),
            .integer(program.inForce?.number), .integer(program.inForce?.effectiveFrom.days),
            .integer(program.lastNumber), .text(program.given.rawValue), .text(program.id.text))
    }

    private func insert(_ version: ProgramVersion, of institution: InstitutionID) throws {
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
