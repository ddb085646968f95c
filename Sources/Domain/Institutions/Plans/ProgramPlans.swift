public import Shared

/// The rules of writing programs and their versions, over the rows that a store has found.
public enum ProgramPlans {
    /// What a store has found of a program.
    public struct Rows: Sendable {
        /// The program; `nil` when there is none.
        public let program: Program?
        /// Its versions, newest first.
        public let versions: [ProgramVersion]

        /// What was found.
        public init(program: Program?, versions: [ProgramVersion]) {
            self.program = program
            self.versions = versions
        }
    }

    /// A new program, with the answer that tells of it.
    public static func creation(
        of program: Program, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround] = []
    ) -> InstitutionPlan<Void> {
        InstitutionPlan(
            under: grounds, [.insertProgram(program)], audit: [audit], events: [.programChanged(program.id)], kept: kept
        )
    }

    /// What `change` makes of a program, with a version that it publishes; nothing but the answer for `nil`.
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
            changes.append(.insertVersion(version, of: before.institution))
            if let move = PendingMove(version, of: before.institution, publishedBy: change.audit) {
                changes.append(.orderMove(move))
            }
        }
        return plan(changes, change, before, versions: (change.version.map { [$0] } ?? []) + rows.versions, keep)
    }

    /// Takes a version away, with the move that waits for its day.
    ///
    /// - Parameter isInUse: whether any record is judged by the version.
    public static func withdrawal(
        of number: Version, _ rows: Rows, isInUse: Bool, keeping keep: ProgramKeeper,
        _ change: (Program, [ProgramVersion], Bool) throws -> ProgramChange
    ) throws -> InstitutionPlan<Program> {
        guard let before = rows.program else { throw StoreError.notFound }
        let change = try change(before, rows.versions, isInUse)
        return plan(
            [.removeVersion(number, of: before)], change, before,
            versions: rows.versions.filter { $0.number != number }, keep)
    }

    /// The plan of a change that was made, under the program's next revision. Who is in the middle of entering a score
    /// is not held up by a title or a draft.
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
            under: change.grounds, changes + [.updateProgram(after)], audit: [change.audit],
            voided: isAlike ? [] : [.program(after.id)], altered: [.program(after.id)],
            events: [.programChanged(after.id)] + (becomesKnown ? [.audienceChanged(after.id)] : []),
            kept: keep(after, StandingVersions(of: after, among: versions)), value: after)
    }
}

extension PendingMove {
    /// The move that a version asks for; `nil` if the records keep theirs, or the version was not published.
    fileprivate init?(_ version: ProgramVersion, of institution: InstitutionID, publishedBy audit: AuditEntry) {
        guard version.records == .move, let account = audit.account else { return nil }
        self.init(
            program: version.program, institution: institution, version: version.number, account: account,
            source: audit.source, at: audit.at, dueOn: version.effectiveFrom)
    }
}

extension Program {
    /// Whether permissions and the rules of new records are the same with the other.
    fileprivate func isAlike(_ other: Program) -> Bool {
        entry == other.entry && newest == other.newest && effectiveFrom == other.effectiveFrom
            && inForce == other.inForce
    }
}
