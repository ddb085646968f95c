import Classes
public import GradingKit
import Records
import Shared

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
}

extension Gradebook {
    /// Enters results.
    ///
    /// - Throws: `FaultList` with every fault by its place, in mode `all`; `class_closed`.
    public func enter(
        _ changes: [CellChange], _ mode: CellMode, operation: String = "cells", reason: String?,
        in truth: any ClassTruth
    ) throws -> (plan: ActPlan, value: CellsAnswer) {
        guard truth.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        var faults: [Int: [Fault]] = [:]
        // Each round leaves out what the rules refused in the one before, so there are no more rounds than changes.
        while true {
            let attempt = try attempt(changes, leavingOut: faults, operation, reason, truth)
            if attempt.faults.isEmpty {
                let found = faults.sorted { $0.key < $1.key }.flatMap(\.value)
                return (attempt.plan, CellsAnswer(accepted: changes.count - faults.count, faults: found))
            }
            faults.merge(attempt.faults) { first, _ in first }
            if mode == .all { throw FaultList(faults.sorted { $0.key < $1.key }.flatMap(\.value)) }
        }
    }

    /// One try: the plan, or faults that were not known before.
    private func attempt(
        _ changes: [CellChange], leavingOut known: [Int: [Fault]], _ operation: String, _ reason: String?,
        _ truth: any ClassTruth
    ) throws -> (plan: ActPlan, faults: [Int: [Fault]]) {
        var books = ClassBooks(self, truth.snapshot.structure)
        var faults: [Int: [Fault]] = [:]
        let before = Dictionary(
            try truth.rows(Array(Set(changes.map(\.enrolment)))).map { ($0.enrolment.id, $0) },
            uniquingKeysWith: { first, _ in first })
        var after = before
        for (index, change) in changes.enumerated() where known[index] == nil {
            let place = "/cells" + JSONPointer.step(index)
            do {
                try apply(change, to: &after, &books, truth)
            } catch let list as FaultList {
                faults[index] = list.faults.map { $0.prefixed(place) }
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
            try follow(plan.rows, &books, truth, in: &plan)
        } catch let refused as RowsRefused {
            return (plan, blame(changes, for: refused, known, &books, truth))
        }
        return (plan, [:])
    }

    private func apply(
        _ change: CellChange, to rows: inout [EnrolmentID: EnrolledRow], _ books: inout ClassBooks,
        _ truth: any ClassTruth
    ) throws {
        guard var enrolled = rows[change.enrolment] else { throw FaultList([Fault(.enrolmentUnknown, at: "/row")]) }
        guard !enrolled.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolmentEnded, at: "/row")]) }
        guard let line = books.structure.line(change.line) else {
            throw FaultList([Fault(.lineUnknown, at: "/line")])
        }
        guard let head = try truth.record(enrolled.enrolment.record)?.head,
            let column = try books.book(head.programVersion).columns[line.number]
        else { throw FaultList([Fault(.notACell, at: "/line")]) }
        enrolled.row[line.number] = try column.cell(enrolled.row[line.number], after: change) {
            try books.author(of: change.enrolment, line.number, in: truth)
        }
        rows[change.enrolment] = enrolled
    }

    /// The changes that a refusal is about: those in the lines that it names, or all of the row.
    private func blame(
        _ changes: [CellChange], for refused: RowsRefused, _ known: [Int: [Fault]], _ books: inout ClassBooks,
        _ truth: any ClassTruth
    ) -> [Int: [Fault]] {
        var faults: [Int: [Fault]] = [:]
        for (enrolment, found) in refused.rows {
            let mine = changes.indices.filter { known[$0] == nil && changes[$0].enrolment == enrolment }
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
