public import GradingKit
public import Shared

/// Compares the records of a program as they stand with how other rules, or another build, would judge them.
///
/// Records that stayed with an older version are compared with that one: it is what their students see. Where a scheme
/// computes in a process of its own, what is stored is compared, since it may have been computed by another build.
public struct CohortComparison: Sendable {
    private enum Way: Sendable {
        /// Both are computed on the spot.
        case computed(published: [Version: Rulebook], comparisons: [Version: RulebookComparison], proposed: Rulebook)
        /// What is stored, with what these rules make of it.
        case stored([Version: Rulebook])
    }

    private let way: Way

    /// A comparison of the versions that records are judged by with the proposed rules.
    public init(from published: [Version: Rulebook], to proposed: Rulebook) {
        way =
            proposed.isImmediate
            ? .computed(
                published: published,
                comparisons: published.mapValues { RulebookComparison(from: $0, to: proposed) }, proposed: proposed)
            : .stored(published.mapValues { _ in proposed })
    }

    /// A comparison of what is stored with what the same versions make of it now.
    public init(recomputing published: [Version: Rulebook]) { way = .stored(published) }

    /// Whether records are to be given with their standings.
    public var needsStandings: Bool { if case .stored = way { true } else { false } }

    /// What would be seen otherwise in a record. A scheme in a process of its own is waited for elsewhere.
    public func compare(_ stored: StoredTree) async throws -> RehearsedRecord {
        switch way {
        case .computed(let published, let comparisons, let proposed):
            guard let rules = published[stored.programVersion], let comparison = comparisons[stored.programVersion]
            else { return Self.unjudged(stored) }
            return Self.judged(stored) {
                let before = try rules.storedRecord(stored.tree)
                let after = comparison.sharesShape ? before : try proposed.storedRecord(stored.tree)
                return (before, try comparison.changes(from: before, to: after))
            }
        case .stored(let proposed):
            guard let rules = proposed[stored.programVersion] else { return Self.unjudged(stored) }
            return try await rules.perform {
                Self.judged(stored) {
                    let tree = try rules.storedRecord(stored.tree)
                    let standing = try rules.standing(of: tree)
                    return (tree, try StandingComparison(with: stored.standing ?? []).changes(in: standing))
                }
            }
        }
    }

    private static func unjudged(_ stored: StoredTree) -> RehearsedRecord {
        RehearsedRecord(stored, changes: [], names: [], refusal: "version_missing")
    }

    private static func judged(_ stored: StoredTree, _ judge: () throws -> (RecordTree, [VerdictChange]))
        -> RehearsedRecord
    {
        do {
            let (tree, changes) = try judge()
            let names = tree.names(of: changes.map(\.entry))
            return RehearsedRecord(stored, changes: changes, names: names)
        } catch let faults as FaultList {
            return RehearsedRecord(stored, changes: [], names: [], refusal: faults.faults.first?.code.text ?? "invalid")
        } catch {
            return RehearsedRecord(stored, changes: [], names: [], refusal: "malformed")
        }
    }
}
