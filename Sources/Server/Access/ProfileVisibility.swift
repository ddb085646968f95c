import Accounts
import Institutions
import Shared

/// Who knows whom: members of an institution each other, and administrators everybody.
struct ProfileVisibility: Sendable {
    let members: Members

    /// Whether somebody may see what another person shows to those of the same institution.
    func maySee(_ other: AccountID, _ signedIn: SignedIn) async throws -> Bool {
        if signedIn.account == other || signedIn.isAdministrator { return true }
        let mine = Set(try await members.memberships(of: signedIn.account).map(\.institution))
        // Whoever belongs nowhere is not asked about anybody.
        guard !mine.isEmpty else { return false }
        return try await members.memberships(of: other).contains { mine.contains($0.institution) }
    }
}
