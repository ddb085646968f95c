public import GradingKit
public import Shared

extension ClassLine {
    /// The key that the line shares with its copies, and with similar lines of other classes.
    public var sharedKey: String { key ?? id.text }
}

extension ClassStructure {
    /// The structure for a new class: the same lines, weights, sections and rules for late work, without due dates and
    /// curves, which belong to one term. Posted lines are open again. Lines keep their keys, so that results can follow
    /// a student from class to class.
    ///
    /// - Parameters:
    ///   - fields: fields of the root with other values there; `null` clears one.
    ///   - newID: makes an identifier for each line and section.
    public func copied(with fields: JSONObject, newID: () -> LineID) -> ClassStructure {
        var names: [LineID: LineID] = [:]
        let copies = lines.map { line -> ClassLine in
            let name = newID()
            names[line.id] = name
            var own = line.fields
            if line.parent == nil {
                for member in fields { own[member.name] = member.value.isNull ? nil : member.value }
            }
            return ClassLine(
                id: name, number: line.number, kind: line.kind, parent: line.parent.flatMap { names[$0] }, fields: own,
                state: line.state == .posted ? .open : line.state, isPostedByHand: line.isPostedByHand,
                gradeField: line.gradeField, key: line.sharedKey, marking: line.marking)
        }
        let sections = sections.map { ClassSection(SectionID(newID().text), title: $0.title, fields: $0.fields) }
        return ClassStructure(
            number: 1, lines: copies, nextNumber: nextNumber, policy: policy, sections: sections)
    }
}
