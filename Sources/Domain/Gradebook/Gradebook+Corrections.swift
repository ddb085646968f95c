public import Classes
import GradingKit
import Records
public import Shared

/// A correction that a person requests.
public struct CorrectionRequest: Sendable {
    let id: CorrectionID
    /// The person who requests it.
    public let account: AccountID
    let at: Timestamp
    let changes: [CellChange]
    let reason: String

    /// A request by an account at a moment.
    public init(id: CorrectionID, account: AccountID, at: Timestamp, _ changes: [CellChange], reason: String) {
        self.id = id
        self.account = account
        self.at = at
        self.changes = changes
        self.reason = reason
    }
}

extension Gradebook {
    /// Requests a change of results in a closed class. Faults under the rules are reported now; the results are entered
    /// only after another person's approval.
    ///
    /// - Parameter scope: the cells in which the author may enter results.
    /// - Throws: `FaultList` with every fault by its place; `class_open`, `needs_reason`,
    ///   `nothing_to_correct`, `correction_limit`.
    public func ask(
        _ request: CorrectionRequest, within scope: GraderScope = .everything, in ground: ActGround
    ) throws -> ActDecision<Correction> {
        try Self.checkClosed(ground)
        guard request.changes.count <= ClassLimits.correctedCells else {
            throw FaultList([
                Fault(.entryLimit, at: "/cells", ["limit": .number(String(ClassLimits.correctedCells))])
            ])
        }
        guard ground.waiting < ClassLimits.corrections else {
            throw FaultList([Fault(.correctionLimit, ["limit": .number(String(ClassLimits.corrections))])])
        }
        var faults = FaultList()
        if request.reason.isEmpty { faults.add(.needsReason, at: "/reason") }
        for (index, change) in request.changes.enumerated() where change.isHeldBack != nil {
            faults.add(.unknownField, at: "/cells" + JSONPointer.step(index) + "/held")
        }
        try faults.check()
        let tried = try put(
            request.changes, .all, operation: LedgerLine.correction, reason: request.reason,
            leavingOut: unassigned(request.changes, within: scope, in: ground), in: ground)
        guard !tried.plan.rows.isEmpty else { throw FaultList([Fault(.nothingToCorrect)]) }
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        let cells = try request.changes.map { try Self.conditioned($0, &books, in: ground).json }
        let correction = Correction(
            id: request.id, classID: ground.snapshot.head.id, account: request.account, at: request.at,
            reason: request.reason, cells: JSON.array(cells).bytes)
        var plan = ActPlan(LedgerLine.correctionRequested, reason: request.reason)
        plan.correction = correction
        plan.lines = [.correction(correction.id)]
        return (plan, correction)
    }

    /// A change with the condition that the cell still has its current content when it is entered.
    private static func conditioned(
        _ change: CellChange, _ books: inout ClassBooks, in ground: ActGround
    ) throws -> CellChange {
        let isWhole =
            change.seen != nil && (change.late == nil || change.seenDelay != nil)
            && change.fields.allSatisfy { change.seenFields[$0.name] != nil }
        guard !isWhole, let row = ground.rows.first(where: { $0.enrolment.id == change.enrolment }),
            let version = ground.records[row.enrolment.record]?.head.programVersion
        else { return change }
        let book = try books.book(version)
        guard let line = book.number(of: change.line), let column = book.columns[line] else { return change }
        var conditioned = change
        if change.seen == nil { conditioned.seen = column.seen(row.row[line]) }
        if change.late != nil, change.seenDelay == nil { conditioned.seenDelay = row.row[line].late ?? 0 }
        for field in change.fields where change.seenFields[field.name] == nil {
            conditioned.seenFields[field.name] = column.value(of: field.name, in: row.row[line]).json
        }
        return conditioned
    }

    /// Approves the correction in the ground, and enters it.
    ///
    /// - Parameter makers: the people who may have requested it through a service account; empty if a person did.
    /// - Throws: `FaultList` with `needs_second_person`, `about_oneself`, `correction_decided`, `correction_void`,
    ///   `class_open`, and the current faults of its cells; `StoreError.notFound` without a correction.
    public func approve(
        by account: AccountID, at now: Timestamp, besides makers: Set<AccountID> = [], in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        try Self.checkClosed(ground)
        let correction = try Self.undecided(in: ground)
        guard correction.state(at: now) == .waiting else {
            throw FaultList([Fault(.correctionVoid, ["days": .number(String(Correction.days))])])
        }
        guard account != correction.account, !makers.contains(account) else {
            throw FaultList([Fault(.needsSecondPerson)])
        }
        let changes = try CellChange.list(JSON.parse(correction.cells), at: "/cells")
        var (plan, answer) = try put(
            changes, .all, operation: LedgerLine.correction, reason: correction.reason,
            leavingOut: unassigned(changes, within: GraderScope(by: account), in: ground), in: ground)
        plan.correction = correction.decided(.entered, by: account, at: now)
        plan.lines.append(.correction(correction.id))
        return (plan, answer)
    }

    /// Refuses the correction in the ground, or withdraws it for the person who requested it. Also possible for a void
    /// one.
    ///
    /// - Throws: `FaultList` with `correction_decided`, `about_oneself`; `StoreError.notFound` without a correction.
    public func refuse(
        by account: AccountID, at now: Timestamp, in ground: ActGround
    ) throws -> ActDecision<Correction> {
        let correction = try Self.undecided(in: ground)
        if correction.account != account, ground.rows.contains(where: { isOwn($0.enrolment, of: account) }) {
            throw FaultList([Fault(.aboutOneself)])
        }
        let refused = correction.decided(.refused, by: account, at: now)
        var plan = ActPlan(LedgerLine.correctionRefused, reason: correction.reason)
        plan.correction = refused
        plan.lines = [.correction(correction.id)]
        return (plan, refused)
    }

    private static func checkClosed(_ ground: ActGround) throws(FaultList) {
        guard ground.snapshot.head.state == .closed else { throw FaultList([Fault(.classOpen)]) }
    }

    private static func undecided(in ground: ActGround) throws -> Correction {
        guard let correction = ground.correction else { throw StoreError.notFound }
        guard correction.decision == .waiting else { throw FaultList([Fault(.correctionDecided)]) }
        return correction
    }
}
