import GradingKit

/// Looks up every name, checks every unit, and turns formulas into closures, in one pass over the declarations.
///
/// Figures are checked in the order of their dependencies, each once. Names of formulas are written in place, so parts
/// are counted again here.
final class Checker {
    let document: RegulationDocument
    let faults: FaultCollection
    var scales: [String: ScaleModel] = ["percent": .percent]
    var roundings: [String: FigureRule] = [:]
    var bands: [String: BandsModel] = [:]
    var curves: [String: CurveModel] = [:]
    var tables: [String: TableModel] = [:]
    var letterLooks: [LetterLook.Key: LetterLook] = [:]
    var settings: [String: SettingModel] = [:]
    var units: Set<String> = ["percent"]
    var kinds: [KindModel] = []
    /// By index among the document's figures; `nil` for a faulty one.
    var figures: [Int: FigureModel?] = [:]
    /// The figures, by index, that use themselves over entries inside.
    var figuresWithin: Set<Int> = []
    /// The same for outcomes.
    var outcomes: [Int: OutcomeModel?] = [:]
    /// The same for groups.
    var groups: [Int: GroupModel?] = [:]
    /// The arguments of the `let` that is checked next.
    var arguments: [NumberValue] = []
    /// The values of the parameters of the current `let`.
    var parameters: [String: NumberValue] = [:]
    /// The names of everything being checked, to find what depends on itself.
    var path: [(key: String, name: String)] = []
    /// The number of parts of the current formula.
    var size = 0
    /// The number of parts of all formulas so far, with names written in place.
    private(set) var total = 0
    /// How deep checks nest now, and how deep the resulting computation will.
    var depth = 0
    var deepest = 0
    var height = 0
    /// The most parts of formulas so far to compute, for records of several sizes.
    private(set) var work = Visits(repeating: 0)
    /// The cost of the templates and examples so far: bytes, and parts of formulas.
    var exampleCost = 0
    var exampleWork = 0.0
    /// The length in bytes of the written entries of templates and examples so far.
    var outlineBytes = 0
    /// The part of a figure that lets a better grade worsen it.
    var culprit: Range<Int>?
    /// The units of points that have a maximum.
    private(set) var pointUnits: Set<String> = []
    /// Whether the current declaration compares points with a number of points, or adds such a number.
    var countsPoints = false
    /// Whether figures and lets are sums or counts over entries, by kind and name.
    var totals: [String: Bool] = [:]
    /// Whether an outcome, a warning or the key of a group compares points with a number of points.
    var judgesPoints = false
    /// The meaning of names in formulas, by offset.
    private(set) var mentions: [Int: Mention] = [:]

    /// The greatest nesting depth of checks, with the figures that they depend on, and of computing.
    static let greatestDepth = 96
    /// The most parts of all formulas of a document, however long it is.
    static let greatestTotal = 100_000
    static let greatestHeight = 2_000
    /// The cost of checking a part, in steps.
    private static let stepsOfPart = 100
    /// The most parts of all formulas of this document. Short text may have many parts, because names are written in
    /// place.
    private let mostParts: Int

    init(_ document: RegulationDocument, _ faults: FaultCollection) {
        self.document = document
        self.faults = faults
        mostParts = min(Self.greatestTotal, 4_000 + faults.source.bytes.count / 2)
    }

    /// Checks everything; `values` overrides the settings of the document.
    func check(settings values: [String: OutlineValue.Content]) {
        declareUnits()
        declareScales()
        declareRoundings()
        declareBands()
        declareCurves()
        declareTables()
        declareSettings(values)
        declareKinds()
        declareGroups()
        declareNames()
        for (place, group) in document.groups.enumerated()
        where !faults.isFull && kinds.contains(where: { $0.name == group.heading.name.text && $0.base != nil }) {
            attempt { () throws(Stop) in _ = try self.group(place) }
        }
        for place in order where !faults.isFull { attempt { () throws(Stop) in _ = try self.figure(place) } }
        for place in document.outcomes.indices where !faults.isFull {
            attempt { () throws(Stop) in _ = try self.outcome(place) }
        }
        for place in document.abbreviations.indices where !faults.isFull { checkUnused(place) }
        checkShown()
    }

    /// Notes what a name means. A `let` is checked wherever it is used, and means the same each time.
    func note(_ word: Formula.Word, as sort: DeclaredName.Sort) {
        guard mentions.count < Mention.most else { return }
        mentions[word.range.lowerBound] = Mention(range: word.range, name: DeclaredName(sort: sort, text: word.text))
    }

    func attempt(_ work: () throws(Stop) -> Void) {
        do throws(Stop) { try work() } catch {}
    }

    /// Declares something. If that fails, uses of its name are not reported as faults.
    func attempt(declaring name: Formula.Word, _ work: () throws(Stop) -> Void) {
        do throws(Stop) { try work() } catch { faults.unreadable.insert(name.text) }
    }

    func stop(_ wording: Wording, _ range: Range<Int>, _ arguments: JSONObject = JSONObject()) -> Stop {
        faults.add(wording, range, arguments)
        return Stop()
    }

    // MARK: Units, scales, roundings, bands, settings

    private func declareUnits() {
        func note(_ unit: RegulationDocument.Unit?) {
            for name in [unit?.over.text, unit?.per?.text].compactMap(\.self) where name != "plain" {
                units.insert(name)
            }
        }
        for scale in document.scales { units.insert(scale.heading.name.text) }
        for entry in document.entries {
            for field in entry.fields {
                note(field.unit)
                guard case .points(let maximum) = field.content else { continue }
                units.insert("points")
                let unit = entry.fields.first { $0.name.text == maximum.text }?.unit
                pointUnits.insert(unit?.over.text ?? "points")
            }
        }
        for figure in document.figures { note(figure.unit) }
        for case .figure(let unit, _) in document.taken.map(\.content) { note(unit) }
        for setting in document.settings { note(setting.unit) }
        for table in document.tables { note(table.unit) }
        for curve in document.curves {
            note(curve.from)
            note(curve.to)
        }
        for table in document.bands where table.worth != nil { units.insert(table.worth?.text ?? "") }
    }

    func dimension(_ unit: RegulationDocument.Unit?) -> Dimension {
        guard let unit else { return .plain }
        return dimension(unit.over.text) / (unit.per.map { dimension($0.text) } ?? .plain)
    }

    func dimension(_ name: String) -> Dimension { name == "plain" ? .plain : Dimension(name) }

    /// The scale of a dimension that is a single unit.
    func scale(of dimension: Dimension?) -> ScaleModel? { dimension?.single.flatMap { scales[$0] } }

    private func declareScales() {
        for scale in document.scales {
            scales[scale.heading.name.text] = ScaleModel(worst: scale.worst, best: scale.best, step: scale.step)
        }
    }

    private func declareRoundings() {
        for rounding in document.roundings { roundings[rounding.heading.name.text] = rounding.rule }
    }

    func rounding(_ name: Formula.Word) throws(Stop) -> FigureRule {
        if let rule = roundings[name.text] {
            note(name, as: .rounding)
            return rule
        }
        faults.add(
            .unknownRounding, guessing: .unknownRoundingGuess, name.text, among: roundings.keys.sorted(), name.range)
        throw Stop()
    }

    func bands(_ name: Formula.Word) throws(Stop) -> BandsModel {
        if let table = bands[name.text] {
            note(name, as: .bands)
            return table
        }
        let known = bands.keys.sorted() + curves.keys.sorted()
        faults.add(.unknownBands, guessing: .unknownBandsGuess, name.text, among: known, name.range)
        throw Stop()
    }

    private func declareBands() {
        for table in document.bands {
            attempt(declaring: table.heading.name) { () throws(Stop) in
                let dimension = table.unit.map { self.dimension($0) }
                let scale = scale(of: dimension)
                var rule = FigureRule(.halfUp, scale: 6, compareOn: .exact)
                if let judge = table.judgedBy { rule = try rounding(judge) }
                rule.better = scale?.better ?? .higher
                rule.stages = []
                var list = table.bands
                // The last band takes all worse values: without a bound it begins at the end of the scale.
                if let scale, table.worth != nil, let last = list.last, last.band.from.isZero, rule.better == .lower {
                    list[list.count - 1].band.from = scale.worst
                }
                for (better, worse) in zip(list, list.dropFirst())
                where dimension != nil && rule.better.reaches(worse.band.from, better.band.from) {
                    throw stop(.order, worse.range)
                }
                var labels: Set<String> = []
                for (band, range) in list where !labels.insert(band.label).inserted {
                    throw stop(.duplicate, range, ["name": .string(band.label)])
                }
                bands[table.heading.name.text] = BandsModel(
                    bands: Bands(list.map(\.band), judging: rule), dimension: dimension,
                    worth: table.worth.map { self.dimension($0.text) })
            }
        }
    }

    private func declareSettings(_ values: [String: OutlineValue.Content]) {
        for setting in document.settings {
            let name = setting.heading.name.text
            let given = values[name]
            switch (setting.content, given) {
            case (.number(let value, _, _), _), (.numberOf(let value, _), _):
                var number = value
                if case .number(let other)? = given { number = other }
                settings[name] = SettingModel(value: .number(number, dimension(setting.unit)))
            case (.flag(let value), _):
                var flag = value
                if case .flag(let other)? = given { flag = other }
                settings[name] = SettingModel(value: .flag(flag))
            case (.choice(let value, let choices), _):
                var choice = value
                if case .word(let other)? = given { choice = other }
                if case .text(let other)? = given { choice = other }
                settings[name] = SettingModel(value: .choice(choice, of: choices.map(\.text)))
            }
        }
    }

    // MARK: Kinds

    private func declareKinds() {
        let record = document.entries.first { $0.heading.name.text == "record" }
        kinds = [
            KindModel(
                name: "record", label: LocalizedText("Record", fr: "Dossier", zh: "记录"), declaration: record,
                parent: nil)
        ]
        for entry in document.entries where entry.heading.name.text != "record" {
            let name = entry.heading.name.text
            kinds.append(
                KindModel(
                    name: name, label: entry.heading.label ?? Self.label(name), declaration: entry, parent: 0))
        }
        for index in kinds.indices.dropFirst() {
            guard let parent = kinds[index].declaration?.parent else { continue }
            attempt { () throws(Stop) in kinds[index].parent = try kind(parent) }
        }
        for index in kinds.indices.dropFirst() { breakCircle(from: index) }
        for index in kinds.indices {
            for field in kinds[index].declaration?.fields ?? [] {
                attempt(declaring: field.name) { () throws(Stop) in
                    kinds[index].fields.append(try self.field(field, in: index))
                }
            }
        }
    }

    /// Limits the nesting of kinds, and prevents circles.
    private func breakCircle(from index: Int) {
        var (kind, steps) = (kinds[index].parent, 0)
        while let parent = kind, parent != 0 {
            steps += 1
            if parent == index || steps > 7 {
                let word = kinds[index].declaration?.heading.name
                let arguments: JSONObject = [
                    "name": .string(kinds[index].name), "way": .string("“\(kinds[kinds[index].parent ?? 0].name)”"),
                ]
                faults.add(parent == index ? .circular : .tooDeep, word?.range ?? 0..<0, arguments)
                kinds[index].parent = 0
                return
            }
            kind = kinds[parent].parent
        }
    }

    /// Counts what is computed for records. Reports a fault once, at the place where it became too much for the
    /// greatest record.
    func countWork(_ visits: Visits, at range: Range<Int>) throws(Stop) {
        let before = work[3]
        work += visits
        if before <= Self.greatestWork, work[3] > Self.greatestWork { faults.add(.tooCostly, range) }
        if work[3] > Self.greatestWork { throw Stop() }
    }

    static func label(_ name: String) -> LocalizedText {
        let words = name.split(separator: "_").joined(separator: " ")
        return LocalizedText(verbatim: words.prefix(1).uppercased() + words.dropFirst())
    }

    func kind(_ word: Formula.Word?) throws(Stop) -> Int {
        guard let word else { return 0 }
        if let index = kinds.firstIndex(where: { $0.name == word.text }) {
            note(word, as: .entry)
            return index
        }
        faults.add(.unknownKind, guessing: .unknownKindGuess, word.text, among: kinds.map(\.name), word.range)
        throw Stop()
    }

    private func declareNames() {
        for (place, item) in document.abbreviations.enumerated() {
            attempt { () throws(Stop) in try declare(item.heading.name, in: item.kind, place, \.abbreviations) }
        }
        for (place, item) in document.figures.enumerated() {
            attempt { () throws(Stop) in try declare(item.heading.name, in: item.kind, place, \.figures) }
        }
        for (place, item) in document.outcomes.enumerated() {
            attempt { () throws(Stop) in try declare(item.heading.name, in: item.kind, place, \.outcomes) }
        }
        for (place, item) in document.taken.enumerated() {
            attempt { () throws(Stop) in try declare(item.heading.name, in: item.kind, place, \.taken) }
        }
    }

    private func declare(
        _ name: Formula.Word, in kind: Formula.Word?, _ place: Int, _ names: WritableKeyPath<KindModel, [String: Int]>
    ) throws(Stop) {
        let index = try self.kind(kind)
        // Figures and outcomes of groups with the same parent share the names `name:key`.
        let isBeside = names != \.abbreviations && groups(beside: index).contains { kinds[$0].shows(name.text) }
        if isBeside || kinds[index].has(name.text) {
            throw stop(.duplicate, name.range, ["name": .string(name.text)])
        }
        kinds[index][keyPath: names][name.text] = place
    }

    /// Finds faults in a `let` that no formula uses.
    private func checkUnused(_ place: Int) {
        let item = document.abbreviations[place]
        attempt { () throws(Stop) in
            let kind = try kind(item.kind)
            begin()
            // A use of it may have a scale for an empty group.
            var scope = Scope(kind, scale: .percent)
            scope.visits = Visits(repeating: 0)
            // Checking one number suffices, except for divisors and counts.
            arguments = try item.parameters.map { parameter throws(Stop) in
                NumberValue(constant: 1, try self.dimension(of: parameter))
            }
            _ = try abbreviation(place, in: kind, at: item.heading.name.range, scope)
        }
    }

    /// Begins to count the parts of another formula.
    func begin() {
        size = 0
        deepest = depth
        height = 0
        culprit = nil
    }

    /// Counts another part of the formula and of the document.
    func countPart(at range: Range<Int>, _ scope: Scope) throws(Stop) {
        size += 1
        total += 1
        faults.spend(Self.stepsOfPart)
        if total & 255 == 0, faults.isFull { throw Stop() }
        try countWork(scope.visits, at: range)
        if size > FormulaParser.size {
            throw stop(.formulaTooLong, range, ["limit": .number(String(FormulaParser.size))])
        }
        if total > mostParts {
            // Reported once, at the place where it became too much.
            if total == mostParts + 1 { faults.add(.tooMuch, range) }
            throw Stop()
        }
    }
}
