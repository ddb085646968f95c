public import Accounts
public import Forms
import GradingKit
public import Institutions
import Records
public import Shared

/// The service that creates, changes and describes programs, for callers with a permit.
public struct ProgramService: Sendable {
    private let programs: Programs
    private let access: InstitutionAccess
    private let stale: StaleRecords
    private let schemes: SchemeRegistry
    private let rulesCache: RecordRulesCache

    init(
        programs: Programs, access: InstitutionAccess, stale: StaleRecords, schemes: SchemeRegistry,
        rulesCache: RecordRulesCache
    ) {
        self.programs = programs
        self.access = access
        self.stale = stale
        self.schemes = schemes
        self.rulesCache = rulesCache
    }

    /// The rules of a program to describe.
    public enum Subject: Sendable, Equatable {
        /// Those of the version in force; before there is one, for staff those of the draft, and where there is none, or
        /// for others, those of the newest version.
        case inForce
        /// The rules of a published version.
        case version(Version)
        /// The rules of the draft, for staff.
        case draft
    }

    /// Returns the description of a program's scheme, with the shape, figures, outcomes, templates and wording that the
    /// program's configuration gives it.
    ///
    /// - Throws: `not_found` for a version or draft that does not exist or that the caller may not see; the faults of a
    ///   faulty draft.
    public func description(of subject: Subject, under permit: ProgramPermit<May.Read>) async throws -> [UInt8] {
        let program = permit.program
        guard let scheme = schemes[SchemeIdentifier(program.scheme)] else {
            throw UseCaseError.notComputable("The scheme \(program.scheme) is not installed")
        }
        let number: Version? =
            switch subject {
            case .version(let number): number
            case .inForce: program.inForce?.number ?? (permit.isStaff && program.draft != nil ? nil : program.newest)
            case .draft: nil
            }
        if let number {
            let rules = try await rulesCache.rules(of: program, version: number).rules
            // That of a document may be long.
            return try await scheme.perform { scheme.description(of: rules) }
        }
        guard permit.isStaff, let draft = program.draft else { throw UseCaseError.notFound }
        return try await scheme.perform {
            scheme.description(of: try scheme.rulebook(configuration: JSON.parse(draft.configuration)))
        }
    }

    /// Returns the description of a program's scheme, and that of the rules in force where these determine what records look
    /// like; `nil` if they do not, or where there are none yet.
    public func descriptions(
        under permit: ProgramPermit<May.Read>
    ) async throws -> (scheme: [UInt8], own: [UInt8]?) {
        guard let scheme = schemes[SchemeIdentifier(permit.program.scheme)] else {
            throw UseCaseError.notComputable("The scheme \(permit.program.scheme) is not installed")
        }
        return (scheme.description, scheme.isDocument ? try? await description(of: .inForce, under: permit) : nil)
    }

    /// Returns a page of an institution's programs in order of creation. Only staff see programs that were never
    /// published.
    public func list(
        under permit: InstitutionPermit<May.Read>, for principal: Principal, after cursor: ProgramID?, limit: Int
    ) async throws -> [Program] {
        let institution = permit.institution
        let decision = authorize(try await access.requester(principal), .oversee, on: .institution(institution))
        let publishedOnly = if case .allowed = decision { false } else { true }
        return try await programs.list(of: institution.id, publishedOnly: publishedOnly, after: cursor, limit: limit)
    }

    /// Creates a program as a draft.
    ///
    /// - Parameter keep: makes the answer to store with it.
    public func create(
        _ input: FormInput<NewProgram>, under permit: InstitutionPermit<May.Create>, by act: AuditContext,
        keeping keep: (CheckedProgram) -> KeptAnswer?
    ) async throws -> CheckedProgram {
        try await programs.create(
            input, in: permit.institution.id, by: act.resting(on: permit.grounds.list), keeping: keep)
    }

    /// Changes the title, who enters grades, or the open draft.
    ///
    /// - Parameter keep: makes the answer to store with the change.
    public func edit(
        _ input: FormInput<ProgramEdit>, under permit: ProgramPermit<May.Write>, expecting expected: Revision?,
        isProven: Bool, by act: AuditContext,
        keeping keep: @escaping @Sendable (CheckedProgram, StandingVersions) -> KeptAnswer?
    ) async throws -> CheckedProgram {
        try await programs.edit(
            input, of: permit.program.id, expecting: expected, isProven: isProven,
            by: act.resting(on: permit.grounds.list), keeping: keep)
    }

    /// Withdraws a published version whose first day has not come.
    ///
    /// - Parameter keep: makes the answer to store with the change.
    public func withdraw(
        _ number: Version, under permit: ProgramPermit<May.Write>, expecting expected: Revision?, by act: AuditContext,
        keeping keep: @escaping ProgramKeeper
    ) async throws -> Program {
        try await programs.withdraw(
            number, of: permit.program.id, expecting: expected, by: act.resting(on: permit.grounds.list), keeping: keep)
    }

    /// Returns the published versions, newest first, and the publishers who are members of the institution. Only staff
    /// see the publishers.
    public func versions(
        under permit: ProgramPermit<May.Read>
    ) async throws -> (versions: [ProgramVersion], publishers: Set<AccountID>) {
        let versions = try await programs.versions(of: permit.program.id)
        guard permit.isStaff else { return (versions, []) }
        return (versions, try await access.members(among: versions.map(\.publishedBy), of: permit.program))
    }

    /// Returns the versions that a program's document mentions.
    public func versionsInForce(of program: Program) async throws -> StandingVersions {
        try await programs.versionsInForce(of: program)
    }

    /// Returns how many of a program's records another executable computed; `nil` if the scheme is built into the
    /// server.
    public func staleCount(in program: Program) async throws -> Int? { try await stale.count(in: program) }
}
