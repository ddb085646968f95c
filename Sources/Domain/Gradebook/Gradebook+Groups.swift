public import Classes
import GradingKit
public import Shared

extension Gradebook {
    /// Creates a group.
    ///
    /// - Throws: `FaultList`: `class_closed`, `entry_limit`, `group_taken`.
    public func makeGroup(_ group: ClassGroup, in ground: ActGround) throws -> ActDecision<ClassGroup> {
        let groups = ground.snapshot.groups
        guard groups.count < ClassLimits.groups else {
            throw FaultList([Fault(.entryLimit, at: "/title", ["limit": .number(String(ClassLimits.groups))])])
        }
        return (try plan(groups + [group], from: nil, to: group, in: ground), group)
    }

    /// Gives a group another title.
    ///
    /// - Throws: `StoreError.notFound`; `FaultList`: `class_closed`, `group_taken`.
    public func renameGroup(
        _ id: GroupID, _ title: String, in ground: ActGround
    ) throws -> ActDecision<ClassGroup> {
        let before = try Self.group(id, in: ground)
        var after = before
        after.title = title
        if after == before { return (ActPlan("group"), before) }
        let groups = ground.snapshot.groups.map { $0.id == id ? after : $0 }
        return (try plan(groups, from: before, to: after, in: ground), after)
    }

    /// Deletes a group. Its students stay in the class.
    ///
    /// - Throws: `StoreError.notFound`; `FaultList`: `class_closed`, `group_in_use` if a grader is limited to it.
    public func deleteGroup(_ id: GroupID, in ground: ActGround) throws -> ActDecision<ClassGroup> {
        let before = try Self.group(id, in: ground)
        guard !ground.snapshot.staff.contains(where: { $0.groups?.contains(id) == true }) else {
            throw FaultList([Fault(.groupInUse)])
        }
        let groups = ground.snapshot.groups.filter { $0.id != id }
        return (try plan(groups, from: before, to: nil, in: ground), before)
    }

    /// Puts students into a group and out of the other groups of its set, and takes others out of it.
    ///
    /// - Throws: `StoreError.notFound`; `FaultList`: `class_closed`, and by their places `enrolment_unknown`, `enrolment_ended`.
    public func regroup(
        _ id: GroupID, joining: [EnrolmentID], leaving: [EnrolmentID], in ground: ActGround
    ) throws -> ActDecision<ClassGroup> {
        let group = try Self.group(id, in: ground)
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let rows = Dictionary(
            ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var faults = FaultList()
        for (name, list) in [("/join", joining), ("/leave", leaving)] {
            for (index, member) in list.enumerated() {
                let place = name + JSONPointer.step(index)
                guard let row = rows[member] else {
                    faults.add(.enrolmentUnknown, at: place)
                    continue
                }
                if name == "/join", row.enrolment.isWithdrawn { faults.add(.enrolmentEnded, at: place) }
            }
        }
        try faults.check()
        let others = ground.snapshot.groups.filter { $0.set == group.set && $0.id != id }.map(\.id)
        let (joining, leaving) = (Set(joining), Set(leaving))
        var plan = ActPlan("groups")
        for row in ground.rows {
            var groups = ground.snapshot.groups(of: row.enrolment)
            if leaving.contains(row.enrolment.id) { groups.removeAll { $0 == id } }
            if joining.contains(row.enrolment.id), !groups.contains(id) {
                groups.removeAll { others.contains($0) }
                groups.append(id)
            }
            plan.move(row, to: groups, in: ground)
        }
        return (plan, group)
    }

    /// Puts students back into the groups in which they were before an act, unless they have changed groups since.
    func regroup(
        _ lines: [LedgerLine], reason: String, in ground: ActGround
    ) throws -> ActDecision<CellsAnswer> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        let known = ground.snapshot.groups.map(\.id)
        let rows = Dictionary(
            ground.rows.map { ($0.enrolment.id, $0) }, uniquingKeysWith: { first, _ in first })
        var plan = ActPlan("undo", reason: reason)
        var (accepted, faults) = (0, [Fault]())
        for line in lines {
            guard let id = line.enrolment, let before = Self.groups(line.before), let after = Self.groups(line.after),
                let row = rows[id]
            else { continue }
            // Groups deleted meanwhile do not come back.
            let (wanted, written) = (before.filter { known.contains($0) }, after.filter { known.contains($0) })
            guard Set(ground.snapshot.groups(of: row.enrolment)) == Set(written) else {
                faults.append(Fault(.groupChanged, at: "/rows" + JSONPointer.step(id.text)))
                continue
            }
            plan.move(row, to: wanted, in: ground)
            accepted += 1
        }
        return (plan, CellsAnswer(accepted: accepted, faults: faults))
    }

    /// The groups on one side of a ledger line; `nil` for a line that is not about groups.
    static func groups(_ text: [UInt8]?) -> [GroupID]? {
        guard let list = text.flatMap({ try? JSON.parse($0) })?.object?["groups"]?.array else { return nil }
        return list.compactMap { $0.string.map { GroupID($0) } }
    }

    private static func group(_ id: GroupID, in ground: ActGround) throws -> ClassGroup {
        guard let group = ground.snapshot.group(id) else { throw StoreError.notFound }
        return group
    }

    private func plan(
        _ groups: [ClassGroup], from before: ClassGroup?, to after: ClassGroup?, in ground: ActGround
    ) throws(FaultList) -> ActPlan {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        if let after, groups.contains(where: { $0.id != after.id && $0.set == after.set && $0.title == after.title }) {
            throw FaultList([Fault(.groupTaken, at: "/title")])
        }
        var plan = ActPlan("group")
        plan.groups = groups.sorted { ($0.set, $0.title, $0.id) < ($1.set, $1.title, $1.id) }
        plan.lines = [.group(from: before, to: after)]
        return plan
    }
}

extension ActPlan {
    /// Puts a student into some groups and out of all others.
    fileprivate mutating func move(_ row: EnrolledRow, to groups: [GroupID], in ground: ActGround) {
        let before = ground.snapshot.groups(of: row.enrolment)
        guard Set(before) != Set(groups) else { return }
        var row = row
        row.enrolment.groups = row.enrolment.groups.moved(to: groups)
        rows.append(row)
        lines.append(.grouping(row.enrolment.id, from: before, to: groups))
    }
}
