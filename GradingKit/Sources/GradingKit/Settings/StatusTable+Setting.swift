extension StatusTable {
    private static let members = ["average", "attempted", "earned", "gpa"]

    /// The ways of entering averages that a setting chooses from.
    private enum AverageName: String, CaseIterable {
        case counts, minimum, pending, leaves

        var average: StatusRule.Average {
            switch self {
            case .counts: .counts
            case .minimum: .minimum
            case .pending: .pending
            case .leaves: .leaves
            }
        }
    }

    static var schema: JSON {
        let flag: JSON = ["type": "boolean"]
        let rule: JSON = [
            "type": "object",
            "properties": [
                "average": ["enum": .array(AverageName.allCases.map { .string($0.rawValue) })],
                "attempted": flag, "earned": flag, "gpa": flag,
            ],
            "additionalProperties": false,
        ]
        let properties = Status.standard.reduce(into: JSONObject()) { $0[$1.rawValue] = rule }
        return ["type": "object", "properties": .object(properties), "additionalProperties": false]
    }

    mutating func merge(_ json: JSON, at path: String, _ faults: inout FaultList) {
        let known = Status.standard.map(\.rawValue)
        for member in SettingReader.members(json, known: known, at: path, &faults) {
            guard let status = Status(rawValue: member.name) else { continue }
            merge(member.value, into: status, at: path + JSONPointer.step(member.name), &faults)
        }
    }

    private mutating func merge(_ json: JSON, into status: Status, at path: String, _ faults: inout FaultList) {
        var rule = self[status]
        for member in SettingReader.members(json, known: Self.members, at: path, &faults) {
            let place = path + JSONPointer.step(member.name)
            switch member.name {
            case "average":
                let name = SettingReader.choice(member.value, AverageName.self, at: place, &faults)
                rule.average = name?.average ?? rule.average
            case "attempted": rule.attempted = SettingReader.flag(member.value, at: place, &faults) ?? rule.attempted
            case "earned": rule.earned = SettingReader.flag(member.value, at: place, &faults) ?? rule.earned
            default: rule.inGPA = SettingReader.flag(member.value, at: place, &faults) ?? rule.inGPA
            }
        }
        self[status] = rule
    }

    var json: JSON {
        .object(
            Status.standard.reduce(into: JSONObject()) { object, status in
                let rule = self[status]
                object[status.rawValue] = [
                    "average": AverageName.allCases.first { $0.average == rule.average }.map { .string($0.rawValue) }
                        ?? .null, "attempted": .bool(rule.attempted),
                    "earned": .bool(rule.earned), "gpa": .bool(rule.inGPA),
                ]
            })
    }
}
