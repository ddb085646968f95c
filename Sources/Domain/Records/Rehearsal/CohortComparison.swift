public import GradingKit
public import Shared

/// Compares the standings of a program's records with those that other rules, or another build, would compute.
///
/// Each record is compared under its own version of the program, even an old one: that is what its student sees. If a
/// scheme computes in a process of its own, the stored standing is compared, since another build may have computed it.
public struct CohortComparison: Sendable {
    private enum Way: Sendable {
        /// Computes both standings.
        case computed(published: [Version: Rulebook], comparisons: [Version: RulebookComparison], proposed: Rulebook)
        /// Compares the stored standing with what these rules compute.
        case stored([Version: Rulebook])
    }

    private let way: Way

    /// Creates a comparison of the versions that judge the records with the proposed rules.
    public init(from published: [Version: Rulebook], to proposed: Rulebook) {
        way =
            proposed.isImmediate
            ? .computed(
                published: published,
                comparisons: published.mapValues { RulebookComparison(from: $0, to: proposed) }, proposed: proposed)
            : .stored(published.mapValues { _ in proposed })
    }

    /// Creates a comparison of the stored standings with what the same versions compute now.
    public init(recomputing published: [Version: Rulebook]) { way = .stored(published) }

    /// Whether ``compare(_:)`` needs the stored standings of the records.
    public var needsStandings: Bool { if case .stored = way { true } else { false } }

    /// How the draft judges the entries of a record that stand for rows of classes.
    public struct Links: Sendable {
        /// Judges the rows by the draft.
        let changes: @Sendable () throws -> [LinkChange]
        /// Compares the lines in the rows, by the comparison that holds for the record; `nil` if a process of its own
        /// computes. Also finds what the rows lose.
        let rows: @Sendable (RulebookComparison?) throws -> [RowChanges]
        /// The entries whose classes are closed.
        let closed: Set<EntryID>

        /// Creates what judges the rows of one record.
        public init(
            closed: Set<EntryID> = [], changes: @escaping @Sendable () throws -> [LinkChange],
            rows: @escaping @Sendable (RulebookComparison?) throws -> [RowChanges] = { _ in [] }
        ) {
            self.closed = closed
            self.changes = changes
            self.rows = rows
        }

        /// Entries that keep what they were given.
        public static let kept = Links(changes: { [] })
    }

    /// Returns what would differ in a record. Suspends, without blocking a thread, while a separate process computes.
    public func compare(_ stored: StoredTree, linking links: Links = .kept) async throws -> RehearsedRecord {
        switch way {
        case .computed(let published, let comparisons, let proposed):
            guard let rules = published[stored.programVersion], let comparison = comparisons[stored.programVersion]
            else { return Self.unjudged(stored) }
            return Self.judged(stored, links) {
                let before = try rules.storedRecord(stored.tree)
                let (read, losses) =
                    comparison.sharesShape ? (before, []) : try proposed.storedRecord(losing: stored.tree)
                let after = try proposed.linked(links.changes(), in: read)
                let changes = try comparison.changes(from: before, to: after)
                return Judged(
                    tree: before, changes: changes, losses: losses + comparison.givenLosses(in: before),
                    rows: try links.rows(comparison))
            }
        case .stored(let proposed):
            guard let rules = proposed[stored.programVersion] else { return Self.unjudged(stored) }
            return try await rules.perform {
                Self.judged(stored, links) {
                    let tree = try rules.linked(links.changes(), in: try rules.storedRecord(stored.tree))
                    let changes = try StandingComparison(with: stored.standing ?? []).changes(
                        in: try rules.standing(of: tree))
                    return Judged(tree: tree, changes: changes, losses: [], rows: try links.rows(nil))
                }
            }
        }
    }

    private static func unjudged(_ stored: StoredTree) -> RehearsedRecord {
        RehearsedRecord(stored, changes: [], names: [], refusal: "version_missing")
    }

    /// A record under both rules.
    private struct Judged {
        let tree: RecordTree
        /// The differences in the record itself.
        let changes: [VerdictChange]
        let losses: [RecordLoss]
        let rows: [RowChanges]
    }

    private static func judged(_ stored: StoredTree, _ links: Links, _ judge: () throws -> Judged) -> RehearsedRecord {
        do {
            let judged = try judge()
            let tree = judged.tree
            var (changes, names) = (judged.changes, tree.names(of: judged.changes.map(\.entry)))
            var lost = zip(judged.losses, tree.names(of: judged.losses.map(\.entry))).map { LostValue($0, path: $1) }
            var closed = links.closed
            let places = Set(judged.changes.map { Place($0) })
            for row in judged.rows {
                let around = tree.names(of: row.entry).dropLast()
                for (change, path) in zip(row.changes, row.names) where !places.contains(Place(change)) {
                    changes.append(change)
                    names.append(around + path)
                    if let entry = change.entry, links.closed.contains(row.entry) { closed.insert(entry) }
                }
                // A field of the row's own entry may also be stored in the record.
                lost += row.lost.filter { value in
                    !judged.losses.contains { $0.entry == value.loss.entry && $0.field == value.loss.field }
                }.map { LostValue($0.loss, path: around + $0.path) }
            }
            return RehearsedRecord(stored, changes: changes, names: names, lost: lost, closed: closed)
        } catch let faults as FaultList {
            return RehearsedRecord(stored, changes: [], names: [], refusal: faults.faults.first?.code.text ?? "invalid")
        } catch {
            return RehearsedRecord(stored, changes: [], names: [], refusal: "malformed")
        }
    }
}

/// What a change is about. The entry that stands for a row is compared in the record and in the row.
private struct Place: Hashable {
    let aspect: VerdictChange.Aspect
    let entry: EntryID?
    let name: String

    init(_ change: VerdictChange) { (aspect, entry, name) = (change.aspect, change.entry, change.name) }
}

extension Rulebook {
    fileprivate func linked(_ changes: [LinkChange], in tree: RecordTree) throws -> RecordTree {
        changes.isEmpty ? tree : try validate(links: changes, of: tree).tree
    }
}
