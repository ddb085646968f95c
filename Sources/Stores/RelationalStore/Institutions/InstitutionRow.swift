import Cryptography
import Database
import GradingKit
import Institutions
import Shared
import TimeZones

/// The form of institutions in the tables.
enum InstitutionRow {
    static let columns = "id, created_at, slug, title, locale, open, keeps_reading, second_factor, sharing, time_zone"
    /// The columns that `institution(_:)` reads.
    static let selected = "\(columns), \(AccessVersionTable.select("institution", "institutions.id"))"

    static func institution(_ row: borrowing Row) -> Institution {
        Institution(
            id: InstitutionID(row.text(0)), createdAt: Timestamp(microseconds: Int64(row.integer(1))),
            slug: Slug(stored: row.text(2)), title: row.text(3),
            locale: Language(rawValue: row.text(4)) ?? .english, isOpen: row.boolean(5), keepsReading: row.boolean(6),
            secondFactor: SecondFactorDemand(rawValue: row.text(7)) ?? .staff,
            // An unknown policy allows no sharing.
            sharing: SharingPolicy(rawValue: row.text(8)) ?? .none,
            // A zone that the database no longer has counts as UTC.
            timeZone: TimeZone(row.text(9)) ?? .utc, accessVersion: row.integer(10))
    }
}

/// The form of memberships and invitations in the tables: `memberships` has what people granted, `grants` what rules
/// granted.
enum MembershipRow {
    /// The columns of `memberships` that `given(_:)` reads.
    static let given = "institution, role, programs, since, origin"
    /// The columns of `grants` that `granted(_:)` reads.
    static let granted = "institution, role, programs, since, until, issuer, claim, value"
    /// The names of a member in `accounts`; `AccountRow.personName` reads the last two.
    static let names = "login, display_name, given_name, family_name"

    static func given(_ row: borrowing Row) -> (institution: InstitutionID, grant: Grant) {
        let grant = Grant(
            row.text(4) == invitation ? .invitation : .hand, role: role(row.text(1)), programs: programs(row.text(2)),
            since: Timestamp(microseconds: Int64(row.integer(3))))
        return (InstitutionID(row.text(0)), grant)
    }

    static func granted(_ row: borrowing Row) -> (institution: InstitutionID, grant: Grant) {
        let rule = RuleName(issuer: row.text(5), claim: row.text(6), value: row.text(7))
        let grant = Grant(
            .rule(rule), role: role(row.text(1)), programs: programs(row.text(2)),
            since: Timestamp(microseconds: Int64(row.integer(3))), until: Timestamp(microseconds: Int64(row.integer(4)))
        )
        return (InstitutionID(row.text(0)), grant)
    }

    /// Returns how people granted a membership: by invitation or directly.
    static func origin(_ membership: Membership) -> String {
        membership.grants.contains { $0.origin == .invitation } ? invitation : "hand"
    }

    private static let invitation = "invitation"

    static let invitationColumns = "institution, id, role, programs, created_by, expires_at, account"

    static func invitation(_ row: borrowing Row) -> Invitation {
        Invitation(
            id: row.text(1), institution: InstitutionID(row.text(0)),
            account: row.optionalText(6).map { AccountID($0) }, role: role(row.text(2)),
            programs: programs(row.text(3)), createdBy: row.optionalText(4).map { AccountID($0) },
            expiresAt: Timestamp(microseconds: Int64(row.integer(5))))
    }

    static func text(_ programs: [ProgramID]) -> String { programs.map(\.text).joined(separator: " ") }

    static func programs(_ text: String) -> [ProgramID] {
        text.split(separator: " ").map { ProgramID(String($0)) }
    }

    /// Reads a role; an unknown one counts as the least.
    private static func role(_ text: String) -> MemberRole { MemberRole(rawValue: text) ?? .student }
}

/// The form of programs and their versions in the tables.
enum ProgramRow {
    static let columns = """
        institution, id, revision, scheme, created_at, title, entry, newest, effective_from, draft_preset,
        draft_configuration, draft_edited_at, in_force, in_force_from, last_number, given
        """
    /// The columns that `program(_:epoch:)` reads.
    static let selected = "\(columns), \(AccessVersionTable.select("program", "programs.id"))"

    static func program(_ row: borrowing Row, epoch: Epoch) -> Program {
        var draft: ProgramDraft?
        if let configuration = row.optionalBytes(10) {
            draft = ProgramDraft(
                preset: row.optionalText(9), configuration: configuration,
                editedAt: Timestamp(microseconds: Int64(row.integer(11))))
        }
        return Program(
            id: ProgramID(row.text(1)), institution: InstitutionID(row.text(0)), scheme: row.text(3),
            createdAt: Timestamp(microseconds: Int64(row.integer(4))), title: row.text(5),
            // Under an unknown policy, students may not enter grades.
            entry: EntryPolicy(rawValue: row.text(6)) ?? .staff,
            // Under an unknown policy, only registrars give figures.
            given: GivenPolicy(rawValue: row.text(15)) ?? .registrar, draft: draft, newest: row.optionalInteger(7),
            effectiveFrom: row.optionalInteger(8).map { CalendarDay(days: $0) },
            inForce: row.optionalInteger(12).map {
                VersionInForce(number: $0, effectiveFrom: CalendarDay(days: row.integer(13)))
            }, lastNumber: row.integer(14),
            revision: Revision(epoch: epoch, version: row.integer(2)), accessVersion: row.integer(16))
    }

    static let versionColumns =
        "program, number, preset, configuration, effective_from, published_at, published_by, records, rehearsal"

    static func version(_ row: borrowing Row) -> ProgramVersion {
        ProgramVersion(
            program: ProgramID(row.text(0)), number: row.integer(1), preset: row.optionalText(2),
            configuration: row.bytes(3), effectiveFrom: CalendarDay(days: row.integer(4)),
            publishedAt: Timestamp(microseconds: Int64(row.integer(5))),
            publishedBy: row.optionalText(6).map { AccountID($0) },
            records: RecordTreatment(rawValue: row.text(7)) ?? .keep, rehearsal: row.optionalText(8))
    }
}
