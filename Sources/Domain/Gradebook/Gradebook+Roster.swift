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
    /// Puts a student into the class: a row, and an entry of the student's record that stands for it.
    ///
    /// - Throws: `FaultList`: `enrolled_already`, `record_ambiguous`, `record_unknown`, `class_closed`, and what the
    ///   record's rules say of the new entry.
    public func enrol(
        _ request: EnrolmentRequest, in truth: any ClassTruth, at moment: Timestamp
    ) throws -> (plan: ActPlan, value: Enrolment) {
        let head = truth.snapshot.head
        guard head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let rows = try truth.rows(nil)
        if rows.contains(where: { $0.enrolment.student == request.student }) {
            throw FaultList([Fault(.enrolledAlready, at: "/student")])
        }
        guard rows.count < ClassLimits.students else {
            throw FaultList([Fault(.classFull, at: "/student", ["most": .number(String(ClassLimits.students))])])
        }
        let known = try truth.records(of: request.student)
        let record = try Self.record(request, among: known)
        let enrolment = Enrolment(
            id: request.id, classID: head.id, student: request.student,
            record: record?.head.id ?? request.newRecord, entry: request.entry, since: request.since)
        let enrolled = EnrolledRow(enrolment, ClassRow(), version: 0)
        var plan = ActPlan("enrol")
        plan.rows = [enrolled]
        plan.lines = [ActPlan.Line(enrolment: request.id, before: nil, after: Array("{}".utf8))]
        var books = ClassBooks(self, truth.snapshot.structure)
        if record != nil {
            do {
                try follow([enrolled], &books, truth, in: &plan)
            } catch let refused as RowsRefused {
                throw FaultList(refused.rows.flatMap(\.faults).map { ClassBook.placed($0) })
            }
            return (plan, enrolment)
        }
        let judged = try books.book(request.programVersion).judged(enrolled)
        let new = RecordHead(
            id: request.newRecord, institution: head.institution, program: head.program,
            programVersion: request.programVersion, student: request.student, createdAt: moment)
        let amendment = try rules(request.programVersion).creation(
            byClass: [.put(request.entry, of: judged.part, as: judged.given, parent: nil)], head: new)
        plan.newRecords = [(new, amendment)]
        return (plan, enrolment)
    }

    private static func record(
        _ request: EnrolmentRequest, among known: [RecordSnapshot]
    ) throws(FaultList) -> RecordSnapshot? {
        if let named = request.record {
            guard let record = known.first(where: { $0.head.id == named }) else {
                throw FaultList([Fault("record_unknown", at: "/record")])
            }
            return record
        }
        guard known.count < 2 else { throw FaultList([Fault(.recordAmbiguous, at: "/record")]) }
        return known.first
    }

    /// Lets a student leave: the row stays and takes no results, and the entry goes from the record unless it is kept.
    ///
    /// - Parameter isKept: whether the entry stays in the record as it stands.
    public func withdraw(
        _ id: EnrolmentID, keepingEntry isKept: Bool, in truth: any ClassTruth
    ) throws -> (plan: ActPlan, value: Enrolment) {
        guard truth.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard var enrolled = try truth.rows([id]).first else {
            throw FaultList([Fault(.enrolmentUnknown, at: "/enrolment")])
        }
        var plan = ActPlan("withdraw")
        if enrolled.enrolment.isWithdrawn { return (plan, enrolled.enrolment) }
        enrolled.enrolment.isWithdrawn = true
        plan.rows = [enrolled]
        plan.lines = [ActPlan.Line(enrolment: id, before: nil, after: Array(#"{"withdrawn":true}"#.utf8))]
        if !isKept, let snapshot = try truth.record(enrolled.enrolment.record) {
            let rules = try rules(snapshot.head.programVersion)
            if try rules.visibleTree(of: snapshot, view: .full).entry(enrolled.enrolment.entry) != nil {
                let amendment = try rules.amendment(
                    of: snapshot, byClass: [.remove(enrolled.enrolment.entry)], reason: truth.snapshot.head.id.text)
                plan.amendments = [(snapshot.head.id, amendment)]
            }
        }
        return (plan, enrolled.enrolment)
    }

    /// Says who teaches the class: at least one teacher.
    ///
    /// - Throws: `FaultList` with `teacher_needed` or `entry_limit`.
    public func staff(
        _ staff: [ClassStaff], in truth: any ClassTruth
    ) throws -> (plan: ActPlan, value: [ClassStaff]) {
        guard staff.contains(where: { $0.role == .teacher }) else {
            throw FaultList([Fault(.teacherNeeded, at: "/staff")])
        }
        guard staff.count <= ClassLimits.staff, Set(staff.map(\.account)).count == staff.count else {
            throw FaultList([Fault(.entryLimit, at: "/staff", ["limit": .number(String(ClassLimits.staff))])])
        }
        var plan = ActPlan("staff")
        if staff != truth.snapshot.staff { plan.staff = staff }
        return (plan, staff)
    }
}
