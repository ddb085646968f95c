import GradingKit
import Records
import Shared
import Synchronization

/// Finds and caches which kinds of entries can stand for rows of classes under which rules. Works off the event loops.
final class ClassRoots: Sendable {
    private struct Key: Hashable {
        let program: ProgramID
        let version: Version
        let kind: Kind
    }

    private static let capacity = 1_000
    private let mounting: ClassService.MountingCheck
    private let lowPriority: any LowPriorityExecutor
    private let known = Mutex<[Key: MountingObstacle?]>([:])

    init(mounting: @escaping ClassService.MountingCheck, lowPriority: any LowPriorityExecutor) {
        self.mounting = mounting
        self.lowPriority = lowPriority
    }

    /// Returns why entries of the kind cannot stand for rows; `nil` if no record was found in which one changes
    /// something outside it.
    func obstacle(to kind: Kind, of program: ProgramID, _ rules: RecordRules) async -> MountingObstacle? {
        let key = Key(program: program, version: rules.programVersion, kind: kind)
        if let known = known.withLock({ $0[key] }) { return known }
        await lowPriority.run(.second) { [self] in
            let obstacle = mounting(rules.rules, kind)
            known.withLock { known in
                if known.count >= Self.capacity { known.removeAll() }
                known[key] = .some(obstacle)
            }
        }
        return known.withLock { $0[key] } ?? MountingObstacle(figure: nil, of: nil)
    }
}
