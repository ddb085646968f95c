public import GradingKit
public import Shared

extension ClassLine {
    /// What copies of the line, and lines of other classes like it, share with it.
    public var sharedKey: String { key ?? id.text }
}

extension ClassStructure {
    /// The structure as another class begins with it: the same lines, weights, rules for late work and sections, without due
    /// dates and curves, which belong to one term. What was shown already is open. Lines keep their keys, by which results
    /// travel with a student from class to class.
    ///
    /// - Parameters:
    ///   - fields: fields of the root that are others there; `null` clears one.
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
