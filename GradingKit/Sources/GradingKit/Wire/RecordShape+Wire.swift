extension RecordShape {
    /// Reads the shape in a scheme's description.
    init(_ wire: WireValue) throws(SchemeFailure) {
        let kinds = try wire["kinds"].list(atMost: 64)
        let parents = try wire["kinds"].map { kind throws(SchemeFailure) in try kind["parent"].textIfAny() }
        self.init(
            fields: try FieldShape.list(wire["fields"]), kinds: try Self.kinds(in: nil, of: kinds, parents, depth: 0))
        guard self.kinds.count == kinds.count + 1 else { throw wire.wrong("a tree of kinds") }
        if let violation = violations.first { throw SchemeFailure("the shape is wrong: \(violation)") }
    }

    /// The greatest depth of nested kinds.
    private static let depth = 8

    private static func kinds(
        in parent: String?, of kinds: [WireValue], _ parents: [String?], depth: Int
    ) throws(SchemeFailure) -> [KindShape] {
        guard depth < Self.depth else { throw SchemeFailure("kinds nest deeper than \(Self.depth)") }
        var shapes: [KindShape] = []
        for (kind, own) in zip(kinds, parents) where own == parent {
            let name = try kind["kind"].name()
            let least = try kind["min"].optional { value throws(SchemeFailure) in try value.integer() } ?? 0
            let most =
                try kind["max"].optional { value throws(SchemeFailure) in try value.integer() } ?? greatestEntryCount
            guard 0...greatestEntryCount ~= least, least...greatestEntryCount ~= most else {
                throw kind["max"].wrong("a limit")
            }
            let shape = KindShape(
                Kind(name), try kind["label"].localized(), count: least...most,
                excess: try kind["excessFault"].optional { code throws(SchemeFailure) in try code.code() }
                    ?? .entryLimit,
                statuses: try kind["statuses"].optional { value throws(SchemeFailure) in
                    try value.map { status throws(SchemeFailure) in try status.word(Status.self) }
                } ?? [],
                statusLabels: try kind["statusLabels"].optional { labels throws(SchemeFailure) in
                    try statusLabels(labels)
                } ?? [:],
                fields: try FieldShape.list(kind["fields"]),
                children: try Self.kinds(in: name, of: kinds, parents, depth: depth + 1)
            ).formerly(try kind["was"].formerNames())
            let levels = try kind["nested"].optional { value throws(SchemeFailure) in try value.integer() } ?? 1
            guard 1...KindShape.mostNested ~= levels else { throw kind["nested"].wrong("a number of levels") }
            let nested = shape.nested(levels)
            shapes.append(try kind["copies"].textIfAny().map { nested.copying(Kind($0)) } ?? nested)
        }
        return shapes
    }

    private static func statusLabels(_ wire: WireValue) throws(SchemeFailure) -> [Status: LocalizedText] {
        var labels: [Status: LocalizedText] = [:]
        for (name, label) in try wire.object() {
            guard let status = Status(rawValue: name) else { throw label.wrong("the label of a status") }
            labels[status] = try label.localized()
        }
        return labels
    }
}

extension FieldShape {
    fileprivate static func list(_ wire: WireValue) throws(SchemeFailure) -> [FieldShape] {
        try wire.map(atMost: 64) { field throws(SchemeFailure) in try read(field) }
    }

    private static func read(_ wire: WireValue) throws(SchemeFailure) -> FieldShape {
        var shape = try bare(wire).formerly(wire["was"].formerNames())
        if try !wire["required"].flag(orElse: true) { shape = shape.optional() }
        let fault = try wire["rangeFault"].optional { code throws(SchemeFailure) in try code.code() }
        if !wire["min"].isNull {
            let bound = try wire["min"].exact()
            shape =
                try wire["exclusiveMin"].flag()
                ? shape.above(bound, orFault: fault) : shape.atLeast(bound, orFault: fault)
        }
        if !wire["max"].isNull { shape = shape.atMost(try wire["max"].exact(), orFault: fault) }
        if !wire["maxField"].isNull { shape = shape.atMost(Field(try wire["maxField"].text()), orFault: fault) }
        if try wire["decimalComma"].flag() { shape = shape.withDecimalComma() }
        if try wire["perStudent"].flag() { shape = shape.perStudent() }
        switch wire["default"].json {
        case .number: shape = shape.initially(try wire["default"].exact())
        case .string(let text): shape = shape.initially(text)
        case .bool(let flag): shape = shape.initially(flag)
        default: break
        }
        return try wire["grade"].flag() ? try shape.graded(wire) : shape
    }

    private static func bare(_ wire: WireValue) throws(SchemeFailure) -> FieldShape {
        let (name, label) = (try wire["name"].name(), try wire["label"].localized())
        switch try wire["type"].text() {
        case "text":
            let length = try wire["maxLength"].optional { value throws(SchemeFailure) in try value.integer() } ?? 200
            guard 1...10_000 ~= length else { throw wire["maxLength"].wrong("a length") }
            return .text(Field(name), label, maxLength: length)
        case "number": return .number(Field(name), label)
        case "integer": return .integer(Field<Exact>(name), label)
        case "boolean": return .flag(Field(name), label)
        case "choice":
            if try wire["grade"].flag() {
                let letters = try wire["choices"].map { choice throws(SchemeFailure) in
                    Band(
                        try choice["value"].text(), from: 0, points: try choice["points"].exact(),
                        text: try choice["label"].optional { value throws(SchemeFailure) in try value.localized() })
                }
                guard !letters.isEmpty else { throw wire["choices"].wrong("letters with points") }
                return .letter(Field(name), label, of: letters)
            }
            let choices = try wire["choices"].map { choice throws(SchemeFailure) -> Choice in
                let label = try choice["label"].localized()
                if let number = choice["value"].json.integer { return Choice(number, label) }
                return Choice(try choice["value"].text(), label)
            }
            if case .number? = choices.first?.value { return .choice(Field<Int>(name), label, of: choices) }
            return .choice(Field<String>(name), label, of: choices)
        default: throw wire["type"].wrong("a type of field")
        }
    }

    private func graded(_ wire: WireValue) throws(SchemeFailure) -> FieldShape {
        if !letters.isEmpty { return self }
        if !wire["bestField"].isNull { return asGrade(best: Field(try wire["bestField"].text())) }
        let number = { (value: WireValue) throws(SchemeFailure) -> Exact in try value.exact() }
        return asGrade(
            best: try wire["best"].exact(), worst: try wire["worst"].optional(number) ?? 0,
            step: try wire["step"].optional(number))
    }
}

extension WireValue {
    /// Reads the former names of something; none if the member is absent.
    func formerNames() throws(SchemeFailure) -> [String] {
        try optional { names throws(SchemeFailure) in
            try names.map(atMost: 16) { name throws(SchemeFailure) in try name.name() }
        } ?? []
    }
}
