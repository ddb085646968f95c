public import GradingKit
import People

/// What others see of a standing: figures and outcomes of the whole record, as displayed. It never contains an entry,
/// an exact value from which a grade could be derived, or a reason, which may name a grade.
public struct SharedView: Sendable, Equatable {
    private let figures: JSONObject
    private let outcomes: JSONObject

    /// The members of a figure that are shown.
    private static let ofFigures = ["display", "reason", "band", "text"]
    /// The members of an outcome that are shown.
    private static let ofOutcomes = ["state", "final", "value", "text"]

    /// Selects what others see of a standing: its first figure and first outcome, or all of them.
    init(of standing: JSON, _ what: RecordSharing.Extent) {
        let most = what == .headline ? 1 : Int.max
        figures = Self.first(most, of: standing["figures"], keeping: Self.ofFigures)
        outcomes = Self.first(most, of: standing["outcomes"], keeping: Self.ofOutcomes)
    }

    private static func first(_ most: Int, of object: JSON?, keeping names: [String]) -> JSONObject {
        var shown = JSONObject()
        for member in (object?.object ?? JSONObject()).prefix(most) {
            var kept = JSONObject()
            for name in names { if let value = member.value[name] { kept[name] = value } }
            shown[member.name] = .object(kept)
        }
        return shown
    }

    /// Writes the members `figures` and `outcomes` into an open object.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("figures", .object(figures))
        writer.member("outcomes", .object(outcomes))
    }
}
