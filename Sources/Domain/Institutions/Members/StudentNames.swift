public import Shared

/// What the staff of an institution know a student by.
public struct StudentNames: Sendable, Equatable {
    /// The login.
    public let login: String
    /// The display name.
    public let displayName: String
    /// The first and last name.
    public let personName: PersonName
    /// The student number in the institution; `nil` for none.
    public let studentNumber: String?

    /// Names of a student.
    public init(login: String, displayName: String, personName: PersonName, studentNumber: String?) {
        self.login = login
        self.displayName = displayName
        self.personName = personName
        self.studentNumber = studentNumber
    }
}
