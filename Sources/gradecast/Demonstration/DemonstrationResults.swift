import GradingKit

/// What a class of the demonstration is taught in one scheme, and what is entered in each record, act by act.
///
/// Everything follows from the student alone, so that every demonstration holds the same results.
struct DemonstrationResults {
    let scheme: String
    /// The title of the class's program.
    let title: String
    /// The lists of changes, in the form of `POST /v1/records/{record}/changes`, in their order.
    let acts: @Sendable (DemonstrationStudent) -> [[JSON]]
    /// What the demonstration's student entered in a record of their own.
    let own: @Sendable (DemonstrationStudent) -> [[JSON]]

    static let all = [board, courses, year]
}

/// A list of changes.
func additions(_ entries: JSON...) -> [JSON] {
    entries.map { entry in
        var change = entry.object ?? JSONObject()
        change["op"] = "add"
        return .object(change)
    }
}
