/// What an act changed in a class, told after the commit to those who follow it.
public struct ClassNews: Sendable, Hashable {
    /// The class.
    public let id: ClassID
    /// The class's version after the act; `nil` if that has to be looked up.
    public let version: Version?
    /// The rows that are another, those included that changed with the structure.
    public let rows: [EnrolmentID]
    /// Whether the class says something else of itself: structure, staff, roster, state.
    public let isRestated: Bool

    /// What an act changed.
    public init(_ id: ClassID, version: Version?, rows: [EnrolmentID] = [], isRestated: Bool = true) {
        self.id = id
        self.version = version
        self.rows = rows
        self.isRestated = isRestated
    }
}
