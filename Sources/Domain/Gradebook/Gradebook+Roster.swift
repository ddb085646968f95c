public import Classes
public import GradingKit
import Records
public import Shared

/// Who is to be enrolled, with the names that are made for it.
public struct EnrolmentRequest: Sendable {
    /// The enrolment's name.
    public let id: EnrolmentID
    /// The student.
    public let student: AccountID
    /// The student's record; `nil` for the one that the student has in the program, or a new one.
    public let record: RecordID?
    /// The name of a new record.
    public let newRecord: RecordID
    /// The name of the entry that stands for the row.
    public let entry: EntryID
    /// The first day.
    public let since: CalendarDay
    /// The version of the program by which a new record is judged.
    public let programVersion: Version

    /// A request.
    public init(
        id: EnrolmentID, student: AccountID, record: RecordID?, newRecord: RecordID, entry: EntryID,
        since: CalendarDay, programVersion: Version
    ) {
        self.id = id
        self.student = student
        self.record = record
        self.newRecord = newRecord
        self.entry = entry
        self.since = since
        self.programVersion = programVersion
    }
}

extension Gradebook {
    /// Puts a student into the class: a row, and an entry of the student's record that stands for it. Who left the class
    /// comes back to the row with its cells.
    ///
    /// - Throws: `FaultList`: `enrolled_already`, `record_ambiguous`, `record_unknown`, `class_full`, `class_closed`, and
    ///   what the record's rules say of the new entry.
    public func enrol(
        _ request: EnrolmentRequest, in ground: ActGround, at moment: Timestamp
    ) throws -> ActDecision<Enrolment> {
        let head = ground.snapshot.head
        guard head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let former = ground.rows.first { $0.enrolment.student == request.student }
        if let former {
            guard former.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolledAlready, at: "/student")]) }
        } else if ground.students >= ClassLimits.students {
            throw FaultList([Fault(.classFull, at: "/student", ["most": .number(String(ClassLimits.students))])])
        }
        let record = try Self.record(request, of: former, among: ground)
        let enrolment = Enrolment(
            id: former?.enrolment.id ?? request.id, classID: head.id, student: request.student,
            record: record?.head.id ?? request.newRecord, entry: former?.enrolment.entry ?? request.entry,
            since: former?.enrolment.since ?? request.since)
        return try enter(
            EnrolledRow(enrolment, former?.row ?? ClassRow(), version: former?.version ?? 0), isBack: former != nil,
            ActPlan("enrol"), newRecordsUnder: request.programVersion, in: ground, at: moment)
    }

    /// The plan of a row that is new, or back, with the entry that stands for it.
    private func enter(
        _ enrolled: EnrolledRow, isBack: Bool, _ plan: ActPlan, newRecordsUnder version: Version,
        in ground: ActGround, at moment: Timestamp
    ) throws -> ActDecision<Enrolment> {
        let (enrolment, head) = (enrolled.enrolment, ground.snapshot.head)
        var plan = plan
        plan.rows = [enrolled]
        plan.lines = [isBack ? .leaving(enrolment.id, false) : .joining(enrolment.id)]
        var books = ClassBooks(self, ground.snapshot.structure, of: head.id)
        guard ground.records[enrolment.record] == nil else {
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

    /// The record in which the entry is to stand: the one that is named, the one in which it stood before, or the only one.
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

    /// Lets a student leave: the row stays and takes no results, and the entry goes from the record unless it is kept.
    ///
    /// - Parameter isKept: whether the entry stays in the record, with the figures that it is given.
    public func withdraw(
        _ id: EnrolmentID, keepingEntry isKept: Bool, operation: String = "withdraw", reason: String? = nil,
        in ground: ActGround
    ) throws -> ActDecision<Enrolment> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard var enrolled = ground.rows.first(where: { $0.enrolment.id == id }) else {
            throw FaultList([Fault(.enrolmentUnknown, at: "/enrolment")])
        }
        var plan = ActPlan(operation, reason: reason)
        if enrolled.enrolment.isWithdrawn { return (plan, enrolled.enrolment) }
        enrolled.enrolment.isWithdrawn = true
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

    /// Puts a student back who left the class, into the record in which the row's entry stood.
    func takeBack(_ id: EnrolmentID, reason: String, in ground: ActGround) throws -> ActDecision<Enrolment> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard var enrolled = ground.rows.first(where: { $0.enrolment.id == id }), enrolled.enrolment.isWithdrawn,
            // The row of an erased student stays empty.
            enrolled.enrolment.student != nil, let record = ground.records[enrolled.enrolment.record]
        else { throw FaultList([Fault(.nothingToTakeBack)]) }
        enrolled.enrolment.isWithdrawn = false
        return try enter(
            enrolled, isBack: true, ActPlan("undo", reason: reason), newRecordsUnder: record.head.programVersion,
            in: ground, at: record.head.createdAt)
    }
}
