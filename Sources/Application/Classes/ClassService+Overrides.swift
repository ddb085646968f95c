import Classes
public import Gradebook
import GradingKit
import Records
public import Shared

extension ClassService {
    /// Gives figures of totals beside the computed ones, or takes them back.
    public func override(
        _ overrides: [RowOverride], of id: ClassID, reason: String, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        let rows = Array(Set(overrides.map(\.enrolment)))
        return try await act(.write, in: id, .rows(rows), by: context, keeping: keep) { permit, gradebook, ground in
            try gradebook.override(
                overrides, reason: reason, by: permit.context.account, at: permit.context.at, in: ground)
        }
    }
}
