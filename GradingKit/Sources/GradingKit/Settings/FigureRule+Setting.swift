extension RoundingStep {
    static let members = ["rounding", "scale", "step"]

    /// Merges those members of an object that belong to a rounding step.
    mutating func merge(_ members: [JSONObject.Member], at path: String, _ faults: inout FaultList) {
        for member in members {
            let place = path + JSONPointer.step(member.name)
            switch member.name {
            case "rounding":
                rounding = SettingReader.choice(member.value, Rounding.self, at: place, &faults) ?? rounding
            case "scale":
                guard let scale = SettingReader.integer(member.value, in: 0...6, at: place, &faults) else { break }
                grid = .scale(scale)
            case "step":
                guard let step = Self.step(member.value, at: place, &faults) else { break }
                grid = .step(step)
            default: break
            }
        }
        if members.contains(where: { $0.name == "scale" }), members.contains(where: { $0.name == "step" }) {
            faults.add(.scaleAndStep, at: path)
        }
    }

    /// Reads a step: a decimal, or a ratio such as "1/4" that is a finite decimal.
    private static func step(_ json: JSON, at path: String, _ faults: inout FaultList) -> Exact? {
        if let text = json.string, text.contains("/") {
            guard let ratio = Exact(ratio: text), ratio > .zero, ratio <= 100, ratio.decimalText != nil else {
                faults.add(.outOfRange, at: path, ["above": 0, "max": 100])
                return nil
            }
            return ratio
        }
        guard let step = SettingReader.number(json, at: path, &faults) else { return nil }
        guard step > .zero, step <= 100 else {
            faults.add(.outOfRange, at: path, ["above": 0, "max": 100])
            return nil
        }
        return step
    }

    var json: JSONObject {
        switch grid {
        case .scale(let scale): ["rounding": .string(rounding.rawValue), "scale": .number(String(scale))]
        case .step(let step): ["rounding": .string(rounding.rawValue), "step": step.json]
        }
    }
}

extension FigureRule {
    /// The JSON Schema of a rule as a setting.
    public static var schema: JSON {
        let modes = JSON.array(Rounding.allCases.map { .string($0.rawValue) })
        let step: JSONObject = [
            "rounding": ["enum": modes], "scale": ["type": "integer", "minimum": 0, "maximum": 6],
            "step": ["type": ["number", "string"]],
        ]
        var properties = step
        properties["compareOn"] = ["type": "string", "pattern": "^(exact|displayed|tolerance\\([0-9.]+\\))$"]
        properties["stages"] = [
            "type": "array", "maxItems": 4,
            "items": ["type": "object", "properties": .object(step), "additionalProperties": false],
        ]
        return ["type": "object", "properties": .object(properties), "additionalProperties": false]
    }

    /// Merges the members of a setting into the rule; adds a fault for each that is wrong.
    public mutating func merge(_ json: JSON, at path: String, _ faults: inout FaultList) {
        let known = RoundingStep.members + ["compareOn", "stages"]
        let members = SettingReader.members(json, known: known, at: path, &faults)
        shown.merge(members, at: path, &faults)
        for member in members {
            let place = path + JSONPointer.step(member.name)
            switch member.name {
            case "compareOn": compareOn = CompareRule(member.value, at: place, &faults) ?? compareOn
            case "stages": stages = Self.stages(member.value, at: place, &faults) ?? stages
            default: break
            }
        }
    }

    private static func stages(_ json: JSON, at path: String, _ faults: inout FaultList) -> [RoundingStep]? {
        guard let elements = json.array else {
            faults.add(.wrongType, at: path, ["expected": "array"])
            return nil
        }
        guard elements.count <= 4 else {
            faults.add(.entryLimit, at: path, ["limit": 4])
            return nil
        }
        return elements.enumerated().map { index, element in
            var step = RoundingStep(.halfUp, scale: 2)
            let place = path + JSONPointer.step(index)
            let members = SettingReader.members(element, known: RoundingStep.members, at: place, &faults)
            step.merge(members, at: place, &faults)
            return step
        }
    }

    /// The rule as a setting.
    public var json: JSON {
        var object = shown.json
        object["compareOn"] = .string(compareOn.text)
        object["stages"] = .array(stages.map { .object($0.json) })
        return .object(object)
    }
}

extension CompareRule {
    /// The rule as text: `exact`, `displayed` or `tolerance(0.005)`.
    var text: String {
        switch self {
        case .exact: "exact"
        case .displayed: "displayed"
        case .tolerance(let slack): "tolerance(\(slack.decimalText ?? slack.description))"
        }
    }

    private static let words = ["exact", "displayed", "tolerance(t)"]

    init?(_ json: JSON, at path: String, _ faults: inout FaultList) {
        switch json.string {
        case "exact"?: self = .exact
        case "displayed"?: self = .displayed
        case let text? where text.hasPrefix("tolerance(") && text.hasSuffix(")"):
            guard let slack = DecimalText(text.dropFirst(10).dropLast()), slack.value >= .zero, slack.value <= 10,
                slack.decimals <= 6
            else {
                faults.add(.outOfRange, at: path, .allowing(Self.words))
                return nil
            }
            self = .tolerance(slack.value)
        case nil:
            faults.add(.wrongType, at: path, ["expected": "string"])
            return nil
        default:
            faults.add(.outOfRange, at: path, .allowing(Self.words))
            return nil
        }
    }
}
