public import Classes
public import GradingKit
import Records
public import Shared

/// The requested change of the work under one code.
public struct SealedCellChange: Sendable, Equatable {
    /// The code.
    public let code: String
    /// The change; it names no row.
    public let change: CellChange

    /// The most faults in one answer, because adding a fault compares it with all earlier ones.
    private static let faultLimit = 100

    /// A change of the work under a code.
    public init(_ code: String, _ change: CellChange) {
        self.code = code
        self.change = change
    }

    /// Reads `[{"code","value"?,…}]` for a line, with all faults at once.
    public static func list(_ json: JSON, in line: LineID, at path: String) throws(FaultList) -> [SealedCellChange] {
        guard let elements = json.array else {
            throw FaultList([Fault(json.isNull ? .missingField : .wrongType, at: path, ["expected": "array"])])
        }
        guard elements.count <= ClassLimits.students else {
            throw FaultList([Fault(.entryLimit, at: path, ["limit": .number(String(ClassLimits.students))])])
        }
        var (changes, faults) = ([SealedCellChange](), FaultList())
        for (index, element) in elements.enumerated() where faults.faults.count < faultLimit {
            let place = path + JSONPointer.step(index)
            guard let code = element["code"]?.string else {
                faults.add(.missingField, at: place + "/code")
                continue
            }
            do {
                let change = try CellChange(element, EnrolmentID(""), line, at: place, besides: ["code"])
                if change.mark != nil { faults.add(.unknownField, at: place + "/mark") }
                if change.isHeldBack != nil { faults.add(.unknownField, at: place + "/held") }
                changes.append(SealedCellChange(code, change))
            } catch {
                for fault in error.faults { faults.add(fault) }
            }
        }
        try faults.check()
        return changes
    }
}

extension Gradebook {
    /// The name in the ledger of the act that reveals the students of results.
    static let revealing = "reveal"

    /// Enters results under codes. No row changes, so nothing reveals the students.
    ///
    /// - Parameters:
    ///   - scope: the cells in which the author may enter results. Codes reveal no groups, so an author limited to
    ///     groups cannot enter anything.
    ///   - own: the codes of the author's own work, and of the work of people behind a service account.
    /// - Throws: `FaultList` with every fault by its place, in mode `all`; `class_closed`, `line_unknown`, `not_anonymous`,
    ///   `line_not_assigned`, `row_not_assigned`, `line_locked`, `about_oneself`.
    public func enterSealed(
        _ changes: [SealedCellChange], in line: LineID, _ mode: CellMode, within scope: GraderScope = .everything,
        but own: Set<String> = [], in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        let (head, structure) = (ground.snapshot.head, ground.snapshot.structure)
        guard head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard let marked = structure.line(line) else { throw FaultList([Fault(.lineUnknown, at: "/line")]) }
        let book = try ClassBook(structure, under: try newestRules())
        guard marked.marking == .anonymous, let column = book.columns[marked.number], let sealed = ground.sealed else {
            throw FaultList([Fault(.notAnonymous, at: "/line")])
        }
        guard structure.holds(line, within: scope.lines) else {
            throw FaultList([Fault(.lineNotAssigned, at: "/line")])
        }
        guard scope.groups == nil else { throw FaultList([Fault(.rowNotAssigned, at: "/line")]) }
        try Self.checkLock(of: marked, in: ground.snapshot)
        let known = Set(sealed.codes(of: line).list)
        let before = Dictionary(sealed.cells.map { ($0.code, $0.cell) }, uniquingKeysWith: { first, _ in first })
        var (after, faults) = (before, [Fault]())
        let repeated = Self.doubled(changes.map { ($0.code, $0.change) })
        for (index, change) in changes.enumerated() {
            let place = "/cells" + JSONPointer.step(index)
            if let found = repeated[index] {
                faults += found
                continue
            }
            guard known.contains(change.code) else {
                faults.append(Fault(.codeUnknown, at: place + "/code"))
                continue
            }
            guard !own.contains(change.code) else {
                faults.append(Fault(.aboutOneself, at: place + "/code"))
                continue
            }
            do {
                let cell = try column.cell(after[change.code] ?? ClassCell(), after: change.change)
                try book.check(cell, in: column)
                after[change.code] = cell
            } catch {
                faults += error.faults.map { Self.sealed($0, change.code).prefixed(place) }
            }
        }
        if mode == .all, !faults.isEmpty { throw FaultList(faults) }
        let changed = after.keys.filter { (before[$0] ?? ClassCell()) != (after[$0] ?? ClassCell()) }.sorted()
        var plan = ActPlan("marking")
        if !changed.isEmpty {
            func cells(_ list: [String: ClassCell]) -> [SealedCell] {
                changed.map { SealedCell($0, list[$0] ?? ClassCell()) }
            }
            plan.sealed = .entered(line: marked.number, cells(after))
            plan.lines = [.sealed(marked.number, from: cells(before), to: cells(after))]
        }
        return (plan, CellsAnswer(accepted: changes.count - faults.count, faults: faults))
    }

    /// A conflict that names the code, and no row.
    private static func sealed(_ fault: Fault, _ code: String) -> Fault {
        guard fault.code == .cellConflict else { return fault }
        var arguments = fault.arguments
        arguments["row"] = nil
        arguments["code"] = .string(code)
        return Fault(fault.code, at: fault.path, arguments)
    }

    /// Reveals the students of results: in one act, the work under codes moves to the rows, and one person marks the
    /// line from then on. The work of students who have left also moves to their rows; that of deleted accounts is
    /// removed.
    ///
    /// - Throws: `FaultList`: `class_closed`, `line_unknown`, `not_anonymous`, `line_locked`, `structure_refused` with
    ///   the students for whom the rules refuse the result.
    public func reveal(_ line: LineID, in ground: ActGround) throws -> ActDecision<StructureAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard let marked = ground.snapshot.structure.line(line) else {
            throw FaultList([Fault(.lineUnknown, at: "/line")])
        }
        guard marked.marking == .anonymous, let sealed = ground.sealed else {
            throw FaultList([Fault(.notAnonymous, at: "/line")])
        }
        try Self.checkLock(of: marked, in: ground.snapshot)
        var patch = LinePatch()
        patch.marking = .single
        let structure = try ground.snapshot.structure.applying([.patch(line, patch)], newID: { line })
        let codes = AnonymousCodes(secret: sealed.secret, line: line, students: ground.rows.count).list
        let cells = Dictionary(sealed.cells.map { ($0.code, $0.cell) }, uniquingKeysWith: { first, _ in first })
        var (changed, named): ([EnrolledRow], [String]) = ([], [])
        for (place, row) in ground.rows.enumerated() where codes.indices.contains(place) {
            guard row.enrolment.student != nil, let cell = cells[codes[place]], !cell.isEmpty else { continue }
            var row = row
            row.row[marked.number] = cell
            changed.append(row)
            named.append(codes[place])
        }
        let opened = ground.replacing(changed, [:])
        var (plan, answer) = try replace(
            by: structure, operation: Self.revealing, reason: nil, in: opened, opening: true)
        plan.sealed = .revealed(line: marked.number)
        plan.rows = changed
        // From here on, the ledger links the work under a code to its student.
        let shown = structure.shownLines(ground.snapshot.head.state)
        plan.lines += zip(changed, named).map { row, code in
            let after: JSON = .object([
                String(marked.number): row.row[marked.number].json, "code": .string(code),
            ])
            return ActPlan.Line(
                enrolment: row.enrolment.id, before: Array("{}".utf8), after: after.bytes,
                seen: SeenLines(shown: shown.intersection([marked.number])))
        }
        return (plan, answer)
    }

    private static func checkLock(of line: ClassLine, in snapshot: ClassSnapshot) throws(FaultList) {
        guard snapshot.calendar?.isLocked(line) != true else { throw FaultList([Fault(.lineLocked, at: "/line")]) }
    }

    /// Throws unless every anonymous line stays so until it is revealed, and starts without results.
    static func checkAnonymity(of structure: ClassStructure, in ground: ActGround) throws(FaultList) {
        var faults = FaultList()
        for line in structure.lines {
            let place = "/lines" + JSONPointer.step(line.id.text) + "/marking"
            let isAnonymous = line.marking == .anonymous
            let wasAnonymous = ground.snapshot.structure.line(line.id)?.marking == .anonymous
            if !isAnonymous, wasAnonymous || ground.sealedLines.contains(line.number) {
                faults.add(.anonymousLine, at: place)
            }
            if isAnonymous, ground.rows.contains(where: { $0.row.cells[line.number] != nil }) {
                faults.add(.lineHasResults, at: place)
            }
        }
        try faults.check()
    }
}

extension ClassBook {
    /// Checks a cell under the rules, as if it were the only one in a row.
    func check(_ cell: ClassCell, in column: Column) throws(FaultList) {
        let unknown = Enrolment(
            id: EnrolmentID("-"), classID: ClassID("-"), student: nil, record: RecordID("-"), entry: EntryID("-"),
            since: CalendarDay(days: 0))
        let alone = part(of: EnrolledRow(unknown, ClassRow([column.line.number: cell]), version: 0))
        let faults = try wrong(in: alone).filter { $0.entry?.text == column.line.id.text }
        try FaultList(
            faults.map { fault in
                let isResult = fault.field == nil || fault.field == column.gradeField
                let place = isResult ? "/value" : "/fields" + JSONPointer.step(fault.field ?? "")
                return Fault(fault.code, at: place, fault.arguments)
            }
        ).check()
    }
}
