import Classes
import GradingKit
import Shared

extension ClassStructure {
    /// The root with its lines as an entry in stored form, with the fields of a section's students.
    func model(of section: SectionID?) -> JSON {
        var inside: [LineID: [JSON]] = [:]
        // Children come after their parents, so going backwards, a line's children are complete before the line.
        for line in lines.dropFirst().reversed() {
            guard let parent = line.parent else { continue }
            inside[parent, default: []].append(Self.model(of: line, with: inside[line.id] ?? []))
        }
        var root = root
        root.fields = rootFields(of: section)
        return Self.model(of: root, with: inside[root.id] ?? [])
    }

    private static func model(of line: ClassLine, with children: [JSON]) -> JSON {
        [
            "id": .string(line.id.text), "kind": .string(line.kind), "hidden": .bool(line.state == .draft),
            "fields": .object(line.fields), "children": .array(children.reversed()),
        ]
    }

    /// A fault of the model record with its place among the lines.
    func placed(_ fault: Fault) -> Fault {
        var steps = fault.path.split(separator: "/")[...]
        guard steps.popFirst() == "entries", steps.popFirst() != nil else { return fault }
        var line = root
        while steps.first == "children", let place = steps.dropFirst().first.flatMap({ Int($0) }) {
            let children = lines(in: line.id)
            guard children.indices.contains(place) else { break }
            line = children[place]
            steps = steps.dropFirst(2)
        }
        let rest = steps.map { "/" + $0 }.joined()
        return Fault(fault.code, at: "/lines" + JSONPointer.step(line.id.text) + rest, fault.arguments)
    }
}
