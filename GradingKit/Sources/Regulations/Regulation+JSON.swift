public import GradingKit

extension Regulation {
    /// All that is wrong or surprising, in the order of the text: `{code, message, args, line, column, range, fix?,
    /// warning?}`. Messages are in every language; ranges count the bytes of the text.
    public var faultsJSON: JSON {
        .array(
            faults.map { fault in
                var object: JSONObject = [
                    "code": .string(fault.code.text), "message": fault.wording.filled(fault.arguments).json,
                    "args": .object(fault.arguments),
                ]
                for member in fault.place { object[member.name] = member.value }
                return .object(object)
            })
    }

    /// The worked examples, with what did not come out: `{name, differences: [{line, text}]}`, the text
    /// in every language.
    public var examplesJSON: JSON {
        .array(
            workedExamples().map { result in
                [
                    "name": .string(result.name),
                    "differences": .array(
                        result.differences.map { ["line": .number(String($0.line)), "text": $0.text.json] }),
                ]
            })
    }
}

extension LocalizedText {
    /// The text with its arguments filled in, in every language.
    fileprivate func filled(_ arguments: JSONObject) -> LocalizedText {
        LocalizedText(
            filled(.english, arguments), fr: filled(.french, arguments), zh: filled(.simplifiedChinese, arguments))
    }
}

extension RegulationDocument {
    /// What the document declares, in the order of its sorts: `{sort, name, of?, label?, article, line, range}`. The
    /// range is that of the name.
    func outline(_ source: SourceText) -> JSON {
        var items: [(place: Int, item: JSON)] = []
        func add(_ sort: String, _ heading: Heading, of kind: String? = nil) {
            var object: JSONObject = ["sort": .string(sort), "name": .string(heading.name.text)]
            if let kind { object["of"] = .string(kind) }
            if let label = heading.label { object["label"] = label.json }
            object["article"] = .string(heading.article)
            object["line"] = .number(String(source.position(of: heading.name.range.lowerBound).line))
            object["range"] = heading.name.range.json
            items.append((heading.name.range.lowerBound, .object(object)))
        }
        for item in scales { add("scale", item.heading) }
        for item in roundings { add("rounding", item.heading) }
        for item in bands { add("bands", item.heading) }
        for item in settings { add("setting", item.heading) }
        for item in entries { add("entry", item.heading, of: item.parent?.text) }
        for item in abbreviations { add("let", item.heading, of: item.kind?.text) }
        for item in figures { add("figure", item.heading, of: item.kind?.text) }
        for item in outcomes { add("outcome", item.heading, of: item.kind?.text) }
        for item in templates { add("template", item.heading) }
        for item in presets { add("preset", item.heading) }
        for item in examples { add("example", item.heading) }
        return .array(items.sorted { $0.place < $1.place }.map(\.item))
    }
}

extension Range<Int> {
    /// The two ends.
    var json: JSON { [.number(String(lowerBound)), .number(String(upperBound))] }
}
