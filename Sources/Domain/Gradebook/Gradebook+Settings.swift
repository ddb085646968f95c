public import Classes
import GradingKit
public import Shared

/// A change of a class's properties; `nil` leaves one unchanged.
public struct ClassPatch: Sendable, Equatable {
    /// The title for people.
    public var title: String?
    /// The stage of the class.
    public var state: ClassHead.State?
    /// Whether students see the results of new lines only after they are posted.
    public var isPostedByHand: Bool?
    /// The year or term of the class; `.some(nil)` for none.
    public var term: TermID??

    /// A change of the class itself.
    public init(
        title: String? = nil, state: ClassHead.State? = nil, isPostedByHand: Bool? = nil, term: TermID?? = nil
    ) {
        self.title = title
        self.state = state
        self.isPostedByHand = isPostedByHand
        self.term = term
    }
}

extension Gradebook {
    /// Changes a class's properties.
    ///
    /// - Parameter calendar: the institution's term that the change names.
    /// - Throws: `FaultList` with `class_closed` for a closed class that is not opened again, `line_locked` for another
    ///   term if lines are locked, and `anonymous_line` for a class that is closed before all results are revealed.
    public func settle(
        _ patch: ClassPatch, to calendar: ClassCalendar? = nil, in ground: ActGround
    ) throws -> ActDecision<ClassSnapshot> {
        let (before, snapshot) = (ground.snapshot.head, ground.snapshot)
        if before.state == .closed, patch.state == nil || patch.state == .closed {
            throw FaultList([Fault(.classClosed)])
        }
        if patch.state == .closed, snapshot.structure.lines.contains(where: { $0.marking == .anonymous }) {
            throw FaultList([Fault(.anonymousLine, at: "/state")])
        }
        var head = before
        head.title = patch.title ?? head.title
        head.state = patch.state ?? head.state
        head.isPostedByHand = patch.isPostedByHand ?? head.isPostedByHand
        if let term = patch.term {
            head.term = term
            if head.term != before.term { try Self.checkLocks(of: snapshot, in: [snapshot.calendar, calendar]) }
        }
        var plan = ActPlan(head.state == before.state ? "class" : head.state == .closed ? "close" : "open")
        if head != before {
            plan.head = head
            let former = snapshot.shownLines
            let shown = snapshot.structure.shownLines(head.state)
            plan.lines = [
                ActPlan.Line(
                    enrolment: nil, before: Self.text(before), after: Self.text(head),
                    seen: SeenLines(shown: shown.subtracting(former), hidden: former.subtracting(shown)))
            ]
        }
        let after = snapshot.changed(head, staff: snapshot.staff, at: snapshot.version)
        return (plan, patch.term == nil ? after : after.moved(to: calendar))
    }

    /// Throws `line_locked` if a line is locked in either term: a class with locked lines stays in its term.
    private static func checkLocks(
        of snapshot: ClassSnapshot, in calendars: [ClassCalendar?]
    ) throws(FaultList) {
        for calendar in calendars {
            guard let calendar, snapshot.structure.lines.contains(where: { calendar.isLocked($0) }) else { continue }
            throw FaultList([Fault(.lineLocked, at: "/term")])
        }
    }

    /// Gives a member of the institution a role in the class, or changes it.
    ///
    /// - Parameter people: the staff who are people. An account that software uses does not count as the class's
    ///   teacher.
    /// - Throws: `FaultList`: `line_unknown`, `group_unknown`, `unknown_field` if a member other than a grader gets
    ///   lines or groups, `teacher_needed`, `entry_limit`.
    public func appoint(
        _ member: ClassStaff, among people: Set<AccountID>, in ground: ActGround
    ) throws -> ActDecision<ClassSnapshot> {
        var faults = FaultList()
        if member.lines != nil, member.role != .grader { faults.add(.unknownField, at: "/lines") }
        if member.groups != nil, member.role != .grader { faults.add(.unknownField, at: "/groups") }
        if member.groups == [] { faults.add(.missingField, at: "/groups") }
        for (index, line) in (member.lines ?? []).enumerated() where ground.snapshot.structure.line(line) == nil {
            faults.add(.lineUnknown, at: "/lines" + JSONPointer.step(index))
        }
        for (index, group) in (member.groups ?? []).enumerated() where ground.snapshot.group(group) == nil {
            faults.add(.groupUnknown, at: "/groups" + JSONPointer.step(index))
        }
        try faults.check()
        let others = ground.snapshot.staff.filter { $0.account != member.account }
        return try staff(others + [member], among: people, about: member.account, in: ground)
    }

    /// Removes an account from the class's staff.
    ///
    /// - Parameter people: the staff who are people.
    /// - Throws: `FaultList` with `teacher_needed`.
    public func dismiss(
        _ account: AccountID, among people: Set<AccountID>, in ground: ActGround
    ) throws -> ActDecision<ClassSnapshot> {
        try staff(
            ground.snapshot.staff.filter { $0.account != account }, among: people, about: account, in: ground)
    }

    private func staff(
        _ staff: [ClassStaff], among people: Set<AccountID>, about account: AccountID, in ground: ActGround
    ) throws -> ActDecision<ClassSnapshot> {
        let snapshot = ground.snapshot
        guard staff.contains(where: { $0.role == .teacher && people.contains($0.account) }) else {
            throw FaultList([Fault(.teacherNeeded, at: "/role")])
        }
        guard staff.count <= ClassLimits.staff else {
            throw FaultList([Fault(.entryLimit, at: "/account", ["limit": .number(String(ClassLimits.staff))])])
        }
        let sorted = staff.sorted { $0.account < $1.account }
        var plan = ActPlan("staff")
        if sorted != snapshot.staff {
            plan.staff = sorted
            plan.lines = [
                ActPlan.Line(
                    enrolment: nil, before: Self.text(snapshot.member(account), account),
                    after: Self.text(sorted.first { $0.account == account }, account))
            ]
        }
        return (plan, snapshot.changed(snapshot.head, staff: sorted, at: snapshot.version))
    }

    private static func text(_ member: ClassStaff?, _ account: AccountID) -> [UInt8] {
        var object: JSONObject = [
            "account": .string(account.text), "role": member.map { .string($0.role.rawValue) } ?? .null,
        ]
        if let lines = member?.lines { object["lines"] = .array(lines.map { .string($0.text) }) }
        if let groups = member?.groups { object["groups"] = .array(groups.map { .string($0.text) }) }
        return JSON.object(object).bytes
    }

    private static func text(_ head: ClassHead) -> [UInt8] {
        JSON.object([
            "title": .string(head.title), "state": .string(head.state.rawValue),
            "posting": head.isPostedByHand ? "manual" : "automatic",
            "term": head.term.map { .string($0.text) } ?? .null,
        ]).bytes
    }
}
