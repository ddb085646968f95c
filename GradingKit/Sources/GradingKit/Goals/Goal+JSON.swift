extension Goal {
    /// Reads `{"entry"?,"figure","target","unknowns"?,"grid"?}`.
    ///
    /// An unknown is the identifier of its entry, or `{"entry","field"?}` as answers name it. A target is a number or a
    /// text, a grid a number above 0 or a ratio such as "1/4", with at most 4 decimals.
    ///
    /// - Throws: all faults at once.
    public init(_ json: JSON) throws(FaultList) {
        var faults = FaultList()
        var (entry, figure, grid): (String?, String?, Exact?)
        var target: Target?
        var unknowns: [Unknown]?
        let known = ["entry", "figure", "target", "unknowns", "grid"]
        let members = SettingReader.members(json, known: known, at: "", &faults).filter { !$0.value.isNull }
        for member in members {
            let place = JSONPointer.step(member.name)
            switch member.name {
            case "entry": entry = SettingReader.text(member.value, at: place, &faults)
            case "figure": figure = SettingReader.text(member.value, at: place, &faults)
            case "target": target = Self.target(member.value, at: place, &faults)
            case "unknowns": unknowns = Self.unknowns(member.value, at: place, &faults)
            default: grid = Self.grid(member.value, at: place, &faults)
            }
        }
        if json.object != nil {
            for name in ["figure", "target"] where !members.contains(where: { $0.name == name }) {
                faults.add(.missingField, at: JSONPointer.step(name))
            }
        }
        try faults.check()
        guard let figure, let target else { throw FaultList([Fault(.missingField)]) }
        self.init(figure, of: entry.map { EntryID($0) }, reaches: target, unknowns: unknowns, grid: grid)
    }

    private static func target(_ json: JSON, at path: String, _ faults: inout FaultList) -> Target? {
        if let text = json.string { return .named(text) }
        return SettingReader.number(json, at: path, &faults).map { .value($0) }
    }

    private static func grid(_ json: JSON, at path: String, _ faults: inout FaultList) -> Exact? {
        let ratio = json.string.flatMap { $0.contains("/") ? Exact(ratio: $0) : nil }
        guard let step = ratio ?? SettingReader.number(json, at: path, &faults) else { return nil }
        guard step > .zero, step <= 100 else {
            faults.add(.outOfRange, at: path, ["max": 100])
            return nil
        }
        // A grade with more decimals could not be entered.
        guard (step * Exact.powerOfTen(4)).isWhole else {
            faults.add(.tooPrecise, at: path, ["decimals": 4])
            return nil
        }
        return step
    }

    private static func unknowns(_ json: JSON, at path: String, _ faults: inout FaultList) -> [Unknown]? {
        guard let elements = json.array else {
            faults.add(.wrongType, at: path, ["expected": "array"])
            return nil
        }
        guard elements.count <= Goal.greatestUnknownCount else {
            faults.add(.outOfRange, at: path, ["max": .number(String(Goal.greatestUnknownCount))])
            return nil
        }
        var unknowns: [Unknown] = []
        for (index, element) in elements.enumerated() {
            let place = path + JSONPointer.step(index)
            if let entry = element.string {
                unknowns.append(Unknown(entry: EntryID(entry)))
                continue
            }
            let members = SettingReader.members(element, known: ["entry", "field"], at: place, &faults)
                .filter { !$0.value.isNull }
            var texts: [String: String] = [:]
            for member in members {
                texts[member.name] = SettingReader.text(member.value, at: place + "/" + member.name, &faults)
            }
            if let entry = texts["entry"] {
                unknowns.append(Unknown(entry: EntryID(entry), field: texts["field"]))
            } else if element.object != nil, !members.contains(where: { $0.name == "entry" }) {
                faults.add(.missingField, at: place + "/entry")
            }
        }
        return unknowns
    }
}

extension Goal {
    /// The goal in the form that the initializer reads.
    var json: JSON {
        var object: JSONObject = ["figure": .string(figure)]
        if let entry { object["entry"] = .string(entry.text) }
        switch target {
        case .value(let value): object["target"] = value.json
        case .named(let text): object["target"] = .string(text)
        }
        if let unknowns {
            object["unknowns"] = .array(
                unknowns.map { ["entry": .string($0.entry.text), "field": $0.field.map { .string($0) } ?? .null] })
        }
        if let grid { object["grid"] = grid.json }
        return .object(object)
    }
}

extension GoalAnswer {
    /// Returns the answer as JSON; the messages of reasons are in `language`, everything else is independent of it.
    public func json(in language: Language) -> [UInt8] {
        var writer = JSONWriter(capacity: 512 + inputs.count * 80)
        writer.object { writer in
            writer.member("status", status.rawValue)
            writer.member("inputs") { writer in
                writer.array { for input in inputs { input.write(to: &$0) } }
            }
            writer.member("reached") { reached.write(to: &$0, catalog, in: language) }
            writer.member("ceiling") { ceiling.write(to: &$0, catalog, in: language) }
            writer.member("buffer", buffer?.json ?? .null)
        }
        return writer.bytes
    }
}

extension GoalAnswer.Input {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("entry", leaf.entry.text)
            $0.member("field", leaf.field)
            $0.member("value", value.json)
            if let letter { $0.member("letter", letter) }
        }
    }
}

extension GoalAnswer.Outlook {
    fileprivate func write(to writer: inout JSONWriter, _ catalog: MessageCatalog, in language: Language) {
        switch self {
        case .figure(let figure): figure.write(to: &writer, in: language)
        case .outcome(let decision):
            writer.object { writer in
                writer.member("state", decision.state.rawValue)
                writer.member("reasons") { writer in
                    writer.array {
                        decision.write(reasonsTo: &$0, catalog, in: language)
                    }
                }
            }
        }
    }
}
