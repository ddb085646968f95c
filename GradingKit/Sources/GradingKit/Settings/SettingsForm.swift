/// The description of a scheme's settings, one line for each.
///
/// It is the source for reading with all faults at once, for writing in canonical form, for the JSON Schema and for the
/// client's form.
public struct SettingsForm<Configuration> {
    struct Setting {
        let name: String
        let label: LocalizedText
        let schema: JSON
        let read: (JSON, inout Configuration, String, inout FaultList) -> Void
        let write: (Configuration) -> JSON
        /// The warnings about allowed but surprising values, such as one that is displayed on one side of a bar and
        /// judged on the other.
        var warnings: (Configuration, String) -> [Fault] = { _, _ in [] }
        /// The warnings that tell how a value was read if its text leaves that open, given the resulting configuration.
        var readings: (JSON, Configuration, String) -> [Fault] = { _, _, _ in [] }
        /// An entry in the configuration that must fit the scheme's own shape.
        var sampleEntry: ((Configuration) -> JSON?)?
    }

    struct Preset {
        let name: String
        let label: LocalizedText
        let apply: (inout Configuration) -> Void
    }

    private(set) var settings: [Setting] = []
    private(set) var presets: [Preset] = []

    init() {}

    /// Adds a setting of any type.
    mutating func setting(_ setting: Setting) { settings.append(setting) }

    /// Adds a named set of values on which a configuration may be based. `default` always exists.
    public mutating func preset(
        _ name: String, _ label: LocalizedText, _ apply: @escaping (inout Configuration) -> Void
    ) {
        presets.append(Preset(name: name, label: label, apply: apply))
    }

    /// Adds a decimal number.
    public mutating func number(
        _ name: String, _ path: WritableKeyPath<Configuration, Exact>, in range: ClosedRange<Exact>,
        _ label: LocalizedText, judgedBy rule: KeyPath<Configuration, FigureRule>? = nil
    ) {
        var setting = Setting(
            name: name, label: label,
            schema: ["type": "number", "minimum": range.lowerBound.json, "maximum": range.upperBound.json],
            read: { json, configuration, place, faults in
                guard let value = SettingReader.number(json, at: place, &faults) else { return }
                if range.contains(value) {
                    configuration[keyPath: path] = value
                } else {
                    faults.add(.outOfRange, at: place, ["min": range.lowerBound.json, "max": range.upperBound.json])
                }
            },
            write: { $0[keyPath: path].json })
        if let rule {
            setting.warnings = { configuration, place in
                let bar = configuration[keyPath: path]
                return configuration[keyPath: rule].contradiction(at: bar, path: place, within: range).map { [$0] }
                    ?? []
            }
        }
        settings.append(setting)
    }

    /// Adds a whole number.
    public mutating func integer(
        _ name: String, _ path: WritableKeyPath<Configuration, Int>, in range: ClosedRange<Int>, _ label: LocalizedText
    ) {
        settings.append(
            Setting(
                name: name, label: label,
                schema: [
                    "type": "integer", "minimum": .number(String(range.lowerBound)),
                    "maximum": .number(String(range.upperBound)),
                ],
                read: { json, configuration, place, faults in
                    guard let value = SettingReader.integer(json, in: range, at: place, &faults) else { return }
                    configuration[keyPath: path] = value
                },
                write: { .number(String($0[keyPath: path])) }))
    }

    /// Adds a yes-or-no setting.
    public mutating func flag(
        _ name: String, _ path: WritableKeyPath<Configuration, Bool>, _ label: LocalizedText
    ) {
        settings.append(
            Setting(
                name: name, label: label, schema: ["type": "boolean"],
                read: { json, configuration, place, faults in
                    if let value = json.bool {
                        configuration[keyPath: path] = value
                    } else {
                        faults.add(.wrongType, at: place, ["expected": "boolean"])
                    }
                },
                write: { .bool($0[keyPath: path]) }))
    }

    /// Adds a choice between the cases of an enumeration.
    public mutating func choice<Value>(
        _ name: String, _ path: WritableKeyPath<Configuration, Value>, _ label: LocalizedText
    ) where Value: RawRepresentable<String> & CaseIterable {
        settings.append(
            Setting(
                name: name, label: label,
                schema: ["enum": .array(Value.allCases.map { .string($0.rawValue) })],
                read: { json, configuration, place, faults in
                    guard let value = SettingReader.choice(json, Value.self, at: place, &faults) else { return }
                    configuration[keyPath: path] = value
                },
                write: { .string($0[keyPath: path].rawValue) }))
    }

    /// Adds the rule by which a figure is rounded, displayed and judged.
    public mutating func figureRule(
        _ name: String, _ path: WritableKeyPath<Configuration, FigureRule>, _ label: LocalizedText
    ) {
        settings.append(
            Setting(
                name: name, label: label, schema: FigureRule.schema,
                read: { json, configuration, place, faults in
                    configuration[keyPath: path].merge(json, at: place, &faults)
                },
                write: { $0[keyPath: path].json }))
    }

    /// Adds a scale of bands; `judgedBy` is the rule of the figure that is compared with it.
    public mutating func bands(
        _ name: String, _ path: WritableKeyPath<Configuration, [Band]>, hasPoints: Bool, _ label: LocalizedText,
        judgedBy rule: KeyPath<Configuration, FigureRule>
    ) {
        settings.append(
            Setting(
                name: name, label: label, schema: Band.schema(hasPoints: hasPoints),
                read: { json, configuration, place, faults in
                    let better = configuration[keyPath: rule].better
                    let bands = Band.list(json, hasPoints: hasPoints, better: better, at: place, &faults)
                    if let bands { configuration[keyPath: path] = bands }
                },
                write: { .array($0[keyPath: path].map(\.json)) },
                warnings: { configuration, place in
                    Bands(configuration[keyPath: path], judging: configuration[keyPath: rule]).warnings(at: place)
                },
                readings: { json, configuration, place in
                    Band.readings(of: json, as: configuration[keyPath: path], at: place)
                }))
    }

    /// Adds the table of the figures in which each status counts.
    public mutating func statuses(
        _ name: String, _ path: WritableKeyPath<Configuration, StatusTable>, _ label: LocalizedText
    ) {
        settings.append(
            Setting(
                name: name, label: label, schema: StatusTable.schema,
                read: { json, configuration, place, faults in
                    configuration[keyPath: path].merge(json, at: place, &faults)
                },
                write: { $0[keyPath: path].json }))
    }

    /// Adds an entry in JSON form that must fit the scheme's shape: the one that a form offers initially.
    public mutating func entry(
        _ name: String, _ path: WritableKeyPath<Configuration, JSON>, _ label: LocalizedText
    ) {
        settings.append(
            Setting(
                name: name, label: label, schema: ["type": "object"],
                read: { json, configuration, place, faults in
                    if json.object == nil { faults.add(.wrongType, at: place, ["expected": "object"]) }
                    configuration[keyPath: path] = json
                },
                write: { $0[keyPath: path] },
                sampleEntry: { $0[keyPath: path] }))
    }
}

extension SettingsForm {
    /// Reads a configuration and returns all its faults. Keys override the preset; the preset overrides the defaults.
    func read(
        _ json: JSON, preset name: String?, into configuration: inout Configuration, at path: String
    ) -> FaultList {
        var faults = FaultList()
        if let name, name != "default" {
            if let preset = presets.first(where: { $0.name == name }) {
                preset.apply(&configuration)
            } else {
                faults.add(.outOfRange, at: "/preset", .allowing(presetNames))
            }
        }
        if let object = json.object {
            for member in object {
                let place = path + JSONPointer.step(member.name)
                if let setting = settings.first(where: { $0.name == member.name }) {
                    setting.read(member.value, &configuration, place, &faults)
                } else {
                    faults.add(unknown: member.name, among: settings.map(\.name), at: path)
                }
            }
        } else if !json.isNull {
            faults.add(.wrongType, at: path, ["expected": "object"])
        }
        return faults
    }

    /// The names of all presets, `default` first.
    var presetNames: [String] { ["default"] + presets.map(\.name) }

    /// Returns all settings with their values.
    func write(_ configuration: Configuration) -> JSON {
        var object = JSONObject()
        for setting in settings { object[setting.name] = setting.write(configuration) }
        return .object(object)
    }

    /// Returns the JSON Schema (draft 2020-12) of the configuration, with labels for forms under `x-labels`.
    func schema(defaults: Configuration) -> JSON {
        var properties = JSONObject()
        for setting in settings {
            guard case .object(var schema) = setting.schema else { continue }
            schema["default"] = setting.write(defaults)
            schema["title"] = .string(setting.label(.english))
            schema["x-labels"] = setting.label.json
            properties[setting.name] = .object(schema)
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "properties": .object(properties), "additionalProperties": false,
        ]
    }
}

extension LocalizedText {
    /// The texts as an object, by language.
    public var json: JSON {
        .object(
            Language.allCases.reduce(into: JSONObject()) { $0[$1.rawValue] = .string(self($1)) })
    }
}

extension Exact {
    /// The value as a JSON number, or as the text of a ratio if no finite decimal equals it.
    public var json: JSON { decimalText.map { .number($0) } ?? .string(description) }
}
