public import GradingKit

extension InstalledScheme {
    /// The scheme for programs whose rules are a document. Their configuration is `{"document":"#
    /// …","settings":{"bar":"12"}}`.
    ///
    /// - Parameter prove: throws other reasons why a document without faults cannot be published, such as a law of
    ///   grading that it breaks; its faults refer to the document.
    public static func regulations(
        proving prove: @escaping @Sendable (Rulebook) -> [Fault] = { _ in [] }
    ) -> InstalledScheme {
        InstalledScheme(
            documents: "regulations",
            title: LocalizedText("Own regulations", fr: "Règlement propre", zh: "自定章程"),
            summary: LocalizedText(
                "Rules that an institution writes itself, as one document: its regulations in prose, with the same rules exactly.",
                fr:
                    "Des règles que l’établissement écrit lui-même, en un seul document : son règlement en prose, et les mêmes règles exactement.",
                zh: "由院校自行编写的规则：一份文档，既有章程文字，也有与之完全一致的精确规则。"),
            schema: RegulationDocument.schema(settings: nil),
            draft: { preset, configuration throws(FaultList) in
                let parts = try RegulationConfiguration(configuration)
                let regulation = parts.regulation(preset: preset)
                return ConfigurationDraft(
                    configuration: parts.kept(settings: regulation.settings), warnings: regulation.findings)
            },
            prove: { configuration throws(FaultList) in
                let parts = try RegulationConfiguration(configuration)
                let regulation = parts.regulation(preset: nil)
                let rules = try regulation.rules()
                // Examples are part of the document, and hold under its own settings.
                try FaultList(parts.unset.brokenExamples).check()
                try FaultList(prove(rules).map { regulation.placed($0).prefixed(RegulationConfiguration.path) }).check()
            },
            rulebook: { preset, configuration throws(FaultList) in
                try RegulationConfiguration(configuration).regulation(preset: preset).rules()
            })
    }
}

/// The parts of the configuration of a document's program.
private struct RegulationConfiguration {
    /// The path of the document in a request.
    static let path = "/configuration/document"

    private let document: String
    private let settings: JSON

    /// Splits a configuration into document and settings; throws what is neither.
    init(_ json: JSON) throws(FaultList) {
        var faults = FaultList()
        let object = json.object ?? JSONObject()
        if json.object == nil, !json.isNull {
            faults.add(.wrongType, at: "/configuration", ["expected": "object"])
        }
        for member in object.members.prefix(100) where !["document", "settings"].contains(member.name) {
            faults.add(unknown: member.name, among: ["document", "settings"], at: "/configuration")
        }
        document = object["document"]?.string ?? ""
        settings = object["settings"] ?? .null
        if let text = object["document"], text.string == nil {
            faults.add(.wrongType, at: Self.path, ["expected": "string"])
        }
        if document.utf8.count > RegulationText.limit {
            let limit: JSONObject = ["limit": .number(String(RegulationText.limit >> 10))]
            faults.add(Fault(Wording.tooLong.code, at: Self.path, limit, wording: Wording.tooLong.text))
        }
        if !settings.isNull, settings.object == nil {
            faults.add(.wrongType, at: "/configuration/settings", ["expected": "object"])
        }
        if settings.object?.count ?? 0 > SettingChoices.most {
            faults.add(SettingChoices.tooMany.prefixed("/configuration"))
        }
        try faults.check()
    }

    func regulation(preset: String?) -> Regulation {
        Regulation(Array(document.utf8), preset: preset, settings: settings)
    }

    /// The document under its own settings.
    var unset: Regulation { Regulation(Array(document.utf8)) }

    /// The configuration in its stored form.
    func kept(settings: JSONObject) -> JSON { ["document": .string(document), "settings": .object(settings)] }
}

extension Regulation {
    /// All faults and warnings, as faults of a configuration.
    fileprivate var findings: [Fault] { faults.map(\.fault) + choiceFaults }

    /// The rules; throws the faults of the document and the settings.
    fileprivate func rules() throws(FaultList) -> Rulebook {
        try FaultList(faults.filter { !$0.isWarning }.map(\.fault) + choiceFaults).check()
        guard let rulebook else { throw FaultList([Fault(.missingField, at: RegulationConfiguration.path)]) }
        return rulebook
    }

    /// A fault of the rules, with the place of the `figure` that it names: `line`, `column` and `article`.
    fileprivate func placed(_ fault: Fault) -> Fault {
        guard let figure = fault.arguments["figure"]?.string,
            let place = place(of: figure, in: fault.arguments["kind"]?.string)
        else { return fault }
        var arguments = fault.arguments
        for member in place.members { arguments[member.name] = member.value }
        return Fault(fault.code, at: fault.path, arguments, wording: fault.wording)
    }

    private var choiceFaults: [Fault] {
        settingFaults.faults.map { fault in
            fault.path.hasPrefix("/settings") ? fault.prefixed("/configuration") : fault
        }
    }

    /// The worked examples with other results than expected.
    fileprivate var brokenExamples: [Fault] {
        workedExamples().flatMap { result in result.differences.map { (result.name, $0) } }.prefix(100).map {
            name, difference in
            Fault(
                "example_differs", at: RegulationConfiguration.path,
                [
                    "example": .string(name), "line": .number(String(difference.line)),
                    "difference": difference.text.json,
                ],
                wording: LocalizedText(
                    "the example “{example}” does not come out — line {line}: {difference}",
                    fr: "l’exemple « {example} » ne donne pas le résultat attendu — ligne {line} : {difference}",
                    zh: "示例“{example}”的结果与预期不符——第 {line} 行：{difference}"))
        }
    }
}

extension RegulationFault {
    /// The fault as one of a configuration: with the arguments of its message, `line`, `column`, `range` in bytes, and
    /// if there is one, `fix`.
    fileprivate var fault: Fault {
        var arguments = arguments
        for member in place { arguments[member.name] = member.value }
        return Fault(code, at: RegulationConfiguration.path, arguments, wording: wording)
    }

    /// Its place and its fix.
    var place: JSONObject {
        var place: JSONObject = [
            "line": .number(String(line)), "column": .number(String(column)), "range": range.json,
        ]
        if let fix { place["fix"] = ["range": fix.range.json, "replacement": .string(fix.replacement)] }
        if isWarning { place["warning"] = true }
        return place
    }
}
