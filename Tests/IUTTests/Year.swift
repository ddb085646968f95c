import GradingKit

/// Units as the worked examples write them.
enum Year {
    /// A unit from `4×13.17, 9×13.63, 5×—`: weight and grade of each subject.
    static func unit(
        weight: JSON = 6, professional: Bool = false, rcue: String? = nil, status: String? = nil, _ subjects: String
    ) -> JSON {
        let children = subjects.split(separator: ",").enumerated().map { index, text -> JSON in
            let parts = text.split { "× ".contains($0) }
            return [
                "kind": "subject",
                "fields": [
                    "title": .string("Matière \(index + 1)"), "weight": .number(String(parts[0])),
                    "grade": parts[1] == "—" ? .null : .number(String(parts[1])),
                ],
            ]
        }
        var unit: JSONObject = [
            "kind": "unit",
            "fields": [
                "title": "Unité", "weight": weight, "professional": .bool(professional),
                "rcue": rcue.map { .string($0) } ?? .null,
            ],
            "children": .array(children),
        ]
        if let status { unit["status"] = .string(status) }
        return .object(unit)
    }

    /// A year of groups from `9 11, 10 10.90`: the averages of each group's units, all of one weight.
    static func groups(_ groups: String) -> [JSON] {
        groups.split(separator: ",").enumerated().flatMap { index, averages in
            averages.split(separator: " ").map { unit(rcue: "R\(index)", "1×\($0)") }
        }
    }

    /// The sample year, with that grade for Stage.
    static func sample(stage: String = "—", economy: Int = 4) -> [JSON] {
        [
            unit("4×13.17, 9×13.63, 5×12.4, 4×20"), unit("4×—, 4×14.5, 4×—, 5×13.88"),
            unit("5×18.65, 4×17.13, \(economy)×9.5, 3×9.5"), unit(weight: 9, "6×4, 5×14.5, 4×10.2, 5×14.93"),
            unit(weight: 9, "4×12.17, 4×—, 5×—, 3×—, 5×—, 5×—"), unit(weight: 9, professional: true, "1×13.66"),
            unit(weight: 15, professional: true, "1×\(stage)"),
        ]
    }
}
