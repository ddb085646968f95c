public import GradingKit
public import Storage

/// Compares the records of a program as they are judged today with how a draft would judge them.
///
/// Records that stayed with an older version are compared with that one: it is what their students see.
public struct CohortComparison: Sendable {
    private let published: [Version: Rulebook]
    private let comparisons: [Version: RulebookComparison]
    private let proposed: Rulebook

    /// A comparison of the versions that records are judged by with the proposed rules.
    public init(from published: [Version: Rulebook], to proposed: Rulebook) {
        self.published = published
        self.proposed = proposed
        comparisons = published.mapValues { RulebookComparison(from: $0, to: proposed) }
    }

    /// What would be seen otherwise in a record. A scheme in a process of its own is waited for elsewhere.
    public func compare(_ stored: StoredTree) async throws -> RehearsedRecord {
        if proposed.isImmediate { return judged(stored) }
        return try await proposed.perform { judged(stored) }
    }

    private func judged(_ stored: StoredTree) -> RehearsedRecord {
        guard let rules = published[stored.programVersion], let comparison = comparisons[stored.programVersion] else {
            return RehearsedRecord(stored, changes: [], refusal: "version_missing")
        }
        do {
            let before = try rules.storedRecord(stored.tree)
            let after = comparison.sharesShape ? before : try proposed.storedRecord(stored.tree)
            let changes = try comparison.changes(from: before, to: after)
            let entries = Set(changes.compactMap(\.entry))
            return RehearsedRecord(
                stored, changes: changes,
                paths: Dictionary(uniqueKeysWithValues: entries.map { ($0, before.names(of: $0)) }))
        } catch let faults as FaultList {
            return RehearsedRecord(stored, changes: [], refusal: faults.faults.first?.code.text ?? "invalid")
        } catch {
            return RehearsedRecord(stored, changes: [], refusal: "malformed")
        }
    }
}
