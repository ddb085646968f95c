public import Classes
public import GradingKit
import Records
public import Shared

/// What happens to lines that were due before a student joined the class.
public enum EarlierWork: String, Sendable, CaseIterable {
    /// They stay open.
    case open
    /// The work is missing.
    case missing
    /// The student is excused from it.
    case excused
}

/// An enrolment request, with new identifiers for it.
public struct EnrolmentRequest: Sendable {
    /// The identifier of the enrolment.
    public let id: EnrolmentID
    /// The student.
    public let student: AccountID
    /// The student's record; `nil` for the only one in the program, or a new one.
    public let record: RecordID?
    /// The identifier of a new record.
    public let newRecord: RecordID
    /// The identifier of the entry that stands for the row.
    public let entry: EntryID
    /// The section of the class; `nil` for none.
    public let section: SectionID?
    /// The first day.
    public let since: CalendarDay
    /// What happens to lines that were due before that day.
    public let earlier: EarlierWork
    /// The entry of the record that the row's entry replaces; `nil` for none.
    public let replaced: EntryID?
    /// The version of the program that judges a new record.
    public let programVersion: Version

    /// A request.
    public init(
        id: EnrolmentID, student: AccountID, record: RecordID?, newRecord: RecordID, entry: EntryID,
        section: SectionID? = nil, since: CalendarDay, earlier: EarlierWork = .open, replacing replaced: EntryID? = nil,
        programVersion: Version
    ) {
        self.id = id
        self.student = student
        self.record = record
        self.newRecord = newRecord
        self.entry = entry
        self.section = section
        self.since = since
        self.earlier = earlier
        self.replaced = replaced
        self.programVersion = programVersion
    }
}

extension Gradebook {
    /// Puts a student into the class, with a row and an entry of the student's record that stands for it. The entry
    /// replaces another one if the request says so. A student who left the class returns to the same row with its
    /// cells.
    ///
    /// - Parameters:
    ///   - cells: the initial cells of a new row, by the numbers of lines; the columns must accept them.
    ///   - reason: the reason, for the ledger.
    /// - Throws: `FaultList`: `enrolled_already`, `record_ambiguous`, `record_unknown`, `class_full`, `class_closed`,
    ///   `section_unknown`, `out_of_range` if a line that was due before does not accept the status, `entry_not_found`,
    ///   `wrong_kind` or `class_entry` for an entry that cannot be replaced, and the faults of the new entry under the
    ///   record's rules.
    public func enrol(
        _ request: EnrolmentRequest, carrying cells: [Int: ClassCell] = [:], reason: String? = nil,
        in ground: ActGround, at moment: Timestamp
    ) throws -> ActDecision<Enrolment> {
        let head = ground.snapshot.head
        guard head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let former = ground.rows.first { $0.enrolment.student == request.student }
        if let former {
            guard former.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolledAlready, at: "/student")]) }
        } else if ground.students >= ClassLimits.students {
            throw FaultList([Fault(.classFull, at: "/student", ["most": .number(String(ClassLimits.students))])])
        }
        if let section = request.section, ground.snapshot.structure.section(section) == nil {
            throw FaultList([Fault(.sectionUnknown, at: "/section")])
        }
        let record = try Self.record(request, of: former, among: ground)
        let structure = ground.snapshot.structure
        let enrolment = Enrolment(
            id: former?.enrolment.id ?? request.id, classID: head.id, student: request.student,
            record: record?.head.id ?? request.newRecord, entry: former?.enrolment.entry ?? request.entry,
            section: request.section ?? former?.enrolment.section.flatMap { structure.section($0)?.id },
            groups: former?.enrolment.groups ?? GroupPlaces(),
            since: former?.enrolment.since ?? request.since)
        let version = record?.head.programVersion ?? request.programVersion
        let carried = (former?.row.cells ?? [:]).merging(cells) { own, _ in own }
        let row = try row(ClassRow(carried), of: request, under: version, in: ground)
        return try enter(
            EnrolledRow(enrolment, row, version: former?.version ?? 0), isBack: former != nil,
            ActPlan("enrol", reason: reason), replacing: request.replaced, newRecordsUnder: request.programVersion,
            in: ground, at: moment)
    }

    /// The initial row of a student: empty cells that were due before the first day are missing or excused.
    private func row(
        _ row: ClassRow, of request: EnrolmentRequest, under version: Version, in ground: ActGround
    ) throws -> ClassRow {
        guard request.earlier != .open else { return row }
        var (books, row, faults) = (
            ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id), row, FaultList()
        )
        let drafts = ground.snapshot.structure.drafts
        for (number, column) in try books.book(version).columns.sorted(by: { $0.key < $1.key }) {
            guard column.gradeField != nil, let due = column.line.due, due < request.since,
                !drafts.contains(column.line.id),
                row.cells[number] == nil,
                column.line.marking != .anonymous, ground.snapshot.calendar?.isLocked(column.line) != true
            else { continue }
            let change = CellChange(request.id, column.line.id, status: .string(request.earlier.rawValue))
            do {
                row[number] = try column.cell(ClassCell(), after: change)
            } catch {
                for fault in error.faults { faults.add(Fault(fault.code, at: "/earlier", fault.arguments)) }
            }
        }
        try faults.check()
        return row
    }

    /// Plans a new or returning row, with the entry that stands for it.
    private func enter(
        _ enrolled: EnrolledRow, isBack: Bool, _ plan: ActPlan, replacing replaced: EntryID? = nil,
        newRecordsUnder version: Version, in ground: ActGround, at moment: Timestamp
    ) throws -> ActDecision<Enrolment> {
        let (enrolment, head) = (enrolled.enrolment, ground.snapshot.head)
        var plan = plan
        plan.rows = [enrolled]
        plan.lines = [
            isBack
                ? .leaving(enrolment.id, false)
                : .joining(enrolment.id, with: enrolled.row, shown: ground.snapshot.shownLines)
        ]
        var books = ClassBooks(self, ground.snapshot.structure, of: head.id)
        let record = ground.records[enrolment.record]
        if let replaced {
            guard let record else { throw FaultList([Fault(.entryNotFound, at: "/replaces")]) }
            plan.amendments = [
                (record.head.id, try replacement(of: replaced, by: enrolled, in: record, &books, ground))
            ]
            return (plan, enrolment)
        }
        guard record == nil else {
            do {
                let unusable = try follow([enrolled], &books, ground, in: &plan)
                if let fault = unusable.values.first { throw FaultList([fault.prefixed("/record")]) }
            } catch let refused as RowsRefused {
                throw FaultList(refused.rows.flatMap(\.faults).map { ClassBook.placed($0) })
            }
            return (plan, enrolment)
        }
        let judged = try books.book(version).judged(enrolled)
        try FaultList(judged.faults.map { ClassBook.placed($0) }).check()
        let new = RecordHead(
            id: enrolment.record, institution: head.institution, program: head.program, programVersion: version,
            student: enrolment.student, createdAt: moment)
        let amendment = try rules(version).creation(
            byClass: [.put(enrolment.entry, of: judged.part, as: judged.given, parent: nil)], head: new)
        plan.newRecords = [(new, amendment)]
        return (plan, enrolment)
    }

    /// The record after the row's entry has replaced another one.
    private func replacement(
        of replaced: EntryID, by enrolled: EnrolledRow, in record: RecordSnapshot, _ books: inout ClassBooks,
        _ ground: ActGround
    ) throws -> Amendment {
        do {
            let rules = try rules(record.head.programVersion)
            let book = try books.book(record.head.programVersion)
            let tree = try rules.visibleTree(of: record, view: .full)
            let kind = Kind(book.structure.root.kind)
            if let refusal = rules.rules.refusal(ofReplacing: replaced, by: kind, in: tree) {
                throw FaultList([Fault(refusal, at: "/replaces")])
            }
            let judged = try book.judged(enrolled)
            try FaultList(judged.faults.map { ClassBook.placed($0) }).check()
            return try rules.amendment(
                of: record,
                byClass: [
                    .remove(replaced), .put(enrolled.enrolment.entry, of: judged.part, as: judged.given, parent: nil),
                ], reason: ground.snapshot.head.id.text)
        } catch let unusable as RowUnusable {
            throw FaultList([unusable.fault.prefixed("/record")])
        } catch is RecordUnreadable {
            throw FaultList([Fault(.recordUnreadable, at: "/record")])
        }
    }

    /// The record for the entry: the named one, the one in which it was before, or the only one.
    private static func record(
        _ request: EnrolmentRequest, of former: EnrolledRow?, among ground: ActGround
    ) throws(FaultList) -> RecordSnapshot? {
        if let named = request.record {
            guard ground.ofStudent.contains(named), let record = ground.records[named] else {
                throw FaultList([Fault("record_unknown", at: "/record")])
            }
            return record
        }
        if let former, let record = ground.records[former.enrolment.record] { return record }
        guard ground.ofStudent.count < 2 else { throw FaultList([Fault(.recordAmbiguous, at: "/record")]) }
        return ground.ofStudent.first.flatMap { ground.records[$0] }
    }

    /// Lets a student leave. The row stays but takes no results, and the entry is removed from the record unless it is
    /// kept.
    ///
    /// - Parameters:
    ///   - isKept: whether the entry stays in the record, with its given figures.
    ///   - status: the new status of a kept entry, such as `withdrawn`; `nil` for its current one.
    ///   - account: the account that lets the student leave.
    /// - Throws: `FaultList`: `class_closed`, `enrolment_unknown`, `about_oneself`, `out_of_range` for a status that
    ///   the root does not accept, and the faults of the entry with it under the record's rules.
    public func withdraw(
        _ id: EnrolmentID, keepingEntry isKept: Bool, as status: Status? = nil, operation: String = "withdraw",
        reason: String? = nil, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<Enrolment> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard var enrolled = ground.rows.first(where: { $0.enrolment.id == id }) else {
            throw FaultList([Fault(.enrolmentUnknown, at: "/enrolment")])
        }
        if isOwn(enrolled.enrolment, of: account) { throw FaultList([Fault(.aboutOneself, at: "/enrolment")]) }
        var plan = ActPlan(operation, reason: reason)
        if enrolled.enrolment.isWithdrawn { return (plan, enrolled.enrolment) }
        enrolled.enrolment.isWithdrawn = true
        if isKept, let status { try mark(&enrolled, as: status, in: ground, &plan) }
        plan.rows = [enrolled]
        plan.lines = [.leaving(id, true)]
        if !isKept, let snapshot = ground.records[enrolled.enrolment.record] {
            let rules = try rules(snapshot.head.programVersion)
            if try rules.visibleTree(of: snapshot, view: .full).entry(enrolled.enrolment.entry) != nil {
                let amendment = try rules.amendment(
                    of: snapshot, byClass: [.remove(enrolled.enrolment.entry)], reason: ground.snapshot.head.id.text)
                plan.amendments = [(snapshot.head.id, amendment)]
            }
        }
        return (plan, enrolled.enrolment)
    }

    /// Gives the entry of a leaving student a status.
    private func mark(
        _ enrolled: inout EnrolledRow, as status: Status, in ground: ActGround, _ plan: inout ActPlan
    ) throws {
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        guard let record = ground.records[enrolled.enrolment.record] else {
            throw FaultList([Fault(.recordUnreadable, at: "/record")])
        }
        enrolled.enrolment.leftAs = status
        do {
            let book = try books.book(record.head.programVersion)
            let root = book.rules.rules.shape.kinds.first { $0.kind.name == book.structure.root.kind }
            guard root?.statuses.contains(status) == true else {
                throw FaultList([Fault(.outOfRange, at: "/keep", .allowing(["true", "false"]))])
            }
            let unusable = try follow([enrolled], &books, ground, in: &plan)
            if let fault = unusable.values.first { throw FaultList([fault.prefixed("/record")]) }
        } catch let unusable as RowUnusable {
            throw FaultList([unusable.fault.prefixed("/record")])
        } catch let refused as RowsRefused {
            throw FaultList(refused.rows.flatMap(\.faults).map { ClassBook.placed($0) })
        }
    }

    /// Puts a student who left the class back, into the record that had the row's entry.
    func takeBack(
        _ id: EnrolmentID, reason: String, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<Enrolment> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard var enrolled = ground.rows.first(where: { $0.enrolment.id == id }), enrolled.enrolment.isWithdrawn,
            // The row of an erased student stays empty.
            enrolled.enrolment.student != nil, let record = ground.records[enrolled.enrolment.record]
        else { throw FaultList([Fault(.nothingToTakeBack)]) }
        if isOwn(enrolled.enrolment, of: account) { throw FaultList([Fault(.aboutOneself)]) }
        (enrolled.enrolment.isWithdrawn, enrolled.enrolment.leftAs) = (false, nil)
        return try enter(
            enrolled, isBack: true, ActPlan("undo", reason: reason), newRecordsUnder: record.head.programVersion,
            in: ground, at: record.head.createdAt)
    }
}
