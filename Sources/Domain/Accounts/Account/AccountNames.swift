public import Shared

/// The names of an account.
public struct AccountNames: Sendable, Equatable {
    /// The name that other people see.
    public let displayName: String
    /// What only those see who know the student number.
    public let personName: PersonName

    /// Creates the names of an account.
    public init(displayName: String, personName: PersonName = .none) {
        self.displayName = displayName
        self.personName = personName
    }
}
