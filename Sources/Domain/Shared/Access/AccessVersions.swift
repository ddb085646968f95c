/// The access versions of what a permission for a record rests on.
///
/// The version of a subject rises with every change that may take a permission away. Whoever decides reads the versions with
/// what decides, and the write compares them with the stored ones in its transaction: a permission that was taken away
/// in between writes nothing.
public struct AccessVersions: Sendable, Equatable {
    /// Of the account that writes: its role, sessions and memberships.
    public var account: Int
    /// Of the record's institution.
    public var institution: Int
    /// Of the record's program.
    public var program: Int
    /// Of the student for whom someone else makes a new record; 0 for any other write.
    public var student: Int

    /// The versions of subjects; 0 for one that has not changed since it was made.
    public init(account: Int = 0, institution: Int = 0, program: Int = 0, student: Int = 0) {
        self.account = account
        self.institution = institution
        self.program = program
        self.student = student
    }
}
