import GradingKit
import GradingLaws
import Regulations

/// Whatever the text of a document, it is rules or a list of faults, and what a page is told of it is JSON. Records that its
/// rules accept have the same standing each time, with explanations that give their figures.
@Sendable func fuzzRegulations(_ bytes: [UInt8]) {
    let regulation = Regulation(bytes)
    check(regulation, bytes)
    for preset in regulation.presets.prefix(1) { check(Regulation(bytes, preset: preset), bytes) }
}

/// Documents that are nearly sound: the bytes choose among all that the language has.
@Sendable func fuzzDocuments(_ bytes: [UInt8]) {
    var writer = DocumentWriter(bytes)
    fuzzRegulations(Array(writer.document().utf8))
}

private func check(_ regulation: Regulation, _ bytes: [UInt8]) {
    promise(
        regulation.rulebook != nil || regulation.faults.contains { !$0.isWarning }
            || !regulation.settingFaults.faults.isEmpty, "neither rules nor faults")
    for fault in regulation.faults {
        for range in [fault.range, fault.fix?.range].compactMap(\.self) {
            promise(range.upperBound <= bytes.count, "a fault beyond the text")
        }
        promise(fault.line >= 1 && fault.column >= 1, "a fault nowhere")
        for language in Language.allCases { promise(!fault.message(in: language).isEmpty, "a fault without words") }
    }
    for language in Language.allCases { promise(isJSON(regulation.annotations(in: language)), "no annotations") }
    promise(isJSON(regulation.faultsJSON) && isJSON(regulation.outline), "no faults or outline")
    promise(isJSON(regulation.examplesJSON), "no examples")
    for table in tables(of: regulation).prefix(1) {
        let edit = regulation.editJSON(ofTable: table, rows: [["", "A", "B 1"], ["x", "1,5", "-"], ["7", "no", ""]])
        promise(edit.map { isJSON(.object($0)) } ?? false, "a table that takes no sheet")
    }
    guard let rules = regulation.rulebook else { return }
    for sample in LawSuite(rules, seed: UInt64(bytes.count), records: 6).samples() { judge(sample, by: rules) }
    for name in rules.templates {
        guard let record = regulation.record(ofTemplate: name) else { continue }
        judge(["fields": record.fields, "entries": record.entries], by: rules)
    }
}

/// A record that the rules accept has a standing that is JSON, the same each time, whose explanations give its figures;
/// unless a number or the work outgrows what a record may take.
private func judge(_ record: JSON, by rules: Rulebook) {
    var made = 0
    let tree = try? rules.calculation(fields: record["fields"] ?? .null, entries: record["entries"] ?? .null) {
        made += 1
        return EntryID("new-\(made)")
    }
    guard let tree, let standing = try? rules.standing(of: tree, explaining: .all) else { return }
    promise((try? JSON.parse(standing.json(of: nil, in: .french))) != nil, "a standing that is no JSON")
    for (name, trace) in standing.traces + standing.entries.flatMap(\.traces) {
        promise(trace.reevaluated() == trace.state, "the explanation of \(name) gives something else: \(record.text)")
    }
    guard let again = try? rules.standing(of: tree) else { return promise(false, "no standing at the second time") }
    let figures = [standing, again].map { one in
        (one.figures + one.entries.flatMap(\.figures)).map { [$0.current, $0.floor, $0.ceiling] }
    }
    promise(figures[0] == figures[1], "another standing at the second time: \(record.text)")
}

private func tables(of regulation: Regulation) -> [String] {
    (regulation.outline.array ?? []).filter { $0["sort"] == "table" }.compactMap { $0["name"]?.string }
}

private func isJSON(_ json: JSON) -> Bool { (try? JSON.parse(json.bytes, limits: JSONLimits(depth: 256))) != nil }
