/// The description of a scheme for clients: the body of `GET /v1/schemes/{id}`.
struct SchemeDescription {
    private(set) var json: [UInt8] = []

    init<Scheme: GradingScheme>(_ type: Scheme.Type) {
        var form = SettingsForm<Scheme.Configuration>()
        Scheme.Configuration.describe(&form)
        let defaults = Scheme.Configuration()
        let compiled = CompiledScheme(Scheme(configuration: defaults))
        var writer = JSONWriter(capacity: 8192)
        writer.object { writer in
            writer.member("id", Scheme.identifier.text)
            if let version = Scheme.version { writer.member("version", version) }
            writer.member("title", Scheme.title.json)
            writer.member("description", Scheme.summary.json)
            Self.write(compiled, to: &writer)
            writer.member("configuration") { Self.write(form, defaults, to: &$0) }
            Self.writeWords(of: compiled, to: &writer)
        }
        json = writer.bytes
    }

    /// Describes a scheme under a configuration: the rules' own members replace those of `scheme`, which describes the
    /// scheme alone.
    init(of rules: Rulebook, in scheme: [UInt8]) {
        let members = (try? JSON.parse(scheme))?.object ?? JSONObject()
        let ofRules = ["shape", "figures", "outcomes", "groups", "templates", "messages"]
        var writer = JSONWriter(capacity: 8192)
        writer.object { writer in
            for member in members where !ofRules.contains(member.name) {
                writer.member(member.name, rules.particulars[member.name] ?? member.value)
            }
            for member in rules.particulars where members[member.name] == nil {
                writer.member(member.name, member.value)
            }
            Self.write(rules.compiled, to: &writer)
            Self.writeWords(of: rules.compiled, to: &writer)
        }
        json = writer.bytes
    }

    /// Describes a scheme whose rules are documents, as far as possible without a document.
    init(ofDocuments identifier: SchemeIdentifier, _ title: LocalizedText, _ summary: LocalizedText, schema: JSON) {
        json =
            JSON.object([
                "id": .string(identifier.text), "title": title.json, "description": summary.json, "document": true,
                "configuration": [
                    "schema": schema, "defaults": [:], "presets": ["default": [:]], "presetLabels": [:],
                ],
            ]).bytes
    }

    /// Writes the templates and the wording of all codes.
    private static func writeWords(of compiled: CompiledScheme, to writer: inout JSONWriter) {
        writer.member("templates") { writer in
            writer.array {
                for template in compiled.templates {
                    $0.value(["id": .string(template.name), "label": template.label.json])
                }
            }
        }
        writer.member("messages") { writer in
            writer.object {
                for code in compiled.catalog.codes {
                    $0.name(code.text)
                    compiled.catalog.write(code, to: &$0)
                }
            }
        }
    }

    /// Writes the shape of records, and the figures and outcomes computed from them.
    static func write(_ compiled: CompiledScheme, to writer: inout JSONWriter) {
        writer.member("shape") { write(compiled.shape, to: &$0) }
        writer.member("figures") { writeFigures(compiled, to: &$0) }
        writeHiddenFigures(compiled, to: &writer)
        writer.member("outcomes") { writeOutcomes(compiled, to: &$0) }
        writeGroups(compiled, to: &writer)
    }

    static func write(_ shape: RecordShape, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("fields") { write(shape.record.fields, to: &$0) }
            writer.member("kinds") { writer in
                writer.array { for kind in shape.kinds.dropFirst() { write(kind, to: &$0) } }
            }
        }
    }

    private static func write(_ kind: KindShape, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", kind.kind.name)
            write(formerNames: kind.formerNames, to: &writer)
            writer.member("label", kind.label.json)
            if kind.nested > 1 { writer.member("nested", kind.nested) }
            if let copies = kind.copies { writer.member("copies", copies) }
            writer.member("parent", kind.parent == .record ? nil : kind.parent?.name)
            writer.member("min", kind.count.lowerBound)
            let limit = kind.count.upperBound
            writer.member("max", limit < RecordShape.greatestEntryCount ? limit : nil)
            writer.member("excessFault", kind.excessFault.text)
            writer.member("fields") { write(kind.fields, to: &$0) }
            kind.write(statusesTo: &writer)
        }
    }

    /// Writes the former names of something, if it has any.
    fileprivate static func write(formerNames names: [String], to writer: inout JSONWriter) {
        if !names.isEmpty { writer.member("was", .array(names.map { .string($0) })) }
    }

    private static func write(_ fields: [FieldShape], to writer: inout JSONWriter) {
        writer.array { for field in fields { field.write(to: &$0) } }
    }

    private static func writeFigures(_ compiled: CompiledScheme, to writer: inout JSONWriter) {
        writer.array { writer in
            for (kind, compiled) in zip(compiled.shape.kinds, compiled.kinds) {
                for figure in compiled.figures {
                    guard let presentation = figure.presentation else { continue }
                    write(
                        figure.figure, of: kind.wireName, presentation, figure.formerNames, isFamily: false,
                        to: &writer)
                }
            }
            for family in compiled.families {
                write(
                    family.figure, of: family.kind.wireName, family.presentation, family.formerNames, isFamily: true,
                    to: &writer)
            }
            for grouping in compiled.groupings {
                let kind = compiled.shape.kinds[grouping.parent].kind
                for figure in compiled.kinds[grouping.kind].figures {
                    guard let presentation = figure.presentation else { continue }
                    write(
                        figure.figure, of: kind.wireName, presentation, figure.formerNames, isFamily: true, to: &writer)
                }
            }
        }
    }

    /// Writes the names that explanations use for figures that are not shown, if any has a label.
    private static func writeHiddenFigures(_ compiled: CompiledScheme, to writer: inout JSONWriter) {
        let labels = zip(compiled.shape.kinds, compiled.kinds).flatMap { kind, compiled in
            compiled.figures.compactMap { figure in
                figure.presentation != nil ? nil : figure.label.map { (figure.figure.name, kind.wireName, $0) }
            }
        }
        guard !labels.isEmpty else { return }
        writer.member("hiddenFigures") { writer in
            writer.array { writer in
                for (name, kind, label) in labels {
                    writer.value(["name": .string(name), "kind": kind, "label": label.json])
                }
            }
        }
    }

    private static func write(
        _ figure: Figure, of kind: JSON, _ presentation: Presentation, _ formerNames: [String], isFamily: Bool,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("name", figure.name)
            write(formerNames: formerNames, to: &writer)
            writer.member("kind", kind)
            writer.member("label", presentation.label.json)
            writer.member("family", isFamily)
            presentation.describe(to: &writer)
        }
    }

    private static func writeOutcomes(_ compiled: CompiledScheme, to writer: inout JSONWriter) {
        writer.array { writer in
            for (kind, compiled) in zip(compiled.shape.kinds, compiled.kinds) {
                for outcome in compiled.outcomes {
                    write(outcome, of: kind.wireName, isFamily: outcome.isFamily, to: &writer)
                }
            }
            for grouping in compiled.groupings {
                let kind = compiled.shape.kinds[grouping.parent].wireName
                for outcome in compiled.kinds[grouping.kind].outcomes {
                    write(outcome, of: kind, isFamily: true, to: &writer)
                }
            }
        }
    }

    private static func write(
        _ outcome: CompiledOutcome, of kind: JSON, isFamily: Bool, to writer: inout JSONWriter
    ) {
        var described: JSONObject = ["name": .string(outcome.name), "kind": kind, "label": outcome.label.json]
        if isFamily { described["family"] = true }
        if !outcome.formerNames.isEmpty { described["was"] = .array(outcome.formerNames.map { .string($0) }) }
        if let article = outcome.article { described["article"] = .string(article) }
        if !outcome.values.isEmpty { described["values"] = .array(outcome.values.map(\.json)) }
        writer.value(.object(described))
    }

    /// Writes the groupings of entries: `fields` has the fields that make up the key, `null` for a computed part.
    private static func writeGroups(_ compiled: CompiledScheme, to writer: inout JSONWriter) {
        guard !compiled.groupings.isEmpty else { return }
        writer.member("groups") { writer in
            writer.array { writer in
                for (grouping, texts) in zip(compiled.groupings, compiled.groupingTexts) {
                    let kind = compiled.kinds[grouping.kind]
                    let names = kind.shown.map(\.name) + kind.outcomes.map(\.name)
                    writer.value([
                        "kind": compiled.shape.kinds[grouping.parent].wireName,
                        "of": .string(compiled.shape.kinds[grouping.base].kind.name), "label": texts.label.json,
                        "fields": .array(texts.fields.map { $0.map { .string($0) } ?? .null }),
                        "members": .array(names.map { .string($0) }),
                    ])
                }
            }
        }
    }

    private static func write<Configuration: SchemeConfiguration>(
        _ form: SettingsForm<Configuration>, _ defaults: Configuration, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("schema", form.schema(defaults: defaults))
            writer.member("defaults", form.write(defaults))
            writer.member("presets") { writer in
                writer.object { writer in
                    writer.member("default", form.write(defaults))
                    for preset in form.presets {
                        var configuration = defaults
                        preset.apply(&configuration)
                        writer.member(preset.name, form.write(configuration))
                    }
                }
            }
            writer.member("presetLabels") { writer in
                writer.object { writer in
                    for preset in form.presets { writer.member(preset.name, preset.label.json) }
                }
            }
        }
    }
}

extension KindShape {
    fileprivate var wireName: JSON { kind.wireName }
}

extension Kind {
    fileprivate var wireName: JSON { self == .record ? .null : .string(name) }
}

extension FieldShape {
    /// Writes the field's possible values and its texts, as an object in the form of scheme descriptions.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            SchemeDescription.write(formerNames: formerNames, to: &writer)
            writer.member("type", typeName)
            writer.member("required", isRequired)
            writer.member("min", lowest?.value.decimalText)
            writer.member("max", highest?.value.decimalText)
            writer.member("exclusiveMin", lowest.map { if case .exclusive = $0 { true } else { false } } ?? false)
            writer.member("maxField", highestField)
            writer.member("rangeFault", rangeFault.text)
            if case .text(let length) = content { writer.member("maxLength", length) }
            writer.member("decimals", content == .integer ? 0 : decimals)
            writer.member("default") { initialValue.write(to: &$0) }
            writer.member("choices") { writer in
                writer.array { writer in
                    guard case .choice(let choices) = content else { return }
                    for choice in choices {
                        writer.object {
                            $0.member("value") { choice.value.write(to: &$0) }
                            $0.member("label", choice.label.json)
                            if let points = points(of: choice) {
                                $0.member("points", points.decimalText ?? points.description)
                            }
                        }
                    }
                }
            }
            writer.member("label", label.json)
            writer.member("decimalComma", allowsComma)
            if isPerStudent { writer.member("perStudent", true) }
            writer.member("grade", isGrade)
            if isGrade { writeGrade(to: &writer) }
        }
    }

    private func points(of choice: Choice) -> Exact? {
        guard !letters.isEmpty, case .text(let label) = choice.value else { return nil }
        return letters.first { $0.label == label }?.points
    }

    /// Writes the range and the step of a grade.
    private func writeGrade(to writer: inout JSONWriter) {
        if let bestGradeField { writer.member("bestField", bestGradeField) }
        if let bestGrade { writer.member("best", bestGrade.json) }
        writer.member("worst", worstGrade.json)
        writer.member("step", gradeStep.json)
    }

    private var typeName: String {
        switch content {
        case .text: "text"
        case .number: "number"
        case .integer: "integer"
        case .flag: "boolean"
        case .choice: "choice"
        }
    }
}
