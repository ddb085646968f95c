import GradingKit

extension RegulationDocument {
    /// The declarations of the document, in the order of the text, with the ranges of their names. See
    /// ``Regulation/outline``.
    func outline(_ source: SourceText, _ checker: Checker) -> JSON {
        var items: [(place: Int, item: JSON)] = []
        func add(_ sort: String, _ heading: Heading, of kind: String? = nil, _ more: JSONObject = JSONObject()) {
            var object: JSONObject = ["sort": .string(sort), "name": .string(heading.name.text)]
            if let kind { object["of"] = .string(kind) }
            if let label = heading.label { object["label"] = label.json }
            object["article"] = .string(heading.article)
            object["line"] = .number(String(source.position(of: heading.name.range.lowerBound).line))
            object["range"] = heading.name.range.json
            for member in more { object[member.name] = member.value }
            items.append((heading.name.range.lowerBound, .object(object)))
        }
        for item in scales { add("scale", item.heading) }
        for item in roundings { add("rounding", item.heading) }
        for item in bands { add("bands", item.heading, item.unit.map { ["unit": checker.unit($0)] } ?? [:]) }
        for item in curves { add("curve", item.heading, ["unit": checker.unit(item.to)]) }
        for item in tables {
            add(
                "table", item.heading,
                [
                    "unit": checker.unit(item.unit), "rows": .number(String(item.rows.count)),
                    "columns": .number(String(item.columns.count)),
                ])
        }
        for item in settings { add("setting", item.heading, item.unit.map { ["unit": checker.unit($0)] } ?? [:]) }
        for item in statuses { add("status", item.heading) }
        for item in entries {
            let kind = item.heading.name.text
            add("entry", item.heading, of: item.parent?.text)
            for field in item.fields {
                let heading = Heading(name: field.name, label: field.label, article: item.heading.article)
                add("field", heading, of: kind, checker.particulars(of: field, in: kind))
            }
        }
        for item in taken {
            if case .figure(let unit, _) = item.content {
                add("figure", item.heading, of: item.kind.text, ["unit": checker.unit(unit), "trend": "still"])
            } else {
                add("outcome", item.heading, of: item.kind.text)
            }
        }
        for item in groups { add("group", item.heading, of: item.base.text) }
        for item in abbreviations {
            add("let", item.heading, of: item.kind?.text, ["formula": item.formula.range.json])
        }
        for (place, item) in figures.enumerated() {
            var more: JSONObject = ["unit": checker.unit(item.unit), "formula": item.formula.range.json]
            if item.isHidden { more["hidden"] = true }
            if case .some(let model?) = checker.figures[place] { more["trend"] = .string(model.trend.name) }
            add("figure", item.heading, of: item.kind?.text, more)
        }
        for item in outcomes { add("outcome", item.heading, of: item.kind?.text) }
        for item in templates { add("template", item.heading) }
        for item in presets { add("preset", item.heading) }
        for item in examples { add("example", item.heading) }
        return .array(items.sorted { $0.place < $1.place }.map(\.item))
    }
}

extension Checker {
    fileprivate func unit(_ unit: RegulationDocument.Unit?) -> JSON { .string(dimension(unit).text) }

    /// The type of a field, and its unit.
    fileprivate func particulars(of field: RegulationDocument.Field, in kind: String) -> JSONObject {
        switch field.content {
        case .text: return ["type": "text"]
        case .flag: return ["type": "yes/no"]
        case .choice: return ["type": "choice"]
        case .number: return ["type": "number", "unit": unit(field.unit)]
        case .grade(let scale): return ["type": "grade", "unit": unit(scale)]
        case .letter(let name):
            return ["type": "grade", "unit": .string(bands[name.text]?.worth?.text ?? Dimension.plain.text)]
        case .points: return ["type": "grade", "unit": "points"]
        }
    }
}

extension Trend {
    /// Its name in answers.
    fileprivate var name: String {
        switch self {
        case .still: "still"
        case .rises: "rises"
        case .falls: "falls"
        case .either: "either"
        }
    }
}
