public import Records
public import Shared

/// Rehearsals as callers order and read them: registrars order them, and the program's staff read them. A program that
/// the caller may not know is `not_found`.
extension RehearsalRunner {
    /// Begins a rehearsal of the program's draft, or of the build that now computes its scheme. Cancels a running
    /// rehearsal of the program.
    ///
    /// - Parameter subject: what to rehearse, which is read once the caller is known to be allowed.
    public func begin<Reply>(
        _ subject: @autoclosure () async throws -> RehearsalBasis.Subject, of program: ProgramID,
        by context: AccountContext, answering: Answering<Rehearsal, Rehearsal, Reply>
    ) async throws -> Reply {
        let permit = try await records.access.permit(to: May.Write.self, in: program, for: context.principal)
        return try await answering { keep in
            try await begin(await subject(), under: permit, at: context.now, keeping: keep)
        }
    }

    /// Returns the program's rehearsals, newest first.
    public func list(of program: ProgramID, for context: AccountContext) async throws -> [Rehearsal] {
        try await list(under: overseeing(program, context))
    }

    /// Returns a rehearsal of the program with its progress.
    public func find(_ id: String, of program: ProgramID, for context: AccountContext) async throws -> Rehearsal {
        try await find(id, under: overseeing(program, context))
    }

    /// Stops a running rehearsal; deletes one that has ended.
    public func cancel(_ id: String, of program: ProgramID, by context: AccountContext) async throws -> Rehearsal {
        try await cancel(
            id, under: records.access.permit(to: May.Write.self, in: program, for: context.principal))
    }

    /// Returns rows that a rehearsal found, as ``RehearsalRows`` pages them.
    ///
    /// - Parameter page: the place after which the page begins and its maximum length, which are read once the caller is
    ///   known to be allowed.
    public func changes(
        in id: String, of program: ProgramID, _ page: @autoclosure () throws -> (cursor: String?, limit: Int),
        for context: AccountContext
    ) async throws -> RehearsalPage {
        let permit = try await overseeing(program, context)
        let rehearsal = try await find(id, under: permit)
        let page = try page()
        return try await rows.page(
            of: rehearsal, under: permit, after: page.cursor, limit: page.limit, for: context)
    }

    private func overseeing(
        _ program: ProgramID, _ context: AccountContext
    ) async throws -> ProgramPermit<May.Oversee> {
        try await records.access.permit(to: May.Oversee.self, in: program, for: context.principal)
    }
}
