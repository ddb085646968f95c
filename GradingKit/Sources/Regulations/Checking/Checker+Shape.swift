import GradingKit

/// Makes the shape of records.
extension Checker {
    func field(_ field: RegulationDocument.Field, in kind: Int) throws(Stop) -> FieldModel {
        if kinds[kind].fields.contains(where: { $0.name == field.name.text }) {
            throw stop(.duplicate, field.name.range, ["name": .string(field.name.text)])
        }
        let label = field.label ?? Self.label(field.name.text)
        var (content, shape): (FieldModel.Content, FieldShape)
        switch field.content {
        case .text: (content, shape) = (.text, .text(Field(field.name.text), label))
        case .flag: (content, shape) = (.flag, .flag(Field(field.name.text), label))
        case .choice(let choices):
            content = .choice(choices.map(\.name.text))
            shape = .choice(
                Field<String>(field.name.text), label, of: choices.map { Choice($0.name.text, $0.label) })
        case .number(let isWhole):
            (content, shape) = try number(field, label, in: kind, isWhole: isWhole)
        case .grade(let unit): (content, shape) = try grade(field, label, in: unit)
        case .letter(let name): (content, shape) = try letter(field, label, of: name)
        case .points(let maximum): (content, shape) = try points(field, label, outOf: maximum, in: kind)
        }
        let isRequired = field.isRequired ?? !shape.isGrade
        if !isRequired { shape = shape.optional() }
        if field.hasComma { shape = shape.withDecimalComma() }
        if field.isPerStudent {
            if kind == 0 { throw stop(.leftOver, field.name.range, ["found": .string(field.name.text)]) }
            shape = shape.perStudent()
        }
        shape = try initial(field, shape)
        let siblings = kinds[kind].declaration?.fields ?? []
        let others = siblings.flatMap { [$0.name] + $0.formerNames }
        shape = shape.formerly(try formerNames(field.formerNames, among: others))
        return FieldModel(name: field.name.text, content: content, shape: shape, isUnique: field.isUnique)
    }

    /// The former names of something, which must differ from all current and former names beside it.
    func formerNames(_ names: [Formula.Word], among all: [Formula.Word]) throws(Stop) -> [String] {
        for name in names where all.count(where: { $0.text == name.text }) > 1 {
            throw stop(.formerName, name.range, ["name": .string(name.text)])
        }
        return names.map(\.text)
    }

    /// Notes kinds that are nested more deeply than records allow, or to only one level.
    func checkLevels() {
        for case let (levels, range)? in document.entries.map(\.nested)
        where !(2...KindShape.mostNested).contains(levels) {
            faults.add(.levels, range, ["limit": .number(String(KindShape.mostNested))])
        }
    }

    /// Notes former names of kinds that another kind has or had.
    func checkFormerKinds() {
        let entries = document.entries.filter { $0.heading.name.text != "record" }
        let all = entries.flatMap { [$0.heading.name] + $0.formerNames }
        for entry in document.entries {
            attempt { () throws(Stop) in
                if entry.heading.name.text == "record", let name = entry.formerNames.first {
                    throw stop(.leftOver, name.range, ["found": .string(name.text)])
                }
                _ = try formerNames(entry.formerNames, among: all)
            }
        }
    }

    /// Notes former names of figures that another figure of the same kind has or had, and likewise of outcomes. Groups
    /// beside each other show theirs under the same names.
    func checkFormerFigures() {
        let figures = document.figures.map { ($0.kind, $0.heading.name, $0.formerNames) }
        let outcomes = document.outcomes.map { ($0.kind, $0.heading.name, $0.formerNames) }
        for items in [figures, outcomes] where items.contains(where: { !$0.2.isEmpty }) {
            let numbers = items.map { item in kinds.firstIndex { $0.name == item.0?.text ?? "record" } }
            for (item, number) in zip(items, numbers) where !item.2.isEmpty {
                guard let number else { continue }
                let beside = [number] + groups(beside: number)
                let all = zip(items, numbers).filter { $0.1.map { beside.contains($0) } ?? false }
                    .flatMap { [$0.0.1] + $0.0.2 }
                attempt { () throws(Stop) in _ = try formerNames(item.2, among: all) }
            }
        }
    }

    private func initial(_ field: RegulationDocument.Field, _ shape: FieldShape) throws(Stop) -> FieldShape {
        guard let initial = field.initial else { return shape }
        switch (initial.content, field.content) {
        case (.number(let value), .number), (.number(let value), .grade), (.number(let value), .points):
            return shape.initially(value)
        case (.text(let text), .text): return shape.initially(text)
        case (.flag(let flag), .flag): return shape.initially(flag)
        case (.word(let word), .choice), (.word(let word), .letter), (.text(let word), .letter):
            return shape.initially(word)
        default: throw stop(.leftOver, initial.range, ["found": .string(faults.source[initial.range])])
        }
    }

    private func number(
        _ field: RegulationDocument.Field, _ label: LocalizedText, in kind: Int, isWhole: Bool
    ) throws(Stop) -> (FieldModel.Content, FieldShape) {
        let key = Field<Exact>(field.name.text)
        var shape: FieldShape = isWhole ? .integer(key, label) : .number(key, label)
        var range = ValueRange.any
        switch field.least {
        case .at(let bound)?:
            shape = shape.atLeast(bound)
            range.low = bound
        case .beyond(let bound)?:
            shape = shape.above(bound)
            range.low = bound
        case nil: break
        }
        if let most = field.most {
            if let low = range.low, low > most { throw stop(.emptyRange, field.name.range) }
            shape = shape.atMost(most)
            range.high = most
        }
        let siblings = kinds[kind].declaration?.fields ?? []
        let isMaximum = siblings.contains { sibling in
            if case .points(let maximum) = sibling.content { maximum.text == field.name.text } else { false }
        }
        let unit = field.unit.map { dimension($0) } ?? (isMaximum ? Dimension("points") : .plain)
        return (.number(unit, range, nil, isGrade: false), shape)
    }

    private func grade(
        _ field: RegulationDocument.Field, _ label: LocalizedText, in unit: RegulationDocument.Unit
    ) throws(Stop) -> (FieldModel.Content, FieldShape) {
        let dimension = dimension(unit)
        guard let scale = scale(of: dimension) else {
            throw stop(.notAScale, unit.over.range, ["name": .string(unit.over.text)])
        }
        var range = scale.range
        var worst = scale.worst
        switch field.least {
        case .at(let bound)?, .beyond(let bound)?: range.low = bound
        case nil: break
        }
        if let most = field.most { range.high = most }
        // If the bound is better than the worst grade, it becomes the worst grade.
        if scale.better == .higher, let low = range.low { worst = min(worst, low) }
        if scale.better == .lower, let high = range.high { worst = max(worst, high) }
        if field.isUnlimited { if scale.better == .higher { range.high = nil } else { range.low = nil } }
        if let low = range.low, let high = range.high, low > high { throw stop(.emptyRange, field.name.range) }
        var shape = FieldShape.number(Field<Exact>(field.name.text), label)
            .asGrade(best: scale.best, worst: worst, step: scale.step)
        if let low = range.low { shape = shape.atLeast(low) }
        if let high = range.high { shape = shape.atMost(high) }
        return (.number(dimension, range, scale, isGrade: true), shape)
    }

    /// A grade that is a label of bands and counts as its points.
    private func letter(
        _ field: RegulationDocument.Field, _ label: LocalizedText, of name: Formula.Word
    ) throws(Stop) -> (FieldModel.Content, FieldShape) {
        let table = try bands(name)
        guard let worth = table.worth else { throw stop(.noPoints, name.range, ["name": .string(name.text)]) }
        let scale = try scale(ofLetters: table.bands.list, named: name.text, at: name.range)
        let shape = FieldShape.letter(Field(field.name.text), label, of: table.bands.list)
        return (.number(worth, table.pointRange, scale, isGrade: true), shape)
    }

    /// The scale of letters, from their points, which must rise or fall throughout.
    func scale(ofLetters list: [Band], named name: String, at range: Range<Int>) throws(Stop) -> ScaleModel {
        let points = list.map { $0.points ?? .zero }
        guard let best = points.first, let worst = points.last, best != worst else {
            throw stop(.lettersAlike, range, ["name": .string(name)])
        }
        let scale = ScaleModel(worst: worst, best: best, step: 1)
        guard zip(points, points.dropFirst()).allSatisfy({ scale.better.reaches($0, $1) }) else {
            throw stop(.lettersTurn, range, ["name": .string(name)])
        }
        return scale
    }

    private func points(
        _ field: RegulationDocument.Field, _ label: LocalizedText, outOf maximum: Formula.Word, in kind: Int
    ) throws(Stop) -> (FieldModel.Content, FieldShape) {
        let siblings = kinds[kind].declaration?.fields ?? []
        guard let bound = siblings.first(where: { $0.name.text == maximum.text }), case .number = bound.content else {
            faults.add(
                .unknownName, guessing: .unknownNameGuess, maximum.text, among: siblings.map(\.name.text),
                maximum.range, ["kind": .string(kinds[kind].name)])
            throw Stop()
        }
        var low = Exact.zero
        if case .at(let least)? = field.least { low = least }
        let key = Field<Exact>(field.name.text)
        var shape = FieldShape.number(key, label).asGrade(best: Field(maximum.text)).atLeast(low)
        if !field.isUnlimited { shape = shape.atMost(Field(maximum.text)) }
        let unit = bound.unit.map { dimension($0) } ?? Dimension("points")
        return (.number(unit, ValueRange(low: low), nil, isGrade: true), shape)
    }

    /// The shape of records, with nested kinds.
    func shape() -> RecordShape {
        RecordShape(fields: kinds[0].fields.map(\.shape), kinds: shapes(in: 0))
    }

    private func shapes(in parent: Int) -> [KindShape] {
        kinds.indices.dropFirst().filter { kinds[$0].parent == parent && kinds[$0].base == nil }.map { index in
            let kind = kinds[index]
            let limit = RecordShape.greatestEntryCount
            let least = min(max(kind.declaration?.least ?? 0, 0), limit)
            let most = min(max(kind.declaration?.most ?? limit, least), limit)
            let statuses = (kind.declaration?.statuses ?? []).compactMap { Status(rawValue: $0.text) }
            let shape = KindShape(
                Kind(kind.name), kind.label, count: least...most, statuses: statuses,
                statusLabels: statusLabels.filter { statuses.contains($0.key) }, fields: kind.fields.map(\.shape),
                children: shapes(in: index)
            ).formerly(kind.declaration?.formerNames.map(\.text) ?? [])
                .nested(kind.levels)
            return kind.declaration?.copies.map { shape.copying(Kind($0)) } ?? shape
        }
    }

    // MARK: Statuses

    /// The statuses that people may give: those that every scheme has, and the document's own.
    private var statusNames: [String] {
        Status.standard.filter { $0 != .superseded }.map(\.rawValue) + document.statuses.map(\.heading.name.text)
    }

    /// The texts of statuses: the label, or the name if one of the document's own has no label.
    private var statusLabels: [Status: LocalizedText] {
        document.statuses.reduce(into: [:]) { labels, row in
            guard let status = row.status else { return }
            let isOwn = !Status.standard.contains(status)
            labels[status] = row.heading.label ?? (isOwn ? LocalizedText(verbatim: status.rawValue) : nil)
        }
    }

    /// How each status counts.
    var statusTable: StatusTable {
        document.statuses.reduce(into: .standard) { table, row in table[row.status] = row.rule }
    }

    /// The status with a name; notes an unknown name.
    func status(_ name: String, at range: Range<Int>) throws(Stop) -> Status {
        if let status = Status(rawValue: name), status == .superseded || statusNames.contains(name) {
            note(Formula.Word(text: name, range: range), as: .status)
            return status
        }
        faults.add(.unknownStatus, guessing: .unknownStatusGuess, name, among: statusNames, range)
        throw Stop()
    }

    /// Notes statuses of unknown kinds, and the status that people cannot give.
    func checkStatuses() {
        for entry in document.entries {
            for status in entry.statuses {
                attempt { () throws(Stop) in
                    guard try self.status(status.text, at: status.range) != .superseded else {
                        throw stop(.reserved, status.range, ["name": .string(status.text)])
                    }
                }
            }
        }
    }
}
