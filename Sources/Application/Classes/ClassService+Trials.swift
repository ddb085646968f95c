import Accounts
public import Classes
import Cryptography
public import Gradebook
import GradingKit
import Institutions
import Records
public import Shared

/// Trials in a class, which store nothing.
extension ClassService {
    /// The effect of a change of the structure on every row, as JSON.
    public func rehearse(
        _ id: ClassID, _ changes: [StructureChange], for context: AccountContext
    ) async throws -> [UInt8] {
        let permit = try await permit(.write, id, for: context)
        try await records.readings.note(
            context.principal, reads: id, in: permit.snapshot.head.institution, from: context.client.source)
        let lines = permit.snapshot.structure.lines.count + changes.count
        guard let ground = try await store.ground(of: id, .everyRow) else { throw UseCaseError.notFound }
        let gradebook = try await gradebook(of: permit, for: ground, JudgementCache())
        let made = changes.map { _ in LineID(identifiers.next()) }
        // Each row is judged twice. A slider asks often, so what waits is bounded for each caller, and not how often it
        // asks.
        let cost = CalculationCost(judging: 2 * ground.rows.count, of: lines)
        do {
            return try await calculations.perform(
                cost, for: context.request.asker, until: context.request.deadline
            ) {
                let names = LineNames(made, after: ground.snapshot.structure.root.id)
                let rehearsal = try gradebook.rehearse(
                    changes.map { names.resolved($0) }, newID: { names.next() }, in: ground)
                var writer = JSONWriter(capacity: 256 + rehearsal.rows.count * 256)
                Self.write(rehearsal, of: ground.snapshot, to: &writer)
                return writer.bytes
            }
        } catch let faults as FaultList {
            throw Self.refusal(faults, gradebook.catalog)
        }
    }

    private static func write(
        _ rehearsal: ClassRehearsal, of snapshot: ClassSnapshot, to writer: inout JSONWriter
    ) {
        let rows = rehearsal.rows
        writer.object { writer in
            writer.member("v", snapshot.version)
            writer.member("s", snapshot.structure.number)
            writer.member("changed", rows.count { $0.before != $0.after })
            writer.member("refused", rows.count { $0.refusal != nil })
            writer.member("stillMissing", rehearsal.stillMissing)
            writer.member("atRisk") { writer in
                writer.object {
                    $0.member("before", rows.count { $0.isAtRisk.before })
                    $0.member("after", rows.count { $0.isAtRisk.after })
                }
            }
            writer.member("rows") { writer in
                writer.array { writer in
                    for row in rows {
                        writer.object { writer in
                            writer.member("row", row.enrolment.text)
                            writer.member("refusal", row.refusal?.text)
                            for (name, figures) in [("before", row.before), ("after", row.after)] {
                                writer.member(name) { $0.write(figures) }
                            }
                        }
                    }
                }
            }
            guard !rehearsal.curves.isEmpty else { return }
            writer.member("curves") { writer in
                writer.array { writer in for curve in rehearsal.curves { writer.write(curve) } }
            }
        }
    }

    /// One row with other results, in the form of the row itself: for staff complete, for its student as released.
    public func preview(
        _ enrolment: EnrolmentID, of id: ClassID, _ changes: [CellChange], for context: AccountContext
    ) async throws -> [UInt8] {
        let (snapshot, row, isOwn) = try await readable(enrolment, of: id, for: context)
        guard let record = try await records.store.snapshot(of: row.enrolment.record),
            let program = try await records.institutions.programs.find(snapshot.head.program)
        else { throw UseCaseError.notFound }
        if !isOwn {
            try await records.readings.note(context.principal, reads: record.head, from: context.client.source)
        }
        let rules = try await records.rulesCache.rules(of: program, version: record.head.programVersion)
        let cost = CalculationCost(judging: 1, of: snapshot.structure.lines.count)
        do {
            return try await calculations.perform(cost, for: context.request, by: rules.rules) { [bookCache] in
                let book = try bookCache.book(snapshot.structure, of: id, under: rules)
                let part = try book.tried(changes, in: row, asStudent: isOwn)
                let standing = try rules.rules.standing(of: book.counted(part, of: row))
                var writer = JSONWriter(capacity: 8_192)
                writer.object { writer in
                    writer.member("part") { writer in
                        writer.object { writer in writer.member("entries") { part.writeEntries(to: &$0) } }
                    }
                    writer.member("standing") { standing.write(to: &$0, of: nil, in: context.language) }
                }
                return writer.bytes
            }
        } catch let faults as FaultList {
            throw Self.refusal(faults, rules.rules.catalog.adding(.classes))
        }
    }
}

extension JSONWriter {
    /// Writes statistics of the values that count, in the form of a column's statistics, with up to four decimals.
    fileprivate mutating func write(_ curve: RehearsedCurve) {
        object { writer in
            writer.member("line", curve.line.text)
            for (name, numbers) in [("before", curve.before), ("after", curve.after)] {
                writer.member(name) { writer in
                    writer.write(NumberStatistics(numbers, on: curve.scale), scale: 2) {
                        Rounding.halfUp.text($0, scale: 4)
                    }
                }
            }
        }
    }

    fileprivate mutating func write(_ figures: RowFigures?) {
        guard let figures else { return null() }
        object { writer in
            writer.member("letter", figures.letter)
            writer.member("figures") { writer in
                writer.object { writer in
                    for (name, text) in figures.displays.sorted(by: { $0.key < $1.key }) { writer.member(name, text) }
                }
            }
        }
    }
}
