import Classes
import Shared

/// Identifiers of new lines, so that later steps of a request can refer to them: `#1` is the first line that the
/// request adds, `#0` the root.
final class LineNames {
    private let names: [LineID]
    private var used = 0

    /// - Parameter made: an identifier for each step, more than needed.
    init(_ made: [LineID], after root: LineID) { names = [root] + made }

    func next() -> LineID {
        used += 1
        return names[min(used, names.count - 1)]
    }

    private func resolved(_ id: LineID) -> LineID {
        guard id.text.hasPrefix("#"), let number = Int(id.text.dropFirst()), names.indices.contains(number) else {
            return id
        }
        return names[number]
    }

    func resolved(_ change: StructureChange) -> StructureChange {
        switch change {
        case .add(let kind, let parent, let patch): .add(kind: kind, in: resolved(parent), patch)
        case .patch(let id, let patch): .patch(resolved(id), patch)
        case .delete(let id): .delete(resolved(id))
        case .move(let id, let sibling): .move(resolved(id), before: sibling.map { resolved($0) })
        case .policy, .addSection, .patchSection, .deleteSection: change
        }
    }
}
