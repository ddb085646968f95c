extension Band {
    /// The JSON Schema of a scale of bands as a setting.
    public static func schema(hasPoints: Bool) -> JSON {
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

    /// The band in a setting.
    public var json: JSON {
        var object: JSONObject = ["label": .string(label), "from": from.json]
        if let points { object["points"] = points.json }
        return .object(object)
    }

    /// Reads a scale: best band first, strictly worsening bounds, unique labels. Compares every readable part of a band
    /// with the other bands, even if another part is faulty.
    ///
    /// - Parameter hasBounds: `false` for labels that people only enter; bounds are then optional and have no meaning.
    public static func list(
        _ json: JSON, hasPoints: Bool, hasBounds: Bool = true, better: Direction, at path: String,
        _ faults: inout FaultList
    ) -> [Band]? {
        guard let elements = json.array else {
            faults.add(.wrongType, at: path, ["expected": "array"])
            return nil
        }
        guard (1...50).contains(elements.count) else {
            faults.add(.entryLimit, at: path, ["limit": 50])
            return nil
        }
        var (labels, bound): (Set<String>, Exact?) = ([], nil)
        var bands: [Band] = []
        for (index, element) in elements.enumerated() {
            let place = path + JSONPointer.step(index)
            // The last band, "everything else", needs no bound if the worst grade is 0.
            let isRest = !hasBounds || (index == elements.count - 1 && better == .higher)
            let draft = BandDraft(element, isRest: isRest, hasPoints: hasPoints, better, at: place, &faults)
            if hasBounds, let from = draft.from {
                if let bound, better.reaches(from, bound) {
                    faults.add(better == .higher ? .bandsNotDecreasing : .bandsNotIncreasing, at: place + "/from")
                } else if let bound, let end = draft.upTo, end != bound, better.reaches(end, bound) {
                    faults.add(.bandsOverlap, at: place + "/from")
                }
                bound = from
            }
            if let label = draft.label, !labels.insert(label).inserted {
                faults.add(.duplicateLabel, at: place + "/label")
            }
            if let band = draft.band(hasPoints: hasPoints) { bands.append(band) }
        }
        return bands.count == elements.count ? bands : nil
    }
}

extension Band {
    /// Returns warnings that tell how ranges such as "80–89.9" were read: the band begins at one of the two numbers and
    /// ends where the next better one begins.
    static func readings(of json: JSON, as bands: [Band], at path: String) -> [Fault] {
        zip(json.array ?? [], bands).enumerated().compactMap { index, pair in
            guard let given = pair.0["from"], BandDraft.dash(in: given) != nil else { return nil }
            return Fault(
                .rangeRead, at: path + JSONPointer.step(index) + "/from",
                ["given": given, "from": pair.1.from.json, "label": .string(pair.1.label)])
        }
    }
}

/// A band with the parts that could be read.
private struct BandDraft {
    var label: String?
    var from: Exact?
    /// The better end of a range.
    var upTo: Exact?
    var points: Exact?

    init(
        _ json: JSON, isRest: Bool, hasPoints: Bool, _ better: Direction, at path: String, _ faults: inout FaultList
    ) {
        let known = ["label", "from"] + (hasPoints ? ["points"] : [])
        let members = SettingReader.members(json, known: known, at: path, &faults)
        for member in members where !member.value.isNull {
            let place = path + JSONPointer.step(member.name)
            switch member.name {
            case "label": label = Self.label(member.value, at: place, &faults)
            case "from": readBound(member.value, better, at: place, &faults)
            default: points = SettingReader.number(member.value, at: place, &faults)
            }
        }
        guard json.object != nil else { return }
        func has(_ name: String) -> Bool { members.contains { $0.name == name && !$0.value.isNull } }
        if isRest, !has("from") { from = .zero }
        for name in known where !has(name) && !(name == "from" && isRest) {
            faults.add(.missingField, at: path + JSONPointer.step(name))
        }
    }

    func band(hasPoints: Bool) -> Band? {
        guard let label, let from, !hasPoints || points != nil else { return nil }
        return Band(label, from: from, points: points)
    }

    private static func label(_ json: JSON, at path: String, _ faults: inout FaultList) -> String? {
        guard let text = SettingReader.text(json, at: path, &faults) else { return nil }
        guard (1...40).contains(text.unicodeScalars.count), text.unicodeScalars.allSatisfy(isPlain),
            !text.allSatisfy(\.isWhitespace)
        else {
            faults.add(.labelUnreadable, at: path)
            return nil
        }
        return text
    }

    /// Returns whether a character is neither a control character nor one that changes the direction of text.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: false
        default: scalar.properties.generalCategory != .control && !scalar.properties.isNoncharacterCodePoint
        }
    }

    /// Returns the position of the dash in a bound that is written as a range; `nil` for any other bound.
    static func dash(in json: JSON) -> String.Index? {
        json.string?.dropFirst().firstIndex { "–—-".contains($0) }
    }

    /// Reads a bound; a range such as "80–89.9", as catalogues print it, is read as its worse end.
    private mutating func readBound(
        _ json: JSON, _ better: Direction, at path: String, _ faults: inout FaultList
    ) {
        guard let text = json.string, let dash = Self.dash(in: json) else {
            from = SettingReader.number(json, at: path, &faults)
            return
        }
        let ends = [text[..<dash], text[text.index(after: dash)...]].map { part in
            DecimalText(part.filter { !$0.isWhitespace })
        }
        guard let low = ends[0], let high = ends[1], low.value <= high.value else {
            faults.add(.notANumber, at: path)
            return
        }
        (from, upTo) = better == .higher ? (low.value, high.value) : (high.value, low.value)
    }
}

extension Bands {
    /// Returns warnings about parts of a scale that are allowed but surprising.
    func warnings(at path: String) -> [Fault] {
        let contradictions = list.dropLast().enumerated().compactMap { index, band in
            rule.contradiction(at: band.from, path: "\(path)/\(index)/from") { self.band(for: $0)?.label }
        }
        let rises = zip(list, list.dropFirst()).enumerated().compactMap { index, pair -> Fault? in
            guard rule.better == .higher, let better = pair.0.points, let worse = pair.1.points, worse > better else {
                return nil
            }
            return Fault(
                .pointsRise, at: "\(path)/\(index + 1)/points",
                ["label": .string(pair.1.label), "better": .string(pair.0.label)])
        }
        return contradictions + rises
    }
}
