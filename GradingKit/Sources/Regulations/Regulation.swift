public import GradingKit

/// An institution's regulations in one Markdown document, read and checked: the rules in its blocks, their faults, and
/// the resulting rulebook.
///
/// A pure function of the text: no clock, no chance, no input or output. Its cost is bounded, whatever the text.
public struct Regulation: Sendable {
    /// Faults and warnings, in the order of the text.
    public let faults: [RegulationFault]
    /// The rules, ready to judge records; `nil` if there is a fault.
    public let rulebook: Rulebook?
    /// The title of the document.
    public let title: LocalizedText?
    /// The sets of settings in the document.
    public let presets: [String]
    /// The chosen values of settings, including those of the preset, in stored form.
    public let settings: JSONObject
    /// The faults of the requested preset and settings; paths start at `/preset` and `/settings`.
    public let settingFaults: FaultList
    /// The declarations: `{sort, name, of?, label?, article, line, range}` in the order of the text. Numbers also have
    /// `unit`, figures `trend` and the range of their `formula`, fields their `type`.
    public let outline: JSON
    let examples: [PreparedExample]
    let templates: [PreparedTemplate]
    let source: SourceText
    let document: RegulationDocument
    /// The meaning of names in formulas, by offset.
    let mentions: [Int: Mention]
    /// The cost of splitting a byte of a document into words, in steps.
    private static let stepsOfByte = 10

    /// Reads and checks a document in UTF-8.
    ///
    /// - Parameters:
    ///   - preset: a set of settings in the document; `nil` for the document's own values.
    ///   - settings: an object of values that override the document's and the preset's, or `null`.
    ///   - meter: counts the work. Once it is over, the rest stays unread, and the result must not be used.
    public init(_ text: [UInt8], preset: String? = nil, settings: JSON = .null, meter: WorkMeter? = nil) {
        let source = SourceText(text)
        let faults = FaultCollection(source, meter)
        faults.spend(Self.stepsOfByte * text.count)
        let document = DocumentParser(RegulationText(source, faults), faults).document
        let choices = SettingChoices(of: document, preset: preset, settings)
        let checker = Checker(choices.document, faults)
        (self.settings, settingFaults) = (choices.kept, choices.faults)
        checker.check(settings: choices.values)
        checker.checkStatuses()
        checker.checkFormerKinds()
        checker.checkFormerFigures()
        checker.checkLevels()
        checker.checkTaken()
        checker.checkPresets()
        let templates = document.templates.map { template in
            PreparedTemplate(
                name: template.heading.name, label: template.heading.label,
                fields: checker.fields(of: template), entries: .array(checker.entries(of: template)))
        }
        var examples: [PreparedExample] = []
        for example in document.examples where !faults.isFull && checker.mayWork(example) {
            checker.attempt { () throws(Stop) in
                let record = try checker.record(of: example)
                let subjects = checker.subjects(of: example, in: record.entries)
                examples.append(
                    PreparedExample(example, record, subjects: subjects, source, articles: document.articles))
            }
        }
        title = document.regulation?.label
        outline = document.outline(source, checker)
        (self.source, self.document, self.templates) = (source, document, templates)
        presets = document.presets.map(\.heading.name.text)
        let registration = Registration(checker, templates)
        mentions = checker.mentions
        if faults.hasErrors || document.regulation == nil {
            rulebook = nil
            self.examples = []
        } else {
            var rules = Rulebook(
                scheme: "regulations",
                configuration: ["document": .string(source[0..<text.count]), "settings": .object(choices.kept)],
                particulars: document.particulars, workBound: checker.workBound, shape: registration.shape,
                registering: registration.register)
            rules.meter = meter
            for template in templates where checker.mayCompute(template) && !faults.isFull {
                registration.check(template, rules, faults)
            }
            rulebook = faults.hasErrors ? nil : rules
            self.examples = examples
        }
        self.faults = faults.sorted
    }

}

extension RegulationDocument {
    /// The article of each figure or outcome, by name.
    fileprivate var articles: [String: String] {
        let headings = figures.map(\.heading) + outcomes.map(\.heading)
        return Dictionary(headings.filter { !$0.article.isEmpty }.map { ($0.name.text, $0.article) }) { first, _ in
            first
        }
    }
}

/// A template, ready for use.
struct PreparedTemplate: Sendable {
    let name: Formula.Word
    let label: LocalizedText?
    let fields: JSON
    let entries: JSON
}

/// Everything that a checked document registers with the kit.
private struct Registration {
    let shape: RecordShape
    private let checker: Checker
    private let templates: [PreparedTemplate]
    private let checks: [PreparedCondition]
    private let warnings: [PreparedCondition]

    init(_ checker: Checker, _ templates: [PreparedTemplate]) {
        self.checker = checker
        self.templates = templates
        checks = checker.conditions(checker.document.checks)
        // A check compares its faults with those that existed before, so its text must be the same each time.
        for check in checker.document.checks {
            guard let (_, range) = checker.document.placeholders[check.code.text] else { continue }
            checker.faults.add(.placeholderInCheck, range)
        }
        warnings = checker.conditions(checker.document.warnings)
        shape = checker.shape()
    }

    func register(_ registrar: inout SchemeRegistrar) {
        let document = checker.document
        for (place, group) in document.groups.enumerated() {
            guard case .some(let model?) = checker.groups[place] else { continue }
            let name = group.heading.name.text
            registrar.group(
                Kind(name), group.heading.label ?? Checker.label(name), of: Kind(group.base.text),
                naming: group.keys.map { checker.fieldName(of: $0, in: group) }, by: model.key)
        }
        for (place, figure) in document.figures.enumerated() {
            guard case .some(let model?) = checker.figures[place] else { continue }
            let (name, kind) = (Figure(figure.heading.name.text), Kind(figure.kind?.text ?? "record"))
            let names = figure.formerNames.map(\.text)
            if let shown = model.presentation {
                registrar.calculate(name, of: kind, shown, formerly: names, model.formula)
            } else {
                registrar.define(name, of: kind, label: figure.heading.label, formerly: names, model.formula)
            }
        }
        checker.registerTaken(&registrar)
        for (place, outcome) in document.outcomes.enumerated() {
            guard case .some(let model?) = checker.outcomes[place] else { continue }
            let rule = model.rule
            let name = outcome.heading.name.text
            registrar.decide(
                name, of: Kind(outcome.kind?.text ?? "record"), outcome.heading.label ?? Checker.label(name),
                citing: outcome.heading.article.isEmpty ? nil : outcome.heading.article, values: model.values,
                formerly: outcome.formerNames.map(\.text)
            ) { rule.decide($0) }
        }
        for check in checks {
            let holds = check.holds
            registrar.refuse(check.kind, as: check.words.code, unless: { holds($0) != .no })
        }
        for check in warnings {
            registrar.warn(check.kind) { entry, warnings in
                if check.holds(entry) == .yes {
                    warnings.add(check.words.code, at: entry, check.words.arguments(of: entry))
                }
            }
        }
        refuseDuplicates(&registrar)
        if checker.judgesPoints { registrar.judgingPoints() }
        registrar.counting(checker.statusTable)
        for template in templates {
            registrar.template(
                template.name.text, template.label ?? Checker.label(template.name.text), fields: template.fields,
                entries: template.entries)
        }
        registrar.words(checker.wordings)
        // What can be counted beforehand is; the rest allows for numbers of many digits.
        registrar.bound(steps: 5_000_000 + checker.workBound.parts(ofEntries: RecordShape.greatestEntryCount))
    }

    private func refuseDuplicates(_ registrar: inout SchemeRegistrar) {
        for kind in checker.kinds.dropFirst() {
            guard let parent = kind.parent, kind.base == nil else { continue }
            let own = Kind(kind.name)
            for field in kind.fields where field.isUnique {
                let (key, code) = (Field<String>(field.name), FaultCode("duplicate_\(field.name)"))
                let name = Self.comparableValue(of: field)
                registrar.validate(Kind(checker.kinds[parent].name)) { entry, faults in
                    faults.refuseDuplicates(among: entry.children(own), by: name, on: key, as: code)
                }
            }
        }
    }

    /// The value of an entry's field, as a text that is equal for equal values.
    private static func comparableValue(of field: FieldModel) -> @Sendable (EntryView) -> String? {
        switch field.content {
        case .text, .choice:
            let key = Field<String>(field.name)
            return { $0[key].map { comparableName($0) } }
        case .number:
            let key = Field<Exact>(field.name)
            return { $0[key].map { "\($0)" } }
        case .flag:
            let key = Field<Bool>(field.name)
            return { $0[key].map { "\($0)" } }
        }
    }

    /// Checks that a template is a record that can be stored.
    func check(_ template: PreparedTemplate, _ rules: Rulebook, _ faults: FaultCollection) {
        do throws(FaultList) {
            _ = try rules.calculation(
                fields: template.fields, entries: template.entries, newID: PreparedExample.identifiers())
        } catch {
            guard let fault = error.faults.first else { return }
            let words = LocalizedText(
                rules.catalog.message(fault, in: .english), fr: rules.catalog.message(fault, in: .french),
                zh: rules.catalog.message(fault, in: .simplifiedChinese))
            faults.add(
                .templateRefused, template.name.range,
                ["name": .string(template.name.text), "fault": words.json, "path": .string(fault.path)])
        }
    }
}

/// A `check` or a `warn`, ready for use.
struct PreparedCondition: Sendable {
    let kind: Kind
    let words: ReasonWords
    let holds: @Sendable (GradedEntry) -> Truth
}

extension Checker {
    func conditions(_ rules: [RegulationDocument.Rule]) -> [PreparedCondition] {
        rules.compactMap { rule in
            var prepared: PreparedCondition?
            if faults.isFull { return nil }
            attempt { () throws(Stop) in
                let kind = try self.kind(rule.kind)
                try checkGroup(kind, at: rule.kind.range)
                begin()
                countsPoints = false
                let condition = try self.truth(rule.condition, root(kind))
                judgesPoints = judgesPoints || countsPoints
                prepared = PreparedCondition(
                    kind: Kind(self.kinds[kind].name), words: try words(rule.code, of: kind),
                    holds: condition.code.closed)
            }
            return prepared
        }
    }

    /// The wording of every code: the document's own, otherwise the words of the code.
    var wordings: [FaultCode: LocalizedText] {
        var texts = Dictionary(document.texts.map { (FaultCode($0.code.text), $0.text) }) { first, _ in first }
        var codes = (document.checks + document.warnings).map(\.code.text)
        for outcome in document.outcomes { codes += outcome.clauses.compactMap(\.code?.text) }
        for kind in kinds { codes += kind.fields.filter(\.isUnique).map { "duplicate_\($0.name)" } }
        if !document.tables.isEmpty, texts[.notInTable] == nil {
            texts[.notInTable] = LocalizedText(
                "The table has no value there", fr: "Le tableau n’a pas de valeur à cet endroit", zh: "表格此处没有值")
        }
        for code in codes where texts[FaultCode(code)] == nil && !MessageCatalog.kit.contains(FaultCode(code)) {
            texts[FaultCode(code)] = Self.label(code)
        }
        return texts
    }
}

extension RegulationDocument.Outcome.Clause {
    /// The code of its reason.
    var code: Formula.Word? {
        switch self {
        case .awaits(_, let code), .needs(_, let code), .otherwise(_, let code): code
        case .when(_, _, let code): code
        case .byHand: nil
        }
    }
}
