public import GradingKit
public import Shared

/// One node of a class's structure: the root, a header or a column.
public struct ClassLine: Sendable, Equatable {
    /// What students see of a line.
    public enum State: String, Sendable, CaseIterable {
        /// Nothing.
        case draft
        /// The line, and its results once they are posted.
        case open
        /// The line and its results.
        case posted
    }

    /// The permanent identifier of the line, which is also that of its entry in each student's record.
    public let id: LineID
    /// Its short number, under which rows store its cells.
    public let number: Int
    /// Its kind in the scheme's shape.
    public let kind: String
    /// The line that contains it; `nil` for the root.
    public var parent: LineID?
    /// The fields of its kind that all students share.
    public var fields: JSONObject
    /// What students see of it.
    public var state: State
    /// Whether students see results only after they are posted.
    public var isPostedByHand: Bool
    /// The grade field for its results, if its kind has several grades.
    public var gradeField: String?
    /// The due date of the work.
    public var due: CalendarDay?
    /// The key under which copies of the structure and other systems know it.
    public var key: String?
    /// The number of the structure since which its fields are unchanged.
    public var since: Int
    /// The curve of its results; `nil` for none.
    public var curve: LineCurve?
    /// How its results are marked.
    public var marking: LineMarking

    /// A line.
    public init(
        id: LineID, number: Int, kind: String, parent: LineID?, fields: JSONObject, state: State = .open,
        isPostedByHand: Bool = false, gradeField: String? = nil, due: CalendarDay? = nil, key: String? = nil,
        since: Int = 1, curve: LineCurve? = nil, marking: LineMarking = .single
    ) {
        self.id = id
        self.number = number
        self.kind = kind
        self.parent = parent
        self.fields = fields
        self.state = state
        self.isPostedByHand = isPostedByHand
        self.gradeField = gradeField
        self.due = due
        self.key = key
        self.since = since
        self.curve = curve
        self.marking = marking
    }

    /// The line with its kind and fields renamed.
    public func renamed(kind: String, fields: JSONObject, gradeField: String?) -> ClassLine {
        ClassLine(
            id: id, number: number, kind: kind, parent: parent, fields: fields, state: state,
            isPostedByHand: isPostedByHand, gradeField: gradeField, due: due, key: key, since: since, curve: curve,
            marking: marking)
    }

    /// Whether students see results of the line that are not held back.
    public var showsResults: Bool { state == .posted || state == .open && !isPostedByHand }

    /// Whether the student sees the content of a cell of the line, and the comments on it.
    public func shows(_ cell: ClassCell) -> Bool { showsResults && !cell.isHeldBack }
}

/// The structure of a class's rows: lines below one root, defined once for all students.
public struct ClassStructure: Sendable, Equatable {
    /// The number of the root.
    public static let rootNumber = 0

    /// The number of the structure, which rises by one with each change.
    public var number: Int
    /// The lines, root first, each after its parent.
    public private(set) var lines: [ClassLine]
    /// The number of the next line. Numbers of deleted lines are not reused, so that an undo finds the cells of a
    /// deleted line.
    public private(set) var nextNumber: Int
    /// How late and missing work counts.
    public internal(set) var policy = WorkPolicy()
    /// The sections of a cross-listed class, in order of creation; most classes have none.
    public internal(set) var sections: [ClassSection] = []

    /// A structure with only a root.
    public init(root kind: String, id: LineID, fields: JSONObject) {
        number = 1
        lines = [ClassLine(id: id, number: Self.rootNumber, kind: kind, parent: nil, fields: fields)]
        nextNumber = 1
    }

    init(
        number: Int, lines: [ClassLine], nextNumber: Int, policy: WorkPolicy, sections: [ClassSection]
    ) {
        self.sections = sections
        self.number = number
        self.lines = lines
        self.nextNumber = nextNumber
        self.policy = policy
    }

    /// The root.
    public var root: ClassLine { lines[0] }

    /// The structure with each line transformed; identifiers, numbers and order stay.
    public func mapLines(_ transform: (ClassLine) -> ClassLine) -> ClassStructure {
        ClassStructure(
            number: number, lines: lines.map(transform), nextNumber: nextNumber, policy: policy, sections: sections)
    }

    /// A line by its identifier.
    public func line(_ id: LineID) -> ClassLine? { lines.first { $0.id == id } }

    /// A line by its number.
    public func line(numbered number: Int) -> ClassLine? { lines.first { $0.number == number } }

    /// The first due day on or after `day` for lines whose empty cells then become missing; `nil` for none. Lines that
    /// students do not see are not due.
    public func firstDue(from day: CalendarDay) -> CalendarDay? {
        guard policy.absence.isAutomatic else { return nil }
        let drafts = drafts
        return lines.filter { !drafts.contains($0.id) }.compactMap(\.due).filter { $0 >= day }.min()
    }

    /// The lines that students do not see: drafts, and everything inside them.
    public var drafts: Set<LineID> { lines(within: lines.filter { $0.state == .draft }.map(\.id)) }

    /// Some lines, and everything inside them.
    public func lines(within chosen: [LineID]) -> Set<LineID> {
        var inside = Set(chosen)
        // Parents come before their children.
        for line in lines where line.parent.map({ inside.contains($0) }) ?? false { inside.insert(line.id) }
        return inside
    }

    /// Whether a line is one of these lines, or inside one; `nil` stands for all lines.
    public func holds(_ line: LineID, within chosen: [LineID]?) -> Bool {
        chosen.map { lines(within: $0).contains(line) } ?? true
    }

    /// The children of a line, in order.
    public func lines(in parent: LineID) -> [ClassLine] { lines.filter { $0.parent == parent } }
}

// MARK: - Changing it

/// One step of a change of a structure.
public enum StructureChange: Sendable, Equatable {
    /// A new line, last among its siblings.
    case add(kind: String, in: LineID, LinePatch)
    /// Changes some properties of a line.
    case patch(LineID, LinePatch)
    /// Deletes a line and everything inside it; cells are kept for an undo.
    case delete(LineID)
    /// Moves a line before one of its siblings; `nil` for the end.
    case move(LineID, before: LineID?)
    /// Changes how late and missing work counts, except for some members of the policy.
    case policy(WorkPolicy, keeping: Set<WorkPolicy.Member> = [])
    /// A new section, which gets the next identifier.
    case addSection(ClassSection.Patch)
    /// Changes a section.
    case patchSection(SectionID, ClassSection.Patch)
    /// Deletes a section without students.
    case deleteSection(SectionID)
}

/// A change of a line's properties; `nil` leaves a property unchanged.
public struct LinePatch: Sendable, Equatable {
    /// Fields to merge, key by key; `null` clears one.
    public var fields = JSONObject()
    /// What students see of the line.
    public var state: ClassLine.State?
    /// Whether students see results only after they are posted.
    public var isPostedByHand: Bool?
    /// The grade field for results.
    public var gradeField: String?
    /// The due date of the work; `.some(nil)` for none.
    public var due: CalendarDay??
    /// The key under which copies and other systems know the line.
    public var key: String?
    /// The curve of its results; `.some(nil)` for none.
    public var curve: LineCurve??
    /// How its results are marked.
    public var marking: LineMarking?

    /// Changes nothing except these fields.
    public init(fields: JSONObject = JSONObject()) { self.fields = fields }
}

extension ClassStructure {
    /// The structure after some steps, with the next number. A `ClassBook` checks it against the rules.
    ///
    /// - Throws: `line_unknown`, `line_limit`, `root_kept`, each at the step's place below `/changes`.
    public func applying(_ changes: [StructureChange], newID: () -> LineID) throws(FaultList) -> ClassStructure {
        var (changed, faults) = (self, FaultList())
        changed.number += 1
        for (index, change) in changes.enumerated() {
            if let code = changed.apply(change, newID: newID) {
                let limit = code == .sectionLimit ? ClassLimits.sections : ClassLimits.lines
                let place = "/changes" + JSONPointer.step(index)
                faults.add(Fault(code, at: place, ["limit": .number(String(limit))]))
            }
        }
        if changed.lines.count > ClassLimits.lines || changed.text.count > ClassLimits.structure {
            faults.add(Fault(.lineLimit, at: "/changes", ["limit": .number(String(ClassLimits.lines))]))
        }
        try faults.check()
        return changed
    }

    private mutating func apply(_ change: StructureChange, newID: () -> LineID) -> FaultCode? {
        switch change {
        case .add(let kind, let parent, let patch):
            guard line(parent) != nil else { return .lineUnknown }
            var line = ClassLine(
                id: newID(), number: nextNumber, kind: kind, parent: parent, fields: JSONObject(), since: number)
            line.take(patch, at: number)
            nextNumber += 1
            lines.insert(line, at: end(of: parent))
        case .patch(let id, let patch):
            guard let index = lines.firstIndex(where: { $0.id == id }) else { return .lineUnknown }
            lines[index].take(patch, at: number)
        case .delete(let id):
            guard let index = lines.firstIndex(where: { $0.id == id }) else { return .lineUnknown }
            guard index > 0 else { return .rootKept }
            lines.removeSubrange(index..<end(of: id))
        case .move(let id, let sibling):
            guard let index = lines.firstIndex(where: { $0.id == id }) else { return .lineUnknown }
            guard let parent = lines[index].parent else { return .rootKept }
            if let sibling, line(sibling)?.parent != parent { return .lineUnknown }
            let moved = Array(lines[index..<end(of: id)])
            lines.removeSubrange(index..<end(of: id))
            let place = sibling.flatMap { sibling in lines.firstIndex { $0.id == sibling } } ?? end(of: parent)
            lines.insert(contentsOf: moved, at: place)
        case .policy(let policy, let kept): self.policy = policy.taking(kept, from: self.policy)
        case .addSection(let patch): return add(patch, as: SectionID(newID().text))
        case .patchSection(let id, let patch):
            guard let index = sections.firstIndex(where: { $0.id == id }) else { return .sectionUnknown }
            sections[index].take(patch)
        case .deleteSection(let id):
            guard let index = sections.firstIndex(where: { $0.id == id }) else { return .sectionUnknown }
            sections.remove(at: index)
        }
        return nil
    }

    /// Whether another structure is the same, apart from its number.
    public func saysTheSame(as other: ClassStructure) -> Bool {
        var other = other
        other.number = number
        return self == other
    }

    /// This structure again, as the successor of `now`.
    public func restored(over now: ClassStructure) -> ClassStructure {
        var lines = lines
        for index in lines.indices where now.line(lines[index].id)?.fields != lines[index].fields {
            lines[index].since = now.number + 1
        }
        return ClassStructure(
            number: now.number + 1, lines: lines, nextNumber: max(nextNumber, now.nextNumber), policy: policy,
            sections: sections)
    }

    /// The index after everything inside a line.
    private func end(of id: LineID) -> Int {
        guard let start = lines.firstIndex(where: { $0.id == id }) else { return lines.count }
        var inside: Set<LineID> = [id]
        var index = start + 1
        while index < lines.count, let parent = lines[index].parent, inside.contains(parent) {
            inside.insert(lines[index].id)
            index += 1
        }
        return index
    }
}

extension ClassLine {
    fileprivate mutating func take(_ patch: LinePatch, at number: Int) {
        let (before, fieldBefore) = (fields, gradeField)
        // "100.0" equals 100.
        for member in patch.fields where !(fields[member.name] ?? .null).isSameValue(as: member.value) {
            fields[member.name] = member.value.isNull ? JSON?.none : member.value
        }
        state = patch.state ?? state
        isPostedByHand = patch.isPostedByHand ?? isPostedByHand
        gradeField = patch.gradeField ?? gradeField
        if fields != before || gradeField != fieldBefore { since = number }
        if let due = patch.due { self.due = due }
        key = patch.key ?? key
        if let curve = patch.curve { self.curve = curve }
        marking = patch.marking ?? marking
    }
}

extension JSON {
    /// Whether both are the same, comparing numbers by value.
    fileprivate func isSameValue(as other: JSON) -> Bool {
        if self == other { return true }
        guard case .number(let one) = self, case .number(let two) = other,
            let mine = DecimalText(one, allowsExponent: true), let its = DecimalText(two, allowsExponent: true)
        else { return false }
        return mine.value == its.value
    }
}
