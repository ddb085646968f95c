public import Classes
public import GradingKit

/// Converts fields of lines and sections to the types of the shape: a number entered as a text is stored as a number.
extension KindShape {
    /// The fields, with numbers where the shape has numbers. Anything else stays for the rules to refuse.
    func typed(_ fields: JSONObject) -> JSONObject {
        var typed = fields
        for member in fields {
            guard case .string = member.value,
                case .success(.number(let number))? = value(member.value, of: member.name)
            else { continue }
            typed[member.name] = FieldValue.number(number).json
        }
        return typed
    }
}

extension StructureChange {
    /// The step, with numbers where a shape has numbers, for a structure that it changes.
    func typed(in structure: ClassStructure, of shape: RecordShape) -> StructureChange {
        func typed(_ patch: LinePatch, _ kind: String?) -> LinePatch {
            var patch = patch
            if let kind = kind.flatMap({ shape.kind(stored: $0) }) { patch.fields = kind.typed(patch.fields) }
            return patch
        }
        func typed(_ patch: ClassSection.Patch) -> ClassSection.Patch {
            var patch = patch
            if let kind = shape.kind(stored: structure.root.kind) { patch.fields = kind.typed(patch.fields) }
            return patch
        }
        return switch self {
        case .add(let kind, let parent, let patch): .add(kind: kind, in: parent, typed(patch, kind))
        case .patch(let line, let patch): .patch(line, typed(patch, structure.line(line)?.kind))
        case .addSection(let patch): .addSection(typed(patch))
        case .patchSection(let section, let patch): .patchSection(section, typed(patch))
        case .delete, .move, .policy, .deleteSection: self
        }
    }
}

extension ClassStructure {
    /// The structure, with numbers where a shape has numbers.
    public func typed(by shape: RecordShape) -> ClassStructure {
        var structure = mapLines { line in
            guard let kind = shape.kind(stored: line.kind) else { return line }
            return line.renamed(kind: line.kind, fields: kind.typed(line.fields), gradeField: line.gradeField)
        }
        if let kind = shape.kind(stored: root.kind) { structure.renameSections { kind.typed($0) } }
        return structure
    }
}
