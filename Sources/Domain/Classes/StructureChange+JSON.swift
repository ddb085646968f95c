public import GradingKit
import Shared

extension StructureChange {
    /// Reads `[{"op":"add","kind","in","fields"?,…},{"op":"patch","line",…},{"op":"delete","line"},
    /// {"op":"move","line","before"?},{"op":"policy","policy":{"late"?,"missing"?,"risk"?,"low"?}}]`, with all faults at
    /// once.
    public static func list(_ json: JSON, at path: String) throws(FaultList) -> [StructureChange] {
        guard let elements = json.array else {
            throw FaultList([Fault(json.isNull ? .missingField : .wrongType, at: path, ["expected": "array"])])
        }
        guard elements.count <= 2 * ClassLimits.lines else {
            throw FaultList([Fault(.lineLimit, at: path, ["limit": .number(String(ClassLimits.lines))])])
        }
        var (changes, faults) = ([StructureChange](), FaultList())
        for (index, element) in elements.enumerated() where faults.faults.count < 100 {
            var reader = StepReader(element, at: path + JSONPointer.step(index))
            if let change = reader.change() { changes.append(change) }
            for fault in reader.faults.faults { faults.add(fault) }
        }
        try faults.check()
        return changes
    }
}

/// Reads one step.
private struct StepReader {
    private var members: JSONObject
    private let path: String
    private(set) var faults = FaultList()

    init(_ json: JSON, at path: String) {
        self.path = path
        members = json.object ?? JSONObject()
        if json.object == nil { faults.add(.wrongType, at: path, ["expected": "object"]) }
    }

    mutating func change() -> StructureChange? {
        let operation = text("op", isRequired: true)
        var change: StructureChange?
        switch operation {
        case "add":
            let (kind, parent, patch) = (text("kind", isRequired: true), line("in", isRequired: true), patch())
            if let kind, let parent { change = .add(kind: kind, in: parent, patch) }
        case "patch":
            let (id, patch) = (line("line", isRequired: true), patch())
            if let id { change = .patch(id, patch) }
        case "delete": change = line("line", isRequired: true).map { .delete($0) }
        case "move":
            let (id, sibling) = (line("line", isRequired: true), line("before"))
            if let id { change = .move(id, before: sibling) }
        case "policy": change = policy()
        case "addSection": change = .addSection(sectionPatch(isNew: true))
        case "patchSection":
            let (id, patch) = (text("section", isRequired: true), sectionPatch(isNew: false))
            if let id { change = .patchSection(SectionID(id), patch) }
        case "deleteSection":
            change = text("section", isRequired: true).map { .deleteSection(SectionID($0)) }
        case nil: return nil
        default:
            faults.add(.outOfRange, at: path + "/op", .allowing(Self.operations))
            return nil
        }
        // Adding a fault compares it with all earlier ones.
        for member in members.prefix(16) { faults.add(.unknownField, at: path + JSONPointer.step(member.name)) }
        return faults.faults.isEmpty ? change : nil
    }

    private static let operations = [
        "add", "patch", "delete", "move", "policy", "addSection", "patchSection", "deleteSection",
    ]

    private mutating func sectionPatch(isNew: Bool) -> ClassSection.Patch {
        ClassSection.Patch(title: text("title", isRequired: isNew), fields: fields() ?? JSONObject())
    }

    private mutating func fields() -> JSONObject? {
        guard let fields = take("fields") else { return nil }
        if fields.object == nil { faults.add(.wrongType, at: path + "/fields", ["expected": "object"]) }
        return fields.object
    }

    private mutating func take(_ name: String) -> JSON? {
        defer { members[name] = nil }
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    private mutating func text(_ name: String, isRequired: Bool = false) -> String? {
        guard let value = take(name) else {
            if isRequired { faults.add(.missingField, at: path + "/" + name) }
            return nil
        }
        guard let text = value.string, text.utf8.count <= ClassLimits.title else {
            faults.add(.wrongType, at: path + "/" + name, ["expected": "string"])
            return nil
        }
        return text
    }

    private mutating func line(_ name: String, isRequired: Bool = false) -> LineID? {
        text(name, isRequired: isRequired).map { LineID($0) }
    }

    private mutating func choice(_ name: String, of words: [String]) -> String? {
        guard let word = text(name) else { return nil }
        if !words.contains(word) { faults.add(.outOfRange, at: path + "/" + name, .allowing(words)) }
        return word
    }

    private mutating func policy() -> StructureChange? {
        guard let value = take("policy") else {
            faults.add(.missingField, at: path + "/policy")
            return nil
        }
        do {
            let policy = try WorkPolicy(value, at: path + "/policy")
            return .policy(policy, keeping: Set(WorkPolicy.Member.allCases.filter { value[$0.rawValue] == nil }))
        } catch {
            for fault in error.faults { faults.add(fault) }
            return nil
        }
    }

    private mutating func patch() -> LinePatch {
        var patch = LinePatch()
        patch.fields = fields() ?? JSONObject()
        patch.state = choice("state", of: ClassLine.State.allCases.map(\.rawValue)).flatMap {
            ClassLine.State(rawValue: $0)
        }
        patch.isPostedByHand = choice("posting", of: ["manual", "automatic"]).map { $0 == "manual" }
        patch.gradeField = text("grade")
        patch.key = text("key")
        if members["curve"]?.isNull == true { patch.curve = .some(nil) }
        if let curve = take("curve") {
            do {
                patch.curve = .some(try LineCurve(curve, at: path + "/curve"))
            } catch {
                for fault in error.faults { faults.add(fault) }
            }
        }
        if let marking = take("marking") {
            do {
                patch.marking = try LineMarking(marking, at: path + "/marking")
            } catch {
                for fault in error.faults { faults.add(fault) }
            }
        }
        if members["due"]?.isNull == true { patch.due = .some(nil) }
        if let due = text("due") {
            patch.due = .some(CalendarDay(text: due))
            if CalendarDay(text: due) == nil { faults.add("day_invalid", at: path + "/due") }
        }
        return patch
    }
}
