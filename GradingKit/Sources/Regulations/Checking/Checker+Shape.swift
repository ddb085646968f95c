import GradingKit

/// What records look like.
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
        case .points(let maximum): (content, shape) = try points(field, label, outOf: maximum, in: kind)
        }
        let isRequired = field.isRequired ?? !shape.isGrade
        if !isRequired { shape = shape.optional() }
        if field.hasComma { shape = shape.withDecimalComma() }
        shape = try initial(field, shape)
        return FieldModel(name: field.name.text, content: content, shape: shape, isUnique: field.isUnique)
    }

    private func initial(_ field: RegulationDocument.Field, _ shape: FieldShape) throws(Stop) -> FieldShape {
        guard let initial = field.initial else { return shape }
        switch (initial.content, field.content) {
        case (.number(let value), .number), (.number(let value), .grade), (.number(let value), .points):
            return shape.initially(value)
        case (.text(let text), .text): return shape.initially(text)
        case (.flag(let flag), .flag): return shape.initially(flag)
        case (.word(let word), .choice): return shape.initially(word)
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
        // A bound beyond the worst is the worst from then on.
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

    /// The shape of records, kinds within each other.
    func shape() -> RecordShape {
        RecordShape(fields: kinds[0].fields.map(\.shape), kinds: shapes(in: 0))
    }

    private func shapes(in parent: Int) -> [KindShape] {
        kinds.indices.dropFirst().filter { kinds[$0].parent == parent }.map { index in
            let kind = kinds[index]
            let limit = RecordShape.greatestEntryCount
            let least = min(max(kind.declaration?.least ?? 0, 0), limit)
            let most = min(max(kind.declaration?.most ?? limit, least), limit)
            let statuses = (kind.declaration?.statuses ?? []).compactMap { Status(rawValue: $0.text) }
            return KindShape(
                Kind(kind.name), kind.label, count: least...most, statuses: statuses,
                statusLabels: statusLabels.filter { statuses.contains($0.key) }, fields: kind.fields.map(\.shape),
                children: shapes(in: index))
        }
    }

    // MARK: Statuses

    /// The statuses that people may give: those that every scheme knows, and the document's own.
    private var statusNames: [String] {
        Status.standard.filter { $0 != .superseded }.map(\.rawValue) + document.statuses.map(\.heading.name.text)
    }

    /// What people read of a status: its label, or for one of the document's own its name.
    private var statusLabels: [Status: LocalizedText] {
        document.statuses.reduce(into: [:]) { labels, row in
            guard let status = row.status else { return }
            let isOwn = !Status.standard.contains(status)
            labels[status] = row.heading.label ?? (isOwn ? LocalizedText(verbatim: status.rawValue) : nil)
        }
    }

    /// What each status counts for.
    var statusTable: StatusTable {
        document.statuses.reduce(into: .standard) { table, row in table[row.status] = row.rule }
    }

    /// The status of a name; notes a name that is none.
    func status(_ name: String, at range: Range<Int>) throws(Stop) -> Status {
        if let status = Status(rawValue: name), status == .superseded || statusNames.contains(name) {
            note(Formula.Word(text: name, range: range), as: .status)
            return status
        }
        faults.add(.unknownStatus, guessing: .unknownStatusGuess, name, among: statusNames, range)
        throw Stop()
    }

    /// Notes statuses of kinds that do not exist, and the one that people never give.
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
