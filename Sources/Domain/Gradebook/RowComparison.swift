public import Classes
public import GradingKit
public import Records
import Shared

/// Compares how two versions of a program judge rows of classes: the entry of each row and the lines in it.
public struct RowComparison: Sendable {
    /// `nil` if another process computes.
    private let computed: RulebookComparison?

    /// Creates a comparison of two rulebooks of one scheme.
    public init(from before: Rulebook, to after: Rulebook) {
        computed = before.isImmediate && after.isImmediate ? RulebookComparison(from: before, to: after) : nil
    }

    /// Creates a comparison from an existing one of records; `nil` if another process computes.
    public init(_ computed: RulebookComparison?) { self.computed = computed }

    /// Returns the differences in a row, as one view shows it. If either rules do not take the row, only its entry has
    /// figures, so only the entry can differ.
    ///
    /// - Parameters:
    ///   - former: the book of its class under the first rules.
    ///   - book: the book of its class under the other rules.
    public func changes(
        in row: EnrolledRow, _ view: RecordView = .full, from former: ClassBook, to book: ClassBook
    ) throws -> RowChanges {
        let (old, new) = (former.part(of: row), book.part(of: row))
        let (before, after) = view == .full ? (old, new) : (old.released, new.released)
        let entry = row.enrolment.entry
        guard before.entry(entry) != nil, after.entry(entry) != nil, try former.rules.rules.faults(of: before).isEmpty,
            try book.rules.rules.faults(of: after).isEmpty
        else { return RowChanges(of: entry) }
        let found =
            if let computed {
                try computed.changes(from: before, to: after)
            } else {
                try StandingComparison(with: former.rules.rules.standing(of: before).json(of: nil, in: .english))
                    .changes(in: book.rules.rules.standing(of: after))
            }
        // The row is judged in a record of its own. Nobody sees the figures of that record.
        let changes = found.filter { $0.entry != nil }
        return RowChanges(of: entry, changes, names: after.names(of: changes.map(\.entry)))
    }
}

extension LinkedRecord {
    /// Returns what differs in its rows, and what they lose, in the order of their entries.
    ///
    /// - Parameters:
    ///   - former: the book of a row's class under the rules that judge the record; `nil` if they refuse the structure.
    ///   - books: the same under the other rules.
    public func changes(
        by comparison: RowComparison, from former: (ClassSnapshot) -> ClassBook?,
        to books: (ClassSnapshot) -> ClassBook?
    ) throws -> [RowChanges] {
        try rows.sorted { $0.key < $1.key }.compactMap { _, row in
            guard let before = former(row.snapshot), let after = books(row.snapshot) else { return nil }
            let changes = try comparison.changes(in: row.enrolled, from: before, to: after)
            let losses = after.losses(in: row.enrolled, heldBy: before)
            if losses.isEmpty { return changes }
            let names = before.part(of: row.enrolled).names(of: losses.map(\.entry))
            return changes.losing(zip(losses, names).map { LostValue($0, path: $1) })
        }
    }
}
