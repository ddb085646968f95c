import GradingKit

/// A setting of a document with more than one value: a rounding, bands or a status that programs may replace.
struct StructuredSetting {
    /// Its name in a program's configuration.
    let name: String
    let label: LocalizedText
    let schema: JSON
    /// The value in the document.
    let initial: JSON
    /// The value of another rounding, bands or status that it may take; `nil` if there is none with that name.
    let other: (_ name: String) -> JSON?
    /// Puts a program's choice into the document; returns its stored form, or `nil` if it is faulty.
    let choose: (JSON, _ document: inout RegulationDocument, _ path: String, inout FaultList) -> JSON?

    /// The value of the rounding, bands or status that a preset names; `nil` if there is none.
    func other(_ value: OutlineValue.Content) -> JSON? {
        if case .word(let name) = value { other(name) } else { nil }
    }
}

extension RegulationDocument {
    /// The settings with more than one value, in the order of their sorts.
    var structuredSettings: [StructuredSetting] {
        roundings.indices.filter { roundings[$0].isSetting }.map { rounding(at: $0) }
            + bands.indices.filter { bands[$0].isSetting }.map { bands(at: $0) }
            + statuses.indices.filter { statuses[$0].isSetting }.map { status(at: $0) }
    }

    private func rounding(at place: Int) -> StructuredSetting {
        let name = roundings[place].heading.name.text
        return StructuredSetting(
            name: name, label: Checker.label(name), schema: FigureRule.schema, initial: roundings[place].rule.json,
            other: { name in roundings.first { $0.heading.name.text == name }?.rule.json }
        ) { json, document, path, faults in
            let before = faults.faults.count
            document.roundings[place].rule.merge(json, at: path, &faults)
            return faults.faults.count == before ? document.roundings[place].rule.json : nil
        }
    }

    private func bands(at place: Int) -> StructuredSetting {
        let (table, name) = (bands[place], bands[place].heading.name.text)
        let better: Direction = lowerScale(of: table) == nil ? .higher : .lower
        let (hasPoints, hasBounds) = (table.worth != nil, table.unit != nil)
        return StructuredSetting(
            name: name, label: Checker.label(name), schema: Band.schema(hasPoints: hasPoints),
            initial: json(of: table), other: { other($0, like: table) }
        ) { json, document, path, faults in
            guard
                let list = Band.list(
                    json, hasPoints: hasPoints, hasBounds: hasBounds, better: better, at: path, &faults)
            else { return nil }
            document.bands[place].bands = list.map { ($0.called(as: table), table.heading.name.range) }
            return .array(list.map(\.json))
        }
    }

    private func status(at place: Int) -> StructuredSetting {
        let row = statuses[place]
        return StructuredSetting(
            name: row.heading.name.text, label: row.heading.label ?? Checker.label(row.heading.name.text),
            schema: StatusRule.schema, initial: row.rule.json, other: { statusRule($0)?.json }
        ) { json, document, path, faults in
            guard let rule = StatusRule(json, else: document.statuses[place].rule, at: path, &faults) else {
                return nil
            }
            document.statuses[place].rule = rule
            return rule.json
        }
    }
}

extension Band {
    /// The band, with the names that its label has in a table with the same label.
    fileprivate func called(as table: RegulationDocument.BandTable) -> Band {
        var band = self
        band.text = table.bands.first { $0.band.label == label }?.band.text
        return band
    }
}

extension RegulationDocument {
    /// The scale of the bands, if lower grades are better on it.
    private func lowerScale(of table: BandTable) -> Scale? {
        guard let unit = table.unit, unit.per == nil else { return nil }
        return scales.first { $0.heading.name.text == unit.over.text && $0.best < $0.worst }
    }

    /// The bands in the form of a program's choice.
    private func json(of table: BandTable) -> JSON {
        var list = table.bands.map(\.band)
        // A last band without a bound takes everything up to the worst grade, which is not 0 if lower grades are
        // better.
        if table.worth != nil, let scale = lowerScale(of: table), let last = list.last, last.from.isZero {
            list[list.count - 1].from = scale.worst
        }
        return .array(list.map(\.json))
    }

    /// Bands with the same units of bounds and points.
    private func other(_ name: String, like table: BandTable) -> JSON? {
        let found = bands.first {
            $0.heading.name.text == name && $0.unit?.over.text == table.unit?.over.text
                && $0.unit?.per?.text == table.unit?.per?.text && $0.worth?.text == table.worth?.text
        }
        return found.map { json(of: $0) }
    }

    /// The rule of one of the document's own statuses, or of one that every scheme has.
    private func statusRule(_ name: String) -> StatusRule? {
        if let own = statuses.first(where: { $0.heading.name.text == name }) { return own.rule }
        return Status.standard.first { $0.rawValue == name }.map { StatusTable.standard[$0] }
    }
}

extension StatusRule {
    private static let averages: [(name: String, average: Average)] = [
        ("counts", .counts), ("worst", .minimum), ("pending", .pending), ("leaves", .leaves),
    ]
    private static let members = ["average", "attempted", "earned", "in_gpa"]

    fileprivate static var schema: JSON {
        let flag: JSON = ["type": "boolean"]
        return [
            "type": "object",
            "properties": [
                "average": [
                    "type": "string", "pattern": "^(counts|worst|pending|leaves|[0-9]{1,3}([.][0-9]{1,4})?%)$",
                ],
                "attempted": flag, "earned": flag, "in_gpa": flag,
            ],
            "additionalProperties": false,
        ]
    }

    fileprivate var json: JSON {
        let name = Self.averages.first { $0.average == average }?.name
        var share = ""
        if case .share(let value) = average { share = "\((value * 100).decimalText ?? "0")%" }
        return [
            "average": .string(name ?? share), "attempted": .bool(attempted), "earned": .bool(earned),
            "in_gpa": .bool(inGPA),
        ]
    }

    /// Reads a rule; absent members keep the document's values.
    fileprivate init?(_ json: JSON, else rule: StatusRule, at path: String, _ faults: inout FaultList) {
        guard let object = json.object else {
            faults.add(.wrongType, at: path, ["expected": "object"])
            return nil
        }
        var (found, isWrong) = (rule, false)
        func refuse(_ fault: Fault) {
            faults.add(fault)
            isWrong = true
        }
        for member in object {
            let place = path + JSONPointer.step(member.name)
            switch (member.name, member.value) {
            case ("average", .string(let text)):
                guard let average = Self.average(text) else {
                    refuse(Fault(.outOfRange, at: place, .allowing(Self.averages.map(\.name) + ["40%"])))
                    continue
                }
                found.average = average
            case ("attempted", .bool(let flag)): found.attempted = flag
            case ("earned", .bool(let flag)): found.earned = flag
            case ("in_gpa", .bool(let flag)): found.inGPA = flag
            default:
                if Self.members.contains(member.name) {
                    let expected: JSON = member.name == "average" ? "string" : "boolean"
                    refuse(Fault(.wrongType, at: place, ["expected": expected]))
                } else {
                    faults.add(unknown: member.name, among: Self.members, at: path)
                    isWrong = true
                }
            }
        }
        if isWrong { return nil }
        self = found
    }

    private static func average(_ text: String) -> Average? {
        if let known = averages.first(where: { $0.name == text }) { return known.average }
        guard text.hasSuffix("%"), let percent = DecimalText(text.dropLast()), percent.value >= .zero,
            percent.value <= 100, percent.decimals <= 4, let share = percent.value / 100
        else { return nil }
        return share.isZero ? .minimum : .share(share)
    }
}
