public import Classes
public import GradingKit
import Records
import Shared

/// Whether an act on many cells is carried out as a whole, or only its accepted changes.
public enum CellMode: String, Sendable, CaseIterable {
    /// All changes or none.
    case all
    /// The accepted changes, with every fault by its place.
    case each
}

/// The result of an act on cells.
public struct CellsAnswer: Sendable, Equatable {
    /// The number of cells with the requested content, including those that had it before.
    public let accepted: Int
    /// The faults by the places of the changes, `/cells/{n}`.
    public let faults: [Fault]

    /// Creates a result.
    public init(accepted: Int, faults: [Fault]) {
        self.accepted = accepted
        self.faults = faults
    }
}

extension Gradebook {
    /// Enters results.
    ///
    /// - Parameters:
    ///   - scope: the cells in which the author may enter results.
    ///   - marker: the person who enters, if two people mark; `nil` for results that replace marks.
    /// - Throws: `FaultList` with every fault by its place, in mode `all`; `class_closed`.
    public func enter(
        _ changes: [CellChange], _ mode: CellMode, operation: String = "cells", reason: String?,
        within scope: GraderScope = .everything, by marker: Marker? = nil, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let barred = unassigned(changes, within: scope, in: ground)
            .merging(Self.locked(changes, in: ground.snapshot)) { first, _ in first }
            .merging(Self.doubled(changes.map { ($0.enrolment.text, $0) })) { first, _ in first }
        return try put(
            changes, mode, operation: operation, reason: reason, leavingOut: barred, by: marker, in: ground)
    }

    /// Puts results into cells, whatever the state of the class and its periods.
    ///
    /// - Parameter barred: the changes that are refused already, by their places.
    func put(
        _ changes: [CellChange], _ mode: CellMode, operation: String, reason: String?,
        leavingOut barred: [Int: [Fault]] = [:], by marker: Marker? = nil, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        var faults = barred
        if mode == .all { try FaultList(faults.sorted { $0.key < $1.key }.flatMap(\.value)).check() }
        // Each round leaves out what the rules refused in the round before, so there are no more rounds than changes.
        while true {
            let attempt = try attempt(changes, by: marker, leavingOut: faults, operation, reason, ground)
            if attempt.faults.isEmpty {
                let found = faults.sorted { $0.key < $1.key }.flatMap(\.value)
                return (attempt.plan, CellsAnswer(accepted: changes.count - faults.count, faults: found))
            }
            faults.merge(attempt.faults) { first, _ in first }
            if mode == .all { throw FaultList(faults.sorted { $0.key < $1.key }.flatMap(\.value)) }
        }
    }

    /// The changes in cells in which the author may not enter results.
    func unassigned(
        _ changes: [CellChange], within scope: GraderScope, in ground: ActGround
    ) -> [Int: [Fault]] {
        if scope == .everything { return [:] }
        let allowed = scope.lines.map { ground.snapshot.structure.lines(within: $0) }
        let barred = Set(ground.rows.filter { !scope.holds($0.enrolment) }.map(\.enrolment.id))
        let own = Set(ground.rows.filter { isOwn($0.enrolment, of: scope.author) }.map(\.enrolment.id))
        var faults: [Int: [Fault]] = [:]
        for (index, change) in changes.enumerated() {
            let place = "/cells" + JSONPointer.step(index)
            if allowed?.contains(change.line) == false {
                faults[index] = [Fault(.lineNotAssigned, at: place + "/line")]
            }
            if barred.contains(change.enrolment) {
                faults[index, default: []].append(Fault(.rowNotAssigned, at: place + "/row"))
            }
            if own.contains(change.enrolment) {
                faults[index, default: []].append(Fault(.aboutOneself, at: place + "/row"))
            }
        }
        return faults
    }

    /// The changes in lines whose period is locked.
    private static func locked(_ changes: [CellChange], in snapshot: ClassSnapshot) -> [Int: [Fault]] {
        guard let calendar = snapshot.calendar, calendar.hasLocks else { return [:] }
        let locked = Set(snapshot.structure.lines.filter { calendar.isLocked($0) }.map(\.id))
        var faults: [Int: [Fault]] = [:]
        for (index, change) in changes.enumerated() where locked.contains(change.line) {
            faults[index] = [Fault(.lineLocked, at: "/cells" + JSONPointer.step(index) + "/line")]
        }
        return faults
    }

    /// The changes that set the same part of a cell several times, unless each later one says what it found there: two
    /// results do not show which is meant.
    ///
    /// - Parameter changes: the changes, each with the identifier of its row or with its anonymous code.
    static func doubled(_ changes: [(row: String, change: CellChange)]) -> [Int: [Fault]] {
        struct Place: Hashable {
            let row: String
            let line: LineID
            let part: CellChange.Part
        }
        var places: [Place: [Int]] = [:]
        for (index, (row, change)) in changes.enumerated() {
            for part in change.parts {
                places[Place(row: row, line: change.line, part: part), default: []].append(index)
            }
        }
        var faults: [Int: [Fault]] = [:]
        for (place, indices) in places
        where indices.dropFirst().contains(where: { !changes[$0].change.knows(place.part) }) {
            for index in indices { faults[index] = [Fault(.cellTwice, at: "/cells" + JSONPointer.step(index))] }
        }
        return faults
    }

    /// One attempt: the plan, or new faults.
    private func attempt(
        _ changes: [CellChange], by marker: Marker?, leavingOut known: [Int: [Fault]], _ operation: String,
        _ reason: String?, _ ground: ActGround
    ) throws -> (plan: ActPlan, faults: [Int: [Fault]]) {
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var faults: [Int: [Fault]] = [:]
        let before = Dictionary(
            ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var after = before
        for (index, change) in changes.enumerated() where known[index] == nil {
            let place = "/cells" + JSONPointer.step(index)
            do {
                try apply(change, by: marker, to: &after, &books, ground)
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
            plan.lines.append(Self.line(of: id, from: old.row, to: row.row, in: ground.snapshot))
        }
        do {
            let unusable = try follow(plan.rows, &books, ground, in: &plan)
            return (plan, Self.blame(changes, for: unusable, known))
        } catch let refused as RowsRefused {
            return (plan, Self.blame(changes, for: refused, known))
        }
    }

    private func apply(
        _ change: CellChange, by marker: Marker?, to rows: inout [EnrolmentID: EnrolledRow],
        _ books: inout ClassBooks, _ ground: ActGround
    ) throws {
        guard let enrolled = rows[change.enrolment] else { throw FaultList([Fault(.enrolmentUnknown, at: "/row")]) }
        guard !enrolled.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolmentEnded, at: "/row")]) }
        guard let head = ground.records[enrolled.enrolment.record]?.head else {
            throw RowUnusable(fault: Fault(.recordUnreadable))
        }
        let book = try books.book(head.programVersion)
        guard let line = book.number(of: change.line) else { throw FaultList([Fault(.lineUnknown, at: "/line")]) }
        guard let column = book.columns[line] else { throw FaultList([Fault(.notACell, at: "/line")]) }
        guard column.line.marking != .anonymous else { throw FaultList([Fault(.anonymousLine, at: "/line")]) }
        let cell = try column.cell(enrolled.row[line], after: change, by: marker)
        // A mark is no result yet, so the row's rules do not check it.
        if change.mark != nil, let mark = cell.marks.first(where: { $0.account == marker?.account }) {
            try book.check(mark.value, in: column, of: enrolled)
        }
        rows[change.enrolment]?.row[line] = cell
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

    /// The changes to which a refusal applies: those in the lines that it names, or all of the row.
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
                faults[index] = about.map { fault in
                    // A field that the change does not set is to blame as little as the result.
                    let field = fault.field.flatMap { changes[index].fields[$0] == nil ? nil : $0 }
                    let place = field.map { "/fields" + JSONPointer.step($0) } ?? ""
                    return Fault(fault.code, at: "/cells" + JSONPointer.step(index) + place, fault.arguments)
                }
            }
        }
        return faults
    }

    /// The ledger's entry about a row: the changed cells, and the given figures and the status of the total if they
    /// changed.
    ///
    /// - Parameter snapshot: the class, which decides what the student sees of it.
    static func line(
        of id: EnrolmentID, from old: ClassRow, to new: ClassRow, in snapshot: ClassSnapshot
    ) -> ActPlan.Line {
        let numbers = Set(old.cells.keys).union(new.cells.keys).filter { old[$0] != new[$0] }.sorted()
        func text(_ row: ClassRow) -> [UInt8] {
            var object = JSONObject()
            for number in numbers { object[String(number)] = row[number].json }
            if old.given != new.given { object["given"] = row.given.json }
            if old.status != new.status { object["status"] = row.status.map { .string($0.rawValue) } ?? .null }
            return JSON.object(object).bytes
        }
        var shown = snapshot.shownLines.intersection(numbers)
        if old.status != new.status, snapshot.isThereForStudents { shown.insert(ClassStructure.rootNumber) }
        return ActPlan.Line(enrolment: id, before: text(old), after: text(new), seen: SeenLines(shown: shown))
    }
}
