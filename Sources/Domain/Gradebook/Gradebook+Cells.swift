import Classes
public import GradingKit
import Records
public import Shared

/// Whether an act of many cells is carried out whole or in what of it is accepted.
public enum CellMode: String, Sendable, CaseIterable {
    /// All or nothing.
    case all
    /// What is accepted, with every fault by its place.
    case each
}

/// What became of the cells of an act.
public struct CellsAnswer: Sendable, Equatable {
    /// How many cells hold what was asked, those that held it already too.
    public let accepted: Int
    /// The faults by the places of the changes, `/cells/{n}`.
    public let faults: [Fault]

    /// An answer.
    public init(accepted: Int, faults: [Fault]) {
        self.accepted = accepted
        self.faults = faults
    }
}

extension Gradebook {
    /// Enters results.
    ///
    /// - Parameter lines: those in which the author may enter results, with what stands in them; `nil` for all.
    /// - Throws: `FaultList` with every fault by its place, in mode `all`; `class_closed`.
    public func enter(
        _ changes: [CellChange], _ mode: CellMode, operation: String = "cells", reason: String?,
        within lines: [LineID]? = nil, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        return try put(changes, mode, operation: operation, reason: reason, within: lines, in: ground)
    }

    /// Puts results into cells, in whichever state the class is.
    func put(
        _ changes: [CellChange], _ mode: CellMode, operation: String, reason: String?, within lines: [LineID]? = nil,
        in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        var faults = Self.unassigned(changes, within: lines, in: ground.snapshot.structure)
        if mode == .all { try FaultList(faults.sorted { $0.key < $1.key }.flatMap(\.value)).check() }
        // Each round leaves out what the rules refused in the one before, so there are no more rounds than changes.
        while true {
            let attempt = try attempt(changes, leavingOut: faults, operation, reason, ground)
            if attempt.faults.isEmpty {
                let found = faults.sorted { $0.key < $1.key }.flatMap(\.value)
                return (attempt.plan, CellsAnswer(accepted: changes.count - faults.count, faults: found))
            }
            faults.merge(attempt.faults) { first, _ in first }
            if mode == .all { throw FaultList(faults.sorted { $0.key < $1.key }.flatMap(\.value)) }
        }
    }

    /// The changes in lines in which the author enters no results.
    private static func unassigned(
        _ changes: [CellChange], within lines: [LineID]?, in structure: ClassStructure
    ) -> [Int: [Fault]] {
        guard let lines else { return [:] }
        var allowed = Set(lines)
        // Each line stands behind the one in which it stands.
        for line in structure.lines where line.parent.map({ allowed.contains($0) }) ?? false { allowed.insert(line.id) }
        var faults: [Int: [Fault]] = [:]
        for (index, change) in changes.enumerated() where !allowed.contains(change.line) {
            faults[index] = [Fault(.lineNotAssigned, at: "/cells" + JSONPointer.step(index) + "/line")]
        }
        return faults
    }

    /// One try: the plan, or faults that were not known before.
    private func attempt(
        _ changes: [CellChange], leavingOut known: [Int: [Fault]], _ operation: String, _ reason: String?,
        _ ground: ActGround
    ) throws -> (plan: ActPlan, faults: [Int: [Fault]]) {
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var faults: [Int: [Fault]] = [:]
        let before = Dictionary(
            ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var after = before
        for (index, change) in changes.enumerated() where known[index] == nil {
            let place = "/cells" + JSONPointer.step(index)
            do {
                try apply(change, to: &after, &books, ground)
            } catch let list as FaultList {
                faults[index] = list.faults.map { $0.prefixed(place) }
            } catch let unusable as RowUnusable {
                faults[index] = [unusable.fault.prefixed(place + "/row")]
            }
        }
        guard faults.isEmpty else { return (ActPlan(operation), faults) }
        var plan = ActPlan(operation, reason: reason)
        for (id, row) in after.sorted(by: { $0.key < $1.key }) {
            guard let old = before[id], old.row != row.row else { continue }
            plan.rows.append(row)
            plan.lines.append(Self.line(of: id, from: old.row, to: row.row))
        }
        do {
            let unusable = try follow(plan.rows, &books, ground, in: &plan)
            return (plan, Self.blame(changes, for: unusable, known))
        } catch let refused as RowsRefused {
            return (plan, Self.blame(changes, for: refused, known))
        }
    }

    private func apply(
        _ change: CellChange, to rows: inout [EnrolmentID: EnrolledRow], _ books: inout ClassBooks,
        _ ground: ActGround
    ) throws {
        guard let enrolled = rows[change.enrolment] else { throw FaultList([Fault(.enrolmentUnknown, at: "/row")]) }
        guard !enrolled.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolmentEnded, at: "/row")]) }
        guard let head = ground.records[enrolled.enrolment.record]?.head else {
            throw RowUnusable(fault: Fault(.recordUnreadable))
        }
        let book = try books.book(head.programVersion)
        guard let line = book.number(of: change.line) else { throw FaultList([Fault(.lineUnknown, at: "/line")]) }
        guard let column = book.columns[line] else { throw FaultList([Fault(.notACell, at: "/line")]) }
        rows[change.enrolment]?.row[line] = try column.cell(enrolled.row[line], after: change)
    }

    /// The changes in rows that cannot be judged.
    private static func blame(
        _ changes: [CellChange], for unusable: [EnrolmentID: Fault], _ known: [Int: [Fault]]
    ) -> [Int: [Fault]] {
        guard !unusable.isEmpty else { return [:] }
        var faults: [Int: [Fault]] = [:]
        for (index, change) in changes.enumerated() where known[index] == nil {
            guard let fault = unusable[change.enrolment] else { continue }
            faults[index] = [fault.prefixed("/cells" + JSONPointer.step(index) + "/row")]
        }
        return faults
    }

    /// The changes that a refusal is about: those in the lines that it names, or all of the row.
    private static func blame(
        _ changes: [CellChange], for refused: RowsRefused, _ known: [Int: [Fault]]
    ) -> [Int: [Fault]] {
        var places: [EnrolmentID: [Int]] = [:]
        for (index, change) in changes.enumerated() where known[index] == nil {
            places[change.enrolment, default: []].append(index)
        }
        var faults: [Int: [Fault]] = [:]
        for (enrolment, found) in refused.rows {
            let mine = places[enrolment] ?? []
            let named = mine.filter { index in found.contains { $0.entry?.text == changes[index].line.text } }
            for index in named.isEmpty ? mine : named {
                let about = found.filter { named.isEmpty || $0.entry?.text == changes[index].line.text }
                faults[index] = about.map { Fault($0.code, at: "/cells" + JSONPointer.step(index), $0.arguments) }
            }
        }
        return faults
    }

    /// What the ledger says of a row: the cells that are others now.
    static func line(of id: EnrolmentID, from old: ClassRow, to new: ClassRow) -> ActPlan.Line {
        let numbers = Set(old.cells.keys).union(new.cells.keys).filter { old[$0] != new[$0] }.sorted()
        func text(_ row: ClassRow) -> [UInt8] {
            var object = JSONObject()
            for number in numbers { object[String(number)] = row[number].json }
            return JSON.object(object).bytes
        }
        return ActPlan.Line(enrolment: id, before: text(old), after: text(new))
    }
}
