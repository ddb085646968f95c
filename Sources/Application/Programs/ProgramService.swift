public import Accounts
public import Forms
import GradingKit
public import Institutions
public import Shared

/// Makes, changes and tells of programs, for callers with a permit.
public struct ProgramService: Sendable {
    private let programs: Programs
    private let access: InstitutionAccess
    private let stale: StaleRecords

    init(programs: Programs, access: InstitutionAccess, stale: StaleRecords) {
        self.programs = programs
        self.access = access
        self.stale = stale
    }

    /// A page of an institution's programs in the order they were made; those that were never published are for its
    /// staff.
    public func list(
        under permit: InstitutionPermit<May.Read>, for principal: Principal, after cursor: ProgramID?, limit: Int
    ) async throws -> [Program] {
        let institution = permit.institution
        let decision = authorize(try await access.requester(principal), .oversee, on: .institution(institution))
        let publishedOnly = if case .allowed = decision { false } else { true }
        return try await programs.list(of: institution.id, publishedOnly: publishedOnly, after: cursor, limit: limit)
    }

    /// Makes a program as a draft.
    ///
    /// - Parameter keep: the answer to keep with it.
    public func create(
        _ input: FormInput<NewProgram>, under permit: InstitutionPermit<May.Create>, by act: AuditContext,
        keeping keep: (CheckedProgram) -> KeptAnswer?
    ) async throws -> CheckedProgram {
        try await programs.create(input, in: permit.institution.id, by: act, keeping: keep)
    }

    /// Changes the title, who enters grades, or the one open draft.
    ///
    /// - Parameter keep: the answer to keep with it.
    public func edit(
        _ input: FormInput<ProgramEdit>, under permit: ProgramPermit<May.Write>, expecting expected: Revision?,
        by act: AuditContext,
        keeping keep: @escaping @Sendable (CheckedProgram, StandingVersions) -> KeptAnswer?
    ) async throws -> CheckedProgram {
        try await programs.edit(input, of: permit.program.id, expecting: expected, by: act, keeping: keep)
    }

    /// Takes back a version whose day has not come.
    ///
    /// - Parameter keep: the answer to keep with it.
    public func withdraw(
        _ number: Version, under permit: ProgramPermit<May.Write>, expecting expected: Revision?, by act: AuditContext,
        keeping keep: @escaping ProgramKeeper
    ) async throws -> Program {
        try await programs.withdraw(number, of: permit.program.id, expecting: expected, by: act, keeping: keep)
    }

    /// The published versions, newest first, and the members of the institution among those who published them, whom
    /// its staff alone see.
    public func versions(
        under permit: ProgramPermit<May.Read>
    ) async throws -> (versions: [ProgramVersion], publishers: Set<AccountID>) {
        let versions = try await programs.versions(of: permit.program.id)
        guard permit.isStaff else { return (versions, []) }
        return (versions, try await access.members(among: versions.map(\.publishedBy), of: permit.program))
    }

    /// The versions that a program's document tells of.
    public func standing(of program: Program) async throws -> StandingVersions {
        try await programs.standing(of: program)
    }

    /// How many of a program's records another executable has computed; `nil` where its scheme is part of the server.
    public func staleCount(in program: Program) async throws -> Int? { try await stale.count(in: program) }
}
