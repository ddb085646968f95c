import GradingKit

/// Laws about the shape, its promises to forms, and the wording of faults.
extension LawSuite {
    func checkShape(_ found: inout LawFindings) {
        for violation in rules.shape.violations { found.add(.shapeAndValidatorAgree, violation) }
        for name in rules.templates {
            var made = 0
            let template = try? rules.template(name) {
                made += 1
                return EntryID("t\(made)")
            }
            if template == nil { found.add(.shapeAndValidatorAgree, LawWords.refusedTemplate(name)) }
        }
        for name in rules.clashingNames { found.add(.namesAreUnique, name) }
        let codes = rules.shape.kinds.flatMap { [$0.excessFault] + $0.fields.map(\.rangeFault) }
        for code in codes where !rules.catalog.contains(code) {
            found.add(.codesAreWorded, "\(code) of the shape has no wording")
        }
    }

    /// The validator must not call a value out of range that lies at a bound of a number.
    func checkBounds(_ record: GeneratedRecord, _ dice: inout SeededGenerator, _ found: inout LawFindings) {
        guard let (pointer, entry) = dice.pick(record.places),
            let kind = rules.shape.kinds.first(where: { $0.kind.name == entry.kindName })
        else { return }
        // The generator chose values that are bounded by a sibling together with that sibling.
        for field in kind.fields where entry.value(field) != nil && field.highestField == nil {
            for case .inclusive(let bound)? in [field.lowest, field.highest] {
                let place = pointer + "/fields" + JSONPointer.step(field.name)
                let atBound = record.replacing(at: place) { _ in bound.json }
                let faults = faults(of: atBound)?.faults ?? []
                guard faults.contains(where: { $0.path == place && $0.code == field.rangeFault }) else { continue }
                let thing = LawWords.thing(field.label, in: kind.kind == .record ? nil : kind.label)
                found.add(.shapeAndValidatorAgree, LawWords.refusedBound(bound, of: thing), atBound)
            }
        }
    }

    private func faults(of record: GeneratedRecord) -> FaultList? {
        do {
            _ = try rules.tree(of: record)
            return nil
        } catch {
            return error
        }
    }

    func checkWording(of draft: GeneratedRecord, _ found: inout LawFindings) {
        for fault in faults(of: draft)?.faults ?? [] {
            checkWording(fault.code, fault.arguments, draft, &found)
        }
    }

    func checkWording(of standing: Standing, _ record: GeneratedRecord, _ found: inout LawFindings) {
        let figures = standing.figures + standing.entries.flatMap(\.figures)
        for case .undefined(let reason) in figures.map(\.current) {
            checkWording(reason, JSONObject(), record, &found)
        }
        let outcomes = standing.outcomes + standing.entries.flatMap(\.outcomes)
        for reason in standing.warnings + outcomes.flatMap(\.decision.reasons) {
            checkWording(reason.code, reason.arguments, record, &found)
        }
    }

    /// A record may have as many reasons as entries times rules, most of them alike. So a code with the same argument
    /// names is checked once.
    private func checkWording(
        _ code: FaultCode, _ arguments: JSONObject, _ record: GeneratedRecord, _ found: inout LawFindings
    ) {
        meter.add(10 + 5 * arguments.count)
        let wording = Wording(code: code, arguments: arguments.map(\.name))
        guard hasTime, !found.complete.contains(wording) else { return }
        guard let fault = fault(of: code, arguments) else {
            found.complete.insert(wording)
            return
        }
        meter.add(20 * record.places.count)
        found.add(.codesAreWorded, fault, record)
    }

    /// What is wrong with the wording of a code.
    private func fault(of code: FaultCode, _ arguments: JSONObject) -> String? {
        guard rules.catalog.contains(code) else { return "\(code) has no wording" }
        for language in Language.allCases {
            let message = rules.catalog.message(code, arguments, in: language)
            meter.add(message.utf8.count)
            if message.contains("{") { return "\(code) lacks an argument: \(message)" }
        }
        return nil
    }
}

/// A code and the names of its arguments.
struct Wording: Hashable {
    let code: FaultCode
    let arguments: [String]
}
