public import Records
public import Shared

/// Bulk changes as callers order and read them: registrars order recomputations, those who grade order releases, and the
/// program's staff read all of them. A program that the caller may not know is `not_found`.
extension BulkChanges {
    /// Bulk changes to show.
    public struct Listing: Sendable {
        /// The changes, newest first.
        public let jobs: [BulkChangeJob]
        /// The students of the records that they list as refused.
        public let owners: RecordOwners
        /// The day in the time zone of the institution.
        public let today: CalendarDay
    }

    /// A bulk change that was ordered, with the day in the time zone of the institution.
    public typealias Ordered = (job: BulkChangeJob, today: CalendarDay)

    /// Returns the moves of a program's records to new versions.
    public func moves(of program: ProgramID, for context: AccountContext) async throws -> Listing {
        try await listing(program, context) { try await moves(under: $0) }
    }

    /// Returns the releases of hidden results in a program's records.
    public func releases(of program: ProgramID, for context: AccountContext) async throws -> Listing {
        try await listing(program, context) { try await releases(under: $0) }
    }

    /// Returns the recomputations of a program's records.
    public func recomputations(of program: ProgramID, for context: AccountContext) async throws -> Listing {
        try await listing(program, context) { try await recomputations(under: $0) }
    }

    private func listing(
        _ program: ProgramID, _ context: AccountContext,
        _ find: (ProgramPermit<May.Oversee>) async throws -> [BulkChangeJob]
    ) async throws -> Listing {
        let permit = try await access.permit(to: May.Oversee.self, in: program, for: context.principal)
        let jobs = try await find(permit)
        return Listing(
            jobs: jobs, owners: try await owners(ofRefusedBy: jobs),
            today: try await access.today(in: permit.program, at: context.now))
    }

    /// Orders the release, as one act, of everything hidden below a path of names in all records of the program.
    ///
    /// - Parameter path: the path, which is read once the caller is known to be allowed.
    public func release<Reply>(
        below path: @autoclosure () async throws -> [String], of program: ProgramID, by context: AccountContext,
        answering: Answering<Ordered, Ordered, Reply>
    ) async throws -> Reply {
        let permit = try await access.permit(to: May.Grade.self, in: program, for: context.principal)
        return try await answering { keep in
            let path = try await path()
            let today = try await access.today(in: permit.program, at: context.now)
            return (try await release(below: path, under: permit, by: context) { keep(($0, today)) }, today)
        }
    }

    /// Orders the recomputation, as rehearsed, of the records that another executable computed.
    ///
    /// - Parameter digest: the digest of the rehearsal, which is read once the caller is known to be allowed.
    /// - Throws: `digest_mismatch` when the result would differ from the rehearsal.
    public func recompute<Reply>(
        _ program: ProgramID, rehearsedAs digest: @autoclosure () async throws -> String, by context: AccountContext,
        answering: Answering<Ordered, Ordered, Reply>
    ) async throws -> Reply {
        let permit = try await access.permit(to: May.Write.self, in: program, for: context.principal)
        return try await answering { keep in
            let digest = try await digest()
            let today = try await access.today(in: permit.program, at: context.now)
            return (
                try await recompute(under: permit, rehearsedAs: digest, by: context) { keep(($0, today)) }, today
            )
        }
    }

    private var access: InstitutionAccess { rehearsals.records.access }
}
