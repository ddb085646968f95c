import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
public import Live
import Records
public import Shared

extension ClassService {
    /// The number of rows to read at once.
    private static let rowsOfPart = 500
    /// How often reading starts again because the structure changed meanwhile.
    private static let attempts = 3

    /// The statistics of the results in each column and of the rows' figures, as of the document's version or newer.
    ///
    /// Rows are counted part by part, each in the caller's turn among the calculations.
    ///
    /// - Parameter group: the group of the students who count; `nil` for all students.
    /// - Throws: `not_found` and `forbidden` as for the rows; `rate_limited` while too many of the caller's
    ///   calculations run at once.
    public func statistics(
        of id: ClassID, _ group: GroupID? = nil, for context: AccountContext
    ) async throws -> LiveDocument {
        try await statistics(of: id, group, inPartsOf: Self.rowsOfPart, for: context)
    }

    /// The statistics, from this many rows at a time.
    func statistics(
        of id: ClassID, _ group: GroupID? = nil, inPartsOf size: Int, for context: AccountContext
    ) async throws -> LiveDocument {
        let permit = try await permit(.read, id, ClassSight(group), for: context)
        try await records.readings.note(
            context.principal, reads: id, in: permit.snapshot.head.institution, from: context.client.source)
        for _ in 0..<Self.attempts {
            if let document = try await statistics(of: id, group, in: permit.program, inPartsOf: size, for: context) {
                return document
            }
        }
        throw StoreError.unavailable("the structure of class \(id) changes all the time")
    }

    /// The statistics; `nil` if the structure changed while rows were read.
    private func statistics(
        of id: ClassID, _ group: GroupID?, in program: Program, inPartsOf size: Int, for context: AccountContext
    ) async throws -> LiveDocument? {
        // The version is that of the first part, so the document counts every row as of that version, or newer.
        var found = try await part(of: id, after: 0, limit: size)
        let first = found.snapshot
        guard let columns = try await grids.columns(of: first, in: program) else {
            throw StoreError.unavailable("no rules take the structure of class \(id)")
        }
        let lines = first.structure.lines.count
        var tally = ClassTally(columns)
        while true {
            let rules = try await grids.rules(of: found.rows, in: program)
            let next = found.rows.count == size ? found.rows.last?.place : nil
            let cost = CalculationCost(judging: found.rows.count, of: lines)
            tally = try await calculations.perform(
                cost, for: context.request.asker, until: context.request.deadline
            ) { [tally, found, grids] in
                var tally = tally
                for row in found.rows where row.enrolled.enrolment.isCounted(in: group) {
                    tally.add(row.enrolled, grids.figures(of: row, found, rules))
                }
                return tally
            }
            guard let next else { break }
            found = try await part(of: id, after: next, limit: size)
            guard found.snapshot.structure.number == first.structure.number else { return nil }
        }
        // Sorting and summing costs by the number of all rows, however few the last part had.
        let bytes = try await calculations.perform(
            CalculationCost(judging: tally.students, of: lines), for: context.request.asker,
            until: context.request.deadline
        ) { [tally] in tally.document(of: first) }
        return LiveDocument(revision: Revision(epoch: found.epoch, version: first.version), bytes: bytes)
    }

    private func part(of id: ClassID, after place: Int, limit: Int) async throws -> GridRows {
        guard let found = try await store.grid(of: id, since: 0, after: place, limit: limit) else {
            throw UseCaseError.notFound
        }
        return found
    }
}
