import Classes
import GradingKit
import Records
public import Shared

extension Gradebook {
    /// Gives figures of totals beside the computed ones, and statuses of totals, all or none. They count from there
    /// upwards: in letters, in the student's record and its averages.
    ///
    /// - Throws: `FaultList` with every fault by its place, `/rows/{n}`; `needs_reason`, `class_closed`, `about_oneself`.
    public func override(
        _ overrides: [RowOverride], reason: String, by account: AccountID, at moment: Timestamp, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard overrides.count <= ClassLimits.overrides else {
            throw FaultList([Fault(.entryLimit, at: "/rows", ["limit": .number(String(ClassLimits.overrides))])])
        }
        guard !reason.allSatisfy(\.isWhitespace) else { throw FaultList([Fault(.needsReason, at: "/reason")]) }
        let note = GivenNote(author: account.text, time: moment.description, reason: reason)
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var (rows, faults) = (
            Dictionary(ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first }),
            FaultList()
        )
        for (index, override) in overrides.enumerated() {
            let place = "/rows" + JSONPointer.step(index)
            do {
                if let row = rows[override.enrolment], isOwn(row.enrolment, of: account) {
                    throw FaultList([Fault(.aboutOneself, at: "/row")])
                }
                rows[override.enrolment] = try overridden(
                    rows[override.enrolment], by: override, note, &books, ground)
            } catch let found as FaultList {
                for fault in found.faults { faults.add(fault.prefixed(place)) }
            } catch let unusable as RowUnusable {
                faults.add(unusable.fault.prefixed(place + "/row"))
            }
        }
        try faults.check()
        return (
            try plan(of: rows, operation: "override", reason: reason, &books, ground),
            CellsAnswer(accepted: overrides.count, faults: [])
        )
    }

    private func overridden(
        _ row: EnrolledRow?, by override: RowOverride, _ note: GivenNote, _ books: inout ClassBooks,
        _ ground: ActGround
    ) throws -> EnrolledRow {
        guard var row else { throw FaultList([Fault(.enrolmentUnknown, at: "/row")]) }
        guard !row.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolmentEnded, at: "/row")]) }
        guard let head = ground.records[row.enrolment.record]?.head else {
            throw RowUnusable(fault: Fault(.recordUnreadable))
        }
        let book = try books.book(head.programVersion)
        let names = book.rules.rules.shownFigures(of: Kind(book.structure.root.kind)).map(\.name)
        let stored = row.row.given
        let known = book.named(stored)
        row.row.given = known
        var faults = FaultList()
        for member in override.figures {
            // The grid shows figures under their newest names; the student's rules may be older.
            let name = book.figureAliases.own(of: member.name) ?? member.name
            let (path, now) = ("/figures" + JSONPointer.step(member.name), row.row.given.figures[name]?.value)
            // Values given under earlier rules can be taken back.
            guard names.contains(name) || now != nil && member.value.isNull else {
                faults.add(.unknownField, at: path)
                continue
            }
            if let seen = override.seen[member.name], Self.value(seen) != now {
                let value: JSON = now.map { .string($0.decimalText ?? $0.description) } ?? .null
                faults.add(Fault(.givenChanged, at: path, ["value": value]))
                continue
            }
            if member.value.isNull {
                row.row.given.figures[name] = nil
                continue
            }
            switch GivenValues.figure(member.value) {
            case .success(let value): row.row.given.figures[name] = GivenValue(value, note: note)
            case .failure(let fault): faults.add(fault.prefixed(path))
            }
        }
        // A rename alone is no change.
        if row.row.given == known { row.row.given = stored }
        if let fault = setStatus(of: &row.row, by: override, in: book) { faults.add(fault) }
        try faults.check()
        return row.row.given == stored ? row : try noted(row, in: book)
    }

    /// Gives the total of a row the requested status, if the author's condition holds.
    private func setStatus(of row: inout ClassRow, by override: RowOverride, in book: ClassBook) -> Fault? {
        guard let asked = override.status else { return nil }
        let status = asked.string.flatMap { Status(rawValue: $0) }
        guard asked.isNull || status.map({ book.statuses.contains($0) }) ?? false else {
            return Fault(.outOfRange, at: "/status", .allowing(book.statuses.map(\.rawValue)))
        }
        if status == row.status { return nil }
        if let seen = override.seenStatus, seen.string != row.status?.rawValue {
            return Fault(
                .givenChanged, at: "/status", ["value": row.status.map { .string($0.rawValue) } ?? .null])
        }
        row.status = status
        return nil
    }

    private static func value(_ seen: JSON) -> Exact? {
        guard case .success(let value) = GivenValues.figure(seen) else { return nil }
        return value
    }

    /// The row with the computed value noted beside each newly given one.
    private func noted(_ row: EnrolledRow, in book: ClassBook) throws(FaultList) -> EnrolledRow {
        guard !row.row.given.isEmpty else { return row }
        var row = row
        let noted = try book.rules.rules.notingComputed(book.part(of: row))
        row.row.given = noted.givenByPeople(to: row.enrolment.entry) ?? GivenValues()
        return row
    }

    private func plan(
        of rows: [EnrolmentID: EnrolledRow], operation: String, reason: String, _ books: inout ClassBooks,
        _ ground: ActGround
    ) throws -> ActPlan {
        var plan = ActPlan(operation, reason: reason)
        for old in ground.rows {
            guard let row = rows[old.enrolment.id], row.row != old.row else { continue }
            plan.rows.append(row)
            var before = old.row
            if before.given != row.row.given { before.given = named(before.given, of: old, &books, ground) }
            plan.lines.append(Self.line(of: row.enrolment.id, from: before, to: row.row, in: ground.snapshot))
        }
        do {
            if let fault = try follow(plan.rows, &books, ground, in: &plan).values.first { throw FaultList([fault]) }
        } catch let refused as RowsRefused {
            throw FaultList(refused.rows.flatMap(\.faults).map { Fault($0.code, $0.arguments) })
        }
        return plan
    }

    /// What people gave a row's total, under the names of the rules that judge the row.
    private func named(
        _ given: GivenValues, of row: EnrolledRow, _ books: inout ClassBooks, _ ground: ActGround
    ) -> GivenValues {
        guard let head = ground.records[row.enrolment.record]?.head, let book = try? books.book(head.programVersion)
        else { return given }
        return book.named(given)
    }

    // MARK: - Taken back

    /// A total on one side of a ledger line: given figures, and the status. What the line does not mention is `nil`.
    struct Total: Equatable {
        let given: GivenValues?
        let status: Status??

        /// Whether the row has this total.
        func stands(in row: ClassRow) -> Bool {
            (given.map { $0 == row.given } ?? true) && (status.map { $0 == row.status } ?? true)
        }
    }

    /// The total on one side of a ledger line; `nil` if the line does not mention it.
    static func total(_ text: [UInt8]?) -> Total? {
        guard let json = text.flatMap({ try? JSON.parse($0) }), json["given"] != nil || json["status"] != nil else {
            return nil
        }
        let status = json["status"].map { $0.string.flatMap { Status(rawValue: $0) } }
        return Total(given: json["given"].flatMap { GivenValues($0) }, status: status)
    }

    /// Takes back an act that gave figures and statuses: if they are unchanged, the earlier ones return. Those that
    /// others have changed since stay, and are named below `/rows/{enrolment}`; so does the author's own total.
    func regive(
        _ lines: [LedgerLine], reason: String, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        var rows = Dictionary(ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (accepted, faults) = (0, [Fault]())
        for line in lines {
            guard let id = line.enrolment, let before = Self.total(line.before), let after = Self.total(line.after)
            else { continue }
            let place = "/rows" + JSONPointer.step(id.text)
            guard let row = rows[id], !row.enrolment.isWithdrawn else {
                faults.append(Fault(.enrolmentEnded, at: place))
                continue
            }
            if isOwn(row.enrolment, of: account) {
                faults.append(Fault(.aboutOneself, at: place))
                continue
            }
            // Names of figures may have changed since the act.
            var now = row.row
            now.given = named(now.given, of: row, &books, ground)
            let sides = [before, after].map { side in
                Total(given: side.given.map { named($0, of: row, &books, ground) }, status: side.status)
            }
            guard sides.contains(where: { $0.stands(in: now) }) else {
                faults.append(Fault(.givenChanged, at: place))
                continue
            }
            if let given = sides[0].given { rows[id]?.row.given = given }
            if let status = before.status { rows[id]?.row.status = status }
            accepted += 1
        }
        let plan = try plan(of: rows, operation: "undo", reason: reason, &books, ground)
        return (plan, CellsAnswer(accepted: accepted, faults: faults))
    }
}
