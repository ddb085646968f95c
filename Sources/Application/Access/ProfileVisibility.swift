import Accounts
import Institutions
public import Shared

/// The rule for whose profile a caller may see: members of one institution see each other, and administrators see
/// everyone.
public struct ProfileVisibility: Sendable {
    private let members: Members

    /// Creates the rule over the given members.
    public init(members: Members) { self.members = members }

    /// Returns whether the caller may see what a person shows to members of the same institution.
    public func maySee(_ other: AccountID, _ context: AccountContext) async throws -> Bool {
        if context.account == other || context.principal.isAdministrator { return true }
        let mine = Set(try await members.memberships(of: context.account).map(\.institution))
        // A caller without memberships shares no institution with anyone.
        guard !mine.isEmpty else { return false }
        return try await members.memberships(of: other).contains { mine.contains($0.institution) }
    }
}
