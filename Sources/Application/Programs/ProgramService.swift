public import Accounts
public import Forms
import GradingKit
public import Institutions
import Records
public import Shared

/// The service that creates, changes and describes programs, for callers who may. A program that the caller may not know
/// is `not_found`.
///
/// What a request contains is read only once its sender is known to be allowed.
public struct ProgramService: Sendable {
    private let programs: Programs
    private let access: InstitutionAccess
    private let proofs: Proofs
    private let stale: StaleRecords
    private let schemes: SchemeRegistry
    private let rulesCache: RecordRulesCache

    init(
        programs: Programs, access: InstitutionAccess, proofs: Proofs, stale: StaleRecords, schemes: SchemeRegistry,
        rulesCache: RecordRulesCache
    ) {
        self.programs = programs
        self.access = access
        self.proofs = proofs
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
    /// - Parameter subject: the rules to describe, which are read once the caller is known to be allowed.
    /// - Throws: `not_found` for a version or draft that does not exist or that the caller may not see; the faults of a
    ///   faulty draft.
    public func description(
        of id: ProgramID, _ subject: @autoclosure () throws -> Subject, for context: RequestContext
    ) async throws -> [UInt8] {
        let permit = try await access.permit(to: May.Read.self, in: id, for: context.principal)
        return try await description(of: try subject(), under: permit)
    }

    private func description(of subject: Subject, under permit: ProgramPermit<May.Read>) async throws -> [UInt8] {
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

    /// A program, the description of its scheme, and that of the rules in force where these determine what records look
    /// like; `nil` if they do not, or if there are none yet.
    public typealias Described = (program: Program, isStaff: Bool, scheme: [UInt8], own: [UInt8]?)

    /// Returns a program with its descriptions.
    public func described(_ id: ProgramID, for context: AccountContext) async throws -> Described {
        let permit = try await access.permit(to: May.Read.self, in: id, for: context.principal)
        guard let scheme = schemes[SchemeIdentifier(permit.program.scheme)] else {
            throw UseCaseError.notComputable("The scheme \(permit.program.scheme) is not installed")
        }
        let own = scheme.isDocument ? try? await description(of: .inForce, under: permit) : nil
        return (permit.program, permit.isStaff, scheme.description, own)
    }

    /// Returns a page of an institution's programs in order of creation. Only staff see programs that were never
    /// published.
    public func list(
        of institution: String, _ page: @autoclosure () throws -> (cursor: ProgramID?, limit: Int),
        for context: RequestContext
    ) async throws -> [Program] {
        let institution = try await access.institution(.read, institution, for: context.principal)
        let page = try page()
        let decision = authorize(
            try await access.requester(context.principal), .oversee, on: .institution(institution))
        let publishedOnly = if case .allowed = decision { false } else { true }
        return try await programs.list(
            of: institution.id, publishedOnly: publishedOnly, after: page.cursor, limit: page.limit)
    }

    /// Returns a program with what the caller sees of it.
    public func find(_ id: ProgramID, for context: RequestContext) async throws -> (program: Program, isStaff: Bool) {
        let permit = try await access.permit(to: May.Read.self, in: id, for: context.principal)
        return (permit.program, permit.isStaff)
    }

    /// Creates a program as a draft; throws `forbidden` unless the caller may create programs in the institution.
    public func create<Reply>(
        _ input: @autoclosure () async throws -> FormInput<NewProgram>, in institution: String,
        by context: AccountContext, answering: Answering<CheckedProgram, CheckedProgram, Reply>
    ) async throws -> Reply {
        let permit = try await access.permit(to: May.Create.self, in: institution, for: context.principal)
        return try await answering { keep in
            try await programs.create(
                await input(), in: permit.institution.id, by: context.audit(under: permit), keeping: keep)
        }
    }

    /// A program after a change, with the versions that its document mentions.
    public typealias Changed<Value> = (Value, StandingVersions)

    /// Changes the title, who enters grades, or the open draft; throws `forbidden` unless the caller may change the
    /// program.
    ///
    /// - Parameters:
    ///   - expected: the revision that the caller has seen; `nil` for any.
    ///   - session: the session of the caller, who must have proven their identity in it to change who enters grades.
    public func edit<Reply>(
        _ id: ProgramID, to input: @autoclosure () async throws -> FormInput<ProgramEdit>,
        expecting expected: @autoclosure () throws -> Revision?, by context: AccountContext,
        in session: @autoclosure () throws -> SignedIn,
        answering: Answering<Changed<CheckedProgram>, CheckedProgram, Reply>
    ) async throws -> Reply {
        let permit = try await access.permit(to: May.Write.self, in: id, for: context.principal)
        let (input, expected) = (try await input(), try expected())
        return try await answering { keep in
            try await proofs.whereNeeded(by: session) { isProven in
                try await programs.edit(
                    input, of: permit.program.id, expecting: expected, isProven: isProven,
                    by: context.audit(under: permit), keeping: { keep(($0, $1)) })
            }
        }
    }

    /// Withdraws a published version whose first day has not come; throws `forbidden` unless the caller may change the
    /// program.
    ///
    /// - Parameters:
    ///   - number: the version; `nil` is `not_found`.
    ///   - expected: the revision that the caller has seen; `nil` for any.
    public func withdraw<Reply>(
        _ number: Version?, of id: ProgramID, expecting expected: @autoclosure () throws -> Revision?,
        by context: AccountContext, answering: Answering<Changed<Program>, Program, Reply>
    ) async throws -> Reply {
        let permit = try await access.permit(to: May.Write.self, in: id, for: context.principal)
        guard let number else { throw UseCaseError.notFound }
        return try await answering { keep in
            try await programs.withdraw(
                number, of: permit.program.id, expecting: expected(), by: context.audit(under: permit),
                keeping: { keep(($0, $1)) })
        }
    }

    /// Returns the published versions, newest first, and the publishers who are members of the institution. Only staff
    /// see the publishers.
    public func versions(
        of id: ProgramID, for context: RequestContext
    ) async throws -> (versions: [ProgramVersion], publishers: Set<AccountID>) {
        let permit = try await access.permit(to: May.Read.self, in: id, for: context.principal)
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
