public import GradingKit
import Shared

extension ClassStructure {
    /// The structure in its stored and shown form: `{"s","next","lines":[LINE],"policy"?}`.
    public var json: JSON {
        var object: JSONObject = [
            "s": .number(String(number)), "next": .number(String(nextNumber)), "lines": .array(lines.map(\.json)),
        ]
        if policy != WorkPolicy() { object["policy"] = policy.json }
        if !sections.isEmpty { object["sections"] = .array(sections.map(\.json)) }
        return .object(object)
    }

    /// The text of `json`.
    public var text: [UInt8] { json.bytes }

    /// Reads the form of `text`; `nil` for anything else.
    public init?(text: [UInt8]) {
        guard let json = try? JSON.parse(text), let number = json["s"]?.integer, let next = json["next"]?.integer,
            let list = json["lines"]?.array
        else { return nil }
        let lines = list.compactMap { ClassLine($0) }
        guard lines.count == list.count, lines.first?.parent == nil, !lines.isEmpty,
            let policy = try? json["policy"].map({ try WorkPolicy($0, at: "") }) ?? WorkPolicy()
        else { return nil }
        let stored = json["sections"]?.array ?? []
        let sections = stored.compactMap { ClassSection($0) }
        guard sections.count == stored.count else { return nil }
        self.init(number: number, lines: lines, nextNumber: next, policy: policy, sections: sections)
    }
}

extension ClassLine {
    /// The line in its stored and shown form.
    public var json: JSON {
        var object: JSONObject = [
            "id": .string(id.text), "number": .number(String(number)), "kind": .string(kind),
            "parent": parent.map { .string($0.text) } ?? .null, "fields": .object(fields),
            "state": .string(state.rawValue), "posting": isPostedByHand ? "manual" : "automatic",
            "due": due.map { .string($0.description) } ?? .null, "since": .number(String(since)),
        ]
        if let gradeField { object["grade"] = .string(gradeField) }
        if let key { object["key"] = .string(key) }
        if let curve { object["curve"] = curve.json }
        if marking != .single { object["marking"] = marking.json }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard let id = json["id"]?.string, let number = json["number"]?.integer, let kind = json["kind"]?.string,
            let fields = json["fields"]?.object, let state = json["state"]?.string.flatMap({ State(rawValue: $0) }),
            let since = json["since"]?.integer
        else { return nil }
        let curve = json["curve"].map { try? LineCurve($0, at: "") }
        if case .some(.none) = curve { return nil }
        guard let marking = try? json["marking"].map({ try LineMarking($0, at: "") }) ?? .single else { return nil }
        self.init(
            id: LineID(id), number: number, kind: kind, parent: json["parent"]?.string.map { LineID($0) },
            fields: fields, state: state, isPostedByHand: json["posting"] == "manual",
            gradeField: json["grade"]?.string, due: json["due"]?.string.flatMap { CalendarDay(text: $0) },
            key: json["key"]?.string, since: since, curve: curve ?? nil, marking: marking)
    }
}
