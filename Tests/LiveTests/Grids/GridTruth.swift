import Live
import Shared

/// The truth of the model of grids: one class, whose rows say what they are.
struct GridTruth {
    /// What a restored backup takes back.
    struct State {
        var version = 1
        var structure = 1
        var structuredAt = 1
        /// By place, from 1, the version at which a row last changed.
        var rows: [Version] = []
    }

    private(set) var state = State()
    private var past: [State] = []
    private(set) var epochNumber = 1

    var epoch: Epoch { Epoch("e\(epochNumber)") }
    var revision: Revision { Revision(epoch: epoch, version: state.version) }

    /// An act: some rows change, or one is new, or all change with the structure, or none does.
    mutating func act(_ dice: inout Dice) {
        past.append(state)
        state.version += 1
        switch dice.below(8) {
        case 0:
            state.structure += 1
            state.structuredAt = state.version
        case 1 where state.rows.count < 9: state.rows.append(state.version)
        case 2: break
        default:
            guard !state.rows.isEmpty else { return }
            for _ in 0...dice.below(3) { state.rows[dice.below(state.rows.count)] = state.version }
        }
    }

    /// A backup of some acts ago comes back under a new epoch.
    mutating func restore(losing acts: Int) {
        epochNumber += 1
        for _ in 0..<acts { state = past.popLast() ?? state }
    }

    /// What a row says, as a function of its place, its version, the structure and the epoch.
    static func text(_ place: Int, _ version: Version, _ structure: Int, _ epoch: Epoch) -> String {
        "row \(place) at \(version) in \(structure) of \(epoch)"
    }

    /// All rows as of now, by place.
    var all: [Int: String] {
        var all: [Int: String] = [:]
        for (index, version) in state.rows.enumerated() {
            all[index + 1] = Self.text(index + 1, max(version, state.structuredAt), state.structure, epoch)
        }
        return all
    }

    /// One part of what changed, of at most two rows.
    ///
    /// - Parameter version: what the part says in the place of the version that stands, for a known mistake.
    func rows(at cursor: RowsCursor, saying version: Version? = nil) -> LiveRows {
        var items: [String] = []
        var next: Int?
        for (index, own) in state.rows.enumerated() where index + 1 > cursor.after {
            let version = max(own, state.structuredAt)
            guard version > cursor.since else { continue }
            let text = Self.text(index + 1, version, state.structure, epoch)
            items.append(#"{"id":\#(index + 1),"v":\#(version),"s":\#(state.structure),"is":"\#(text)"}"#)
            if items.count == 2 {
                next = index + 1
                break
            }
        }
        return LiveRows(
            revision: Revision(epoch: epoch, version: cursor.version ?? version ?? state.version),
            structure: state.structure, items: Array("[\(items.joined(separator: ","))]".utf8), next: next)
    }
}
