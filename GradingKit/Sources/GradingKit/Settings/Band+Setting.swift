extension Band {
    static func schema(hasPoints: Bool) -> JSON {
        var properties: JSONObject = [
            "label": ["type": "string", "minLength": 1, "maxLength": 40], "from": ["type": ["number", "string"]],
        ]
        if hasPoints { properties["points"] = ["type": "number"] }
        return [
            "type": "array", "minItems": 1, "maxItems": 50,
            "items": [
                "type": "object", "properties": .object(properties),
                "required": .array((hasPoints ? ["label", "points"] : ["label"]).map { .string($0) }),
                "additionalProperties": false,
            ],
        ]
    }

    var json: JSON {
        var object: JSONObject = ["label": .string(label), "from": from.json]
        if let points { object["points"] = points.json }
        return .object(object)
    }

    /// Reads a scale: best band first, bounds that strictly worsen, every label once.
    static func list(
        _ json: JSON, hasPoints: Bool, better: Direction, at path: String, _ faults: inout FaultList
    ) -> [Band]? {
        guard let elements = json.array else {
            faults.add(.wrongType, at: path, ["expected": "array"])
            return nil
        }
        guard (1...50).contains(elements.count) else {
            faults.add(.entryLimit, at: path, ["limit": 50])
            return nil
        }
        var bands: [Band] = []
        for (index, element) in elements.enumerated() {
            let place = path + JSONPointer.step(index)
            // "Everything else" needs no bound where the worst grade is 0.
            let isRest = index == elements.count - 1 && better == .higher
            guard let band = band(element, isRest, hasPoints, better, at: place, &faults) else { continue }
            if let previous = bands.last, better.reaches(band.from, previous.from) {
                faults.add(better == .higher ? .bandsNotDecreasing : .bandsNotIncreasing, at: place + "/from")
            }
            if bands.contains(where: { $0.label == band.label }) {
                faults.add(.duplicateLabel, at: place + "/label")
            }
            bands.append(band)
        }
        return bands.count == elements.count ? bands : nil
    }

    private static func band(
        _ json: JSON, _ isRest: Bool, _ hasPoints: Bool, _ better: Direction, at path: String,
        _ faults: inout FaultList
    ) -> Band? {
        let known = ["label", "from"] + (hasPoints ? ["points"] : [])
        let members = SettingReader.members(json, known: known, at: path, &faults)
        var (label, from, points): (String?, Exact?, Exact?)
        for member in members where !member.value.isNull {
            let place = path + JSONPointer.step(member.name)
            switch member.name {
            case "label":
                label = member.value.string
                if label == nil { faults.add(.wrongType, at: place, ["expected": "string"]) }
            case "from": from = bound(member.value, better, at: place, &faults)
            default: points = SettingReader.number(member.value, at: place, &faults)
            }
        }
        func has(_ name: String) -> Bool { members.contains { $0.name == name && !$0.value.isNull } }
        if isRest, !has("from") { from = .zero }
        for name in known where !has(name) && !(name == "from" && isRest) {
            faults.add(.missingField, at: path + JSONPointer.step(name))
        }
        guard let label, let from, !hasPoints || points != nil else { return nil }
        guard (1...40).contains(label.count) else {
            faults.add(.outOfRange, at: path + "/label")
            return nil
        }
        return Band(label, from: from, points: points)
    }

    /// A bound; a range such as "80–89.9", as catalogues print it, is read as its worse end.
    private static func bound(
        _ json: JSON, _ better: Direction, at path: String, _ faults: inout FaultList
    ) -> Exact? {
        if let text = json.string, let dash = text.dropFirst().firstIndex(where: { "–—-".contains($0) }) {
            let ends = [text[..<dash], text[text.index(after: dash)...]].map { part in
                DecimalText(part.filter { !$0.isWhitespace })
            }
            guard let low = ends[0], let high = ends[1], low.value <= high.value else {
                faults.add(.notANumber, at: path)
                return nil
            }
            return better == .higher ? low.value : high.value
        }
        return SettingReader.number(json, at: path, &faults)
    }
}
