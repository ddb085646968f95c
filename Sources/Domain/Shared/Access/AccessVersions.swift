/// The access versions of the subjects that a permission for a record depends on.
///
/// The version of a subject rises with every change that may take away a permission. The check of a permission reads
/// the versions with the data it needs, and the write compares them with the stored ones in its transaction: if the
/// permission was taken away in between, nothing is written.
public struct AccessVersions: Sendable, Equatable {
    /// The version of the account that writes: of its role, sessions and memberships.
    public var account: Int
    /// The version of the record's institution.
    public var institution: Int
    /// The version of the record's program.
    public var program: Int
    /// The version of the student, if another person creates the student's record; 0 for any other write.
    public var student: Int

    /// Creates versions; 0 is that of a subject that has not changed since its creation.
    public init(account: Int = 0, institution: Int = 0, program: Int = 0, student: Int = 0) {
        self.account = account
        self.institution = institution
        self.program = program
        self.student = student
    }
}
