import GradingKit

/// Checks what presets choose, as if a program chose it.
extension Checker {
    /// The cost of replacing one value by another, in steps: at most 50 bands are read.
    private static let stepsOfChoice = 2_000

    /// Checks that presets name settings and give them possible values.
    func checkPresets() {
        let structured = document.structuredSettings
        for preset in document.presets {
            for (name, value) in preset.values where !faults.isFull {
                if let setting = structured.first(where: { $0.name == name.text }) {
                    attempt { () throws(Stop) in try check(value, for: setting) }
                    continue
                }
                guard let setting = document.settings.first(where: { $0.heading.name.text == name.text }) else {
                    faults.add(
                        .unknownSetting, guessing: .unknownSettingGuess, name.text,
                        among: settings.keys.sorted() + structured.map(\.name), name.range)
                    continue
                }
                if !setting.content.admits(value.content) {
                    faults.add(
                        .unknownChoice, value.range,
                        ["field": .string(name.text), "name": .string(faults.source[value.range])])
                }
            }
        }
    }

    /// Checks a value that a preset chooses from the document. It must be one that a program may choose.
    private func check(_ value: OutlineValue, for setting: StructuredSetting) throws(Stop) {
        let found = faults.source[value.range]
        var arguments: JSONObject = ["name": .string(setting.name), "found": .string(found)]
        guard let rule = setting.other(value.content) else { throw stop(.presetRule, value.range, arguments) }
        faults.spend(Self.stepsOfChoice)
        var (chosen, refused) = (document, FaultList())
        _ = setting.choose(rule, &chosen, "", &refused)
        if let fault = refused.faults.first {
            let catalog = MessageCatalog.kit
            let words = LocalizedText(
                catalog.message(fault, in: .english), fr: catalog.message(fault, in: .french),
                zh: catalog.message(fault, in: .simplifiedChinese))
            arguments["fault"] = words.json
            throw stop(.presetRefused, value.range, arguments)
        }
        guard isOfLetters(setting.name), let table = chosen.bands.first(where: { $0.heading.name.text == setting.name })
        else { return }
        _ = try scale(ofLetters: table.bands.map(\.band), named: found, at: value.range)
    }

    /// Whether these bands are the letters of a field.
    private func isOfLetters(_ name: String) -> Bool {
        document.entries.contains { entry in
            entry.fields.contains { if case .letter(let bands) = $0.content { bands.text == name } else { false } }
        }
    }
}

extension Wording {
    fileprivate static let presetRefused = Wording(
        "preset_rule",
        "“{found}” cannot stand in for “{name}” — no program could choose it: {fault}. Mend “{found}”, or name another",
        fr:
            "« {found} » ne peut remplacer « {name} » — aucun programme ne pourrait le choisir : {fault}. Corrigez « {found} » ou nommez-en un autre",
        zh: "“{found}”不能代替“{name}”——任何项目都无法这样选择：{fault}。请修正“{found}”，或另写一个")
}
