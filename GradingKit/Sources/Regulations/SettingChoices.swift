import GradingKit

/// The values that a program chooses for the settings of a document.
struct SettingChoices {
    /// The values that override the document's own, by the name of the setting.
    private(set) var values: [String: OutlineValue.Content] = [:]
    /// The values in the stored form of a configuration.
    private(set) var kept = JSONObject()
    /// The document with the chosen roundings, bands and statuses.
    private(set) var document: RegulationDocument
    /// The faults of the choices; paths start at `/preset` and `/settings`.
    private(set) var faults = FaultList()

    /// The most settings that may be chosen, more than a document can declare.
    static let most = 256
    /// The fault of choosing more of them.
    static let tooMany = Fault(
        Wording.tooMany.code, at: "/settings", ["limit": .number(String(most))], wording: Wording.tooMany.text)

    /// Reads a preset and the values that override it.
    init(of document: RegulationDocument, preset: String?, _ settings: JSON) {
        self.document = document
        let structured = document.structuredSettings
        if let preset, preset != "default" {
            if let found = document.presets.first(where: { $0.heading.name.text == preset }) {
                for (setting, value) in found.values {
                    // A rounding, bands or a status may be that of another name.
                    if let own = structured.first(where: { $0.name == setting.text }) {
                        guard let rule = own.other(value.content) else { continue }
                        kept[setting.text] = own.choose(rule, &self.document, "/preset", &faults) ?? rule
                    } else {
                        choose(setting.text, value.content)
                    }
                }
            } else {
                faults.add(
                    .outOfRange, at: "/preset", .allowing(["default"] + document.presets.map(\.heading.name.text)))
            }
        }
        guard let object = settings.object else {
            if !settings.isNull { faults.add(.wrongType, at: "/settings", ["expected": "object"]) }
            return
        }
        // The following code searches the existing settings for each of them.
        guard object.count <= Self.most else {
            faults.add(Self.tooMany)
            return
        }
        let known = document.settings.map(\.heading.name.text) + structured.map(\.name)
        for member in object {
            let place = "/settings" + JSONPointer.step(member.name)
            if let setting = structured.first(where: { $0.name == member.name }) {
                kept[member.name] = setting.choose(member.value, &self.document, place, &faults) ?? member.value
                continue
            }
            guard let setting = document.settings.first(where: { $0.heading.name.text == member.name }) else {
                faults.add(unknown: member.name, among: known, at: "/settings")
                kept[member.name] = member.value
                continue
            }
            switch setting.content.read(member.value) {
            case .success(let value): choose(member.name, value)
            case .failure(let fault):
                faults.add(fault.prefixed(place))
                kept[member.name] = member.value
            }
        }
    }

    private mutating func choose(_ name: String, _ value: OutlineValue.Content) {
        values[name] = value
        kept[name] = value.json
    }
}

extension RegulationDocument.Setting.Content {
    /// Whether a setting can have a value.
    func admits(_ value: OutlineValue.Content) -> Bool {
        switch (self, value) {
        case (.number(_, let from, let to), .number(let value)): from ?? value <= value && value <= to ?? value
        case (.numberOf(_, let numbers), .number(let value)): numbers.contains(value)
        case (.flag, .flag): true
        case (.choice(_, let choices), .word(let word)): choices.contains { $0.text == word }
        default: false
        }
    }

    /// Reads the value of a setting: a number or its text, a truth value, or a choice.
    fileprivate func read(_ json: JSON) -> Result<OutlineValue.Content, Fault> {
        switch (self, json) {
        case (.number(_, let from, let to), .number(let text)), (.number(_, let from, let to), .string(let text)):
            var arguments = JSONObject()
            if let from { arguments["min"] = from.json }
            if let to { arguments["max"] = to.json }
            return number(text, isText: json.string != nil, else: arguments)
        case (.numberOf(_, let numbers), .number(let text)), (.numberOf(_, let numbers), .string(let text)):
            return number(text, isText: json.string != nil, else: ["allowed": .array(numbers.map(\.json))])
        case (.flag, .bool(let flag)): return .success(.flag(flag))
        case (.choice(_, let choices), .string(let word)):
            if admits(.word(word)) { return .success(.word(word)) }
            return .failure(Fault(.outOfRange, .allowing(choices.map(\.text))))
        default: return .failure(Fault(.wrongType, ["expected": .string(typeName)]))
        }
    }

    /// Reads a number; `arguments` describes the possible ones.
    private func number(
        _ text: String, isText: Bool, else arguments: JSONObject
    ) -> Result<OutlineValue.Content, Fault> {
        guard let decimal = DecimalText(text, allowsExponent: !isText) else { return .failure(Fault(.notANumber)) }
        guard decimal.significantDigits <= 9, decimal.decimals <= 6 else { return .failure(Fault(.tooPrecise)) }
        if admits(.number(decimal.value)) { return .success(.number(decimal.value)) }
        return .failure(Fault(.outOfRange, arguments))
    }

    private var typeName: String {
        switch self {
        case .number, .numberOf: "number"
        case .flag: "boolean"
        case .choice: "string"
        }
    }
}

extension RegulationDocument {
    /// The members of a description that replace those of the scheme.
    var particulars: JSONObject {
        var particulars: JSONObject = ["configuration": configuration]
        if let title = regulation?.label { particulars["title"] = title.json }
        return particulars
    }

    /// The settings with their defaults, and the presets, from which clients make forms.
    private var configuration: JSON {
        var defaults = settings.reduce(into: JSONObject()) { $0[$1.heading.name.text] = $1.content.initial.json }
        let structured = structuredSettings
        for setting in structured { defaults[setting.name] = setting.initial }
        var (all, labels): (JSONObject, JSONObject) = (["default": ["settings": .object(defaults)]], JSONObject())
        for preset in presets {
            let values = preset.values.reduce(into: defaults) { values, chosen in
                let own = structured.first { $0.name == chosen.setting.text }
                let rule = own?.other(chosen.value.content)
                values[chosen.setting.text] = rule ?? chosen.value.content.json
            }
            all[preset.heading.name.text] = ["settings": .object(values)]
            labels[preset.heading.name.text] = (preset.heading.label ?? Checker.label(preset.heading.name.text)).json
        }
        return [
            "schema": Self.schema(settings: .object(schemas)), "defaults": ["settings": .object(defaults)],
            "presets": .object(all), "presetLabels": .object(labels),
        ]
    }

    private var schemas: JSONObject {
        var schemas = JSONObject()
        func add(_ name: String, _ label: LocalizedText, _ schema: JSONObject, _ initial: JSON) {
            var schema = schema
            schema["default"] = initial
            schema["title"] = .string(label(.english))
            schema["x-labels"] = label.json
            schemas[name] = .object(schema)
        }
        for setting in settings {
            let label = setting.heading.label ?? Checker.label(setting.heading.name.text)
            add(setting.heading.name.text, label, setting.content.schema, setting.content.initial.json)
        }
        for setting in structuredSettings {
            add(setting.name, setting.label, setting.schema.object ?? JSONObject(), setting.initial)
        }
        return schemas
    }

    /// JSON Schema (draft 2020-12) of a configuration.
    ///
    /// - Parameter settings: the schemas of the settings by name; `nil` if there is no document yet.
    static func schema(settings: JSON?) -> JSON {
        let document = LocalizedText("Regulations", fr: "Règlement", zh: "章程")
        let label = LocalizedText("Settings", fr: "Réglages", zh: "设置")
        var object: JSONObject = [
            "type": "object", "title": .string(label(.english)), "x-labels": label.json,
        ]
        if let settings {
            object["properties"] = settings
            object["additionalProperties"] = false
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "properties": [
                "document": [
                    "type": "string", "maxLength": .number(String(RegulationText.limit)),
                    "title": .string(document(.english)), "x-labels": document.json,
                ], "settings": .object(object),
            ], "required": ["document"], "additionalProperties": false,
        ]
    }
}

extension RegulationDocument.Setting.Content {
    /// The value in the document.
    fileprivate var initial: OutlineValue.Content {
        switch self {
        case .number(let value, _, _), .numberOf(let value, _): .number(value)
        case .flag(let flag): .flag(flag)
        case .choice(let word, _): .word(word)
        }
    }

    fileprivate var schema: JSONObject {
        switch self {
        case .number(_, let from, let to):
            var schema: JSONObject = ["type": "number"]
            if let from { schema["minimum"] = from.json }
            if let to { schema["maximum"] = to.json }
            return schema
        case .numberOf(_, let numbers): return ["type": "number", "enum": .array(numbers.map(\.json))]
        case .flag: return ["type": "boolean"]
        case .choice(_, let choices): return ["enum": .array(choices.map { .string($0.text) })]
        }
    }
}
