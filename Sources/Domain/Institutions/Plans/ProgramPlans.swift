public import Shared

/// Plans the writes of programs and their versions from the rows that the store found.
public enum ProgramPlans {
    /// The rows that the store found for a program.
    public struct Rows: Sendable {
        /// The program; `nil` if there is none.
        public let program: Program?
        /// Its versions, newest first.
        public let versions: [ProgramVersion]

        /// Creates the rows that were found.
        public init(program: Program?, versions: [ProgramVersion]) {
            self.program = program
            self.versions = versions
        }
    }

    /// Plans a new program, with the answer to its request.
    public static func creation(
        of program: Program, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround] = []
    ) -> InstitutionPlan<Void> {
        InstitutionPlan(
            under: grounds, [.program(.insert(program))], audit: [audit], events: [.programChanged(program.id)],
            kept: kept
        )
    }

    /// Plans to apply `change` to a program, with the version that it publishes. If `change` returns `nil`, stores only
    /// the answer.
    public static func amendment(
        _ rows: Rows, keeping keep: ProgramKeeper, _ change: (Program) throws -> ProgramChange?
    ) throws -> InstitutionPlan<Program> {
        guard let before = rows.program else { throw StoreError.notFound }
        guard let change = try change(before) else {
            return InstitutionPlan(
                [], kept: keep(before, StandingVersions(of: before, among: rows.versions)), value: before)
        }
        var changes: [InstitutionRowChange] = []
        if let version = change.version {
            changes.append(.program(.insertVersion(version, of: before.institution)))
            if let move = PendingMove(version, of: before.institution, publishedBy: change.audit) {
                changes.append(.program(.orderMove(move)))
            }
        }
        return plan(changes, change, before, versions: (change.version.map { [$0] } ?? []) + rows.versions, keep)
    }

    /// Plans to remove a version together with its pending move of records.
    ///
    /// - Parameter isInUse: Whether the version judges any record.
    public static func withdrawal(
        of number: Version, _ rows: Rows, isInUse: Bool, keeping keep: ProgramKeeper,
        _ change: (Program, [ProgramVersion], Bool) throws -> ProgramChange
    ) throws -> InstitutionPlan<Program> {
        guard let before = rows.program else { throw StoreError.notFound }
        let change = try change(before, rows.versions, isInUse)
        return plan(
            [.program(.removeVersion(number, of: before))], change, before,
            versions: rows.versions.filter { $0.number != number }, keep)
    }

    /// Plans a change of a program under its next revision. A change of only the title or the draft voids no
    /// permission, so that it does not hold up people who are entering scores.
    private static func plan(
        _ changes: [InstitutionRowChange], _ change: ProgramChange, _ before: Program, versions: [ProgramVersion],
        _ keep: ProgramKeeper
    ) -> InstitutionPlan<Program> {
        var after = change.program
        after.revision = Revision(epoch: before.revision.epoch, version: before.revision.version + 1)
        let isAlike = before.isAlike(after)
        after.accessVersion = before.accessVersion + (isAlike ? 0 : 1)
        let becomesKnown = (before.newest == nil) != (after.newest == nil)
        return InstitutionPlan(
            under: change.grounds, changes + [.program(.update(after))], audit: [change.audit],
            voided: isAlike ? [] : [.program(after.id)], altered: [.program(after.id)],
            events: [.programChanged(after.id)] + (becomesKnown ? [.audienceChanged(after.id)] : []),
            kept: keep(after, StandingVersions(of: after, among: versions)), value: after)
    }
}

extension PendingMove {
    /// Creates the move that a version requires; `nil` if records keep their version, or if the server itself published
    /// it.
    fileprivate init?(_ version: ProgramVersion, of institution: InstitutionID, publishedBy audit: AuditEntry) {
        guard version.records.isMove, let account = audit.account else { return nil }
        self.init(
            program: version.program, institution: institution, version: version.number, account: account,
            source: audit.source, at: audit.at, dueOn: version.effectiveFrom,
            judgesClosed: version.records == .moveClosed)
    }
}

extension Program {
    /// Returns whether both programs have the same policies and published versions, on which permissions depend.
    fileprivate func isAlike(_ other: Program) -> Bool {
        entry == other.entry && given == other.given && newest == other.newest && effectiveFrom == other.effectiveFrom
            && inForce == other.inForce
    }
}
