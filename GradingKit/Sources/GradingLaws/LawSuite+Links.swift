public import GradingKit

/// A record in which an entry cannot stand for a row of a class, because something outside it would change.
public struct LinkCounterexample: Error, Sendable, CustomStringConvertible {
    /// The kind of the entry.
    public let kind: Kind
    /// The entry.
    public let entry: EntryID
    /// What changes, in English.
    public let detail: String
    /// The figure or outcome that changes, without the key of a group; `nil` if it is not a single one.
    public let figure: String?
    /// The kind of the figure's entry; `nil` for the record and for groups.
    public let figureKind: String?
    /// The record, as the body of a stateless calculation.
    public let record: JSON

    /// The kind, and the observation.
    public var description: String { "\(kind) cannot be the root of a class: \(detail)" }
}

/// The law of links: an entry with given figures may stand for everything inside it.
extension LawSuite {
    /// The kinds whose entries never broke the law of links.
    public func mountableKinds() -> [Kind] {
        rules.shape.kinds.map(\.kind).filter { $0 != .record && counterexample(toMounting: $0) == nil }
    }

    /// Finds a record in which an entry of a kind breaks the law: the entry replaces everything inside it and gets the
    /// figures of its part, and then something outside it changes – a figure, a letter, an outcome, a warning or a
    /// fault of the record. `nil` if none was found.
    public func counterexample(toMounting kind: Kind) -> LinkCounterexample? {
        var generator = RecordGenerator(for: rules, seed: seed)
        let mender = mender
        for number in 0..<records {
            guard hasTime else {
                return LinkCounterexample(
                    kind: kind, entry: EntryID(""), detail: "the rules take too much work to try all records",
                    figure: nil, figureKind: nil, record: .null)
            }
            let draft = generator.record(exceeding: number % 5 == 4)
            guard let (record, tree) = mender.mended(draft, using: &generator) else { continue }
            var dice = SeededGenerator(seed: seed &+ UInt64(number))
            let places = record.places.filter { $0.entry.kindName == kind.name }
            guard let (pointer, entry) = dice.pick(places), let id = entry["id"]?.string else { continue }
            let (judged, whole) = statused(record, around: pointer, &dice) ?? (record, tree)
            if let (detail, subject) = difference(of: EntryID(id), in: whole, judged) {
                let owner = subject.flatMap { subject in
                    judged.places.first { $0.entry["id"]?.string == subject.entry }?.entry.kindName
                }
                return LinkCounterexample(
                    kind: kind, entry: EntryID(id), detail: detail, figure: subject?.plainName,
                    figureKind: subject?.entry == nil ? nil : owner, record: judged.json)
            }
        }
        return nil
    }

    /// The record with a status on an entry with children, which they inherit.
    private func statused(
        _ record: GeneratedRecord, around pointer: String, _ dice: inout SeededGenerator
    ) -> (GeneratedRecord, RecordTree)? {
        let ancestors = record.places.filter { pointer.hasPrefix($0.pointer + "/") }
        guard dice.chance(50), let ancestor = dice.pick(ancestors),
            let shape = rules.shape.kinds.first(where: { $0.kind.name == ancestor.entry.kindName }),
            let status = dice.pick(shape.statuses)
        else { return nil }
        let changed = record.replacing(at: ancestor.pointer + "/status") { _ in .string(status.rawValue) }
        guard let tree = try? rules.tree(of: changed) else { return nil }
        return (changed, tree)
    }

    /// What changes when an entry replaces what is inside it.
    private func difference(
        of id: EntryID, in whole: RecordTree, _ record: GeneratedRecord
    ) -> (text: String, subject: LawSubject?)? {
        guard let part = whole.part(of: id), let given = try? rules.given(of: id, in: part),
            let standing = try? rules.standing(of: whole)
        else { return ("\(id) cannot be judged by itself", nil) }
        let linked = whole.linking(id, to: Given(link: ClassLink(classID: "C", enrolment: "E"), given))
        guard let other = try? rules.standing(of: linked), let faults = try? rules.faults(of: linked) else {
            return ("the record with a link cannot be judged", nil)
        }
        if let fault = faults.first { return ("\(fault.code) is refused at \(fault.entry?.text ?? "the record")", nil) }
        let inside = Set(Self.inside(whole.entry(id)))
        let difference = OutsideView(other, id, inside).difference(from: OutsideView(standing, id, inside))
        return difference.map { (words(of: $0, in: record).english, $0.subject) }
    }

    private static func inside(_ entry: Entry?) -> [EntryID] {
        entry?.children.flatMap { [$0.id] + inside($0) } ?? []
    }
}

/// The part of a standing outside one entry.
private struct OutsideView {
    private var facts = StandingFacts()

    init(_ standing: Standing, _ link: EntryID, _ inside: Set<EntryID>) {
        add(standing.figures, standing.outcomes, standing.letter, of: nil)
        for entry in standing.entries where !inside.contains(entry.entry) {
            add(entry.figures, entry.outcomes, entry.letter, of: entry.entry.text)
        }
        let warnings = standing.warnings
            .filter { warning in warning.entry.map { $0 != link && !inside.contains($0) } ?? true }
            .map { "\($0.code) \($0.entry?.text ?? "") \(JSON.object($0.arguments).text)" }
        facts.note(warnings: warnings)
    }

    private mutating func add(
        _ figures: [StandingFigure], _ outcomes: [StandingOutcome], _ letter: Band?, of entry: String?
    ) {
        facts.note(letter: letter, of: entry)
        for figure in figures { facts.note(figure, of: entry) }
        for outcome in outcomes { facts.note(outcome, of: entry, reasons: true) }
    }

    /// What differs in another view; `nil` if nothing does.
    func difference(from other: OutsideView) -> StandingDifference? { facts.difference(from: other.facts) }
}
