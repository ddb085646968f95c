public import Classes
import GradingKit
public import Shared

/// Some of what a class says of itself; what is `nil` stays as it is.
public struct ClassPatch: Sendable, Equatable {
    /// What people read.
    public var title: String?
    /// Whether it is taught, or over.
    public var state: ClassHead.State?
    /// Whether students see the results of new lines only after they are posted.
    public var isPostedByHand: Bool?

    /// A change of the class itself.
    public init(title: String? = nil, state: ClassHead.State? = nil, isPostedByHand: Bool? = nil) {
        self.title = title
        self.state = state
        self.isPostedByHand = isPostedByHand
    }
}

extension Gradebook {
    /// Changes what a class says of itself.
    ///
    /// - Throws: `FaultList` with `class_closed` for a closed class that is not opened again.
    public func settle(_ patch: ClassPatch, in ground: ActGround) throws -> ActDecision<ClassSnapshot> {
        let (before, snapshot) = (ground.snapshot.head, ground.snapshot)
        if before.state == .closed, patch.state == nil || patch.state == .closed {
            throw FaultList([Fault(.classClosed)])
        }
        var head = before
        head.title = patch.title ?? head.title
        head.state = patch.state ?? head.state
        head.isPostedByHand = patch.isPostedByHand ?? head.isPostedByHand
        var plan = ActPlan(head.state == before.state ? "class" : head.state == .closed ? "close" : "open")
        if head != before {
            plan.head = head
            plan.lines = [ActPlan.Line(enrolment: nil, before: Self.text(before), after: Self.text(head))]
        }
        return (plan, snapshot.changed(head, staff: snapshot.staff, at: snapshot.version))
    }

    /// Gives a member of the institution a role in the class, or another one.
    ///
    /// - Throws: `FaultList`: `line_unknown`, `unknown_field` where a member who is not a grader gets lines,
    ///   `teacher_needed`, `entry_limit`.
    public func appoint(_ member: ClassStaff, in ground: ActGround) throws -> ActDecision<ClassSnapshot> {
        var faults = FaultList()
        if member.lines != nil, member.role != .grader { faults.add(.unknownField, at: "/lines") }
        for (index, line) in (member.lines ?? []).enumerated() where ground.snapshot.structure.line(line) == nil {
            faults.add(.lineUnknown, at: "/lines" + JSONPointer.step(index))
        }
        try faults.check()
        let others = ground.snapshot.staff.filter { $0.account != member.account }
        return try staff(others + [member], about: member.account, in: ground)
    }

    /// Takes an account off the class's staff.
    ///
    /// - Throws: `FaultList` with `teacher_needed`.
    public func dismiss(_ account: AccountID, in ground: ActGround) throws -> ActDecision<ClassSnapshot> {
        try staff(ground.snapshot.staff.filter { $0.account != account }, about: account, in: ground)
    }

    private func staff(
        _ staff: [ClassStaff], about account: AccountID, in ground: ActGround
    ) throws -> ActDecision<ClassSnapshot> {
        let snapshot = ground.snapshot
        guard staff.contains(where: { $0.role == .teacher }) else {
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
        return JSON.object(object).bytes
    }

    private static func text(_ head: ClassHead) -> [UInt8] {
        JSON.object([
            "title": .string(head.title), "state": .string(head.state.rawValue),
            "posting": head.isPostedByHand ? "manual" : "automatic",
        ]).bytes
    }
}
