/// An opaque identifier. The phantom type `Thing` prevents an account's identifier from being passed as a record's.
///
/// New identifiers are UUIDv7 text; the text of other identifiers in a store is never interpreted.
public struct Identifier<Thing>: Hashable, Sendable, CustomStringConvertible, Comparable {
    /// The identifier as it is written in URLs and documents.
    public let text: String

    /// Creates an identifier from its text.
    public init(_ text: String) { self.text = text }

    /// The text of the identifier.
    public var description: String { text }

    /// Whether a text has the form of an identifier; names that people choose must not.
    public static func isForm(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(37))
        return bytes.count == 36 && [8, 13, 18, 23].allSatisfy { bytes[$0] == UInt8(ascii: "-") }
    }

    /// Identifiers made later sort later.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The kinds of things that have identifiers. These types have no values.
public enum Thing {
    /// An account of a person or of a service.
    public enum Account {}
    /// A tenant.
    public enum Institution {}
    /// An institution's use of a scheme.
    public enum Program {}
    /// A student's academic record in one program.
    public enum Record {}
    /// One sign-in.
    public enum Session {}
    /// A token with which software acts for an account.
    public enum APIToken {}
    /// A group taught together.
    public enum TaughtClass {}
    /// A line of a class's structure.
    public enum Line {}
    /// A student in a class.
    public enum Enrolment {}
    /// Some students of a class.
    public enum Group {}
    /// A change of results after a class has ended.
    public enum Correction {}
    /// What staff write about a result.
    public enum Comment {}
    /// A year, a term or a period of an institution.
    public enum Term {}
    /// An address to which an institution's events are sent.
    public enum Webhook {}
}

/// The identifier of an account.
public typealias AccountID = Identifier<Thing.Account>
/// The identifier of an institution.
public typealias InstitutionID = Identifier<Thing.Institution>
/// The identifier of a program.
public typealias ProgramID = Identifier<Thing.Program>
/// The identifier of a record.
public typealias RecordID = Identifier<Thing.Record>
/// The identifier of a session.
public typealias SessionID = Identifier<Thing.Session>
/// The identifier of an API token.
public typealias APITokenID = Identifier<Thing.APIToken>
/// The identifier of a class.
public typealias ClassID = Identifier<Thing.TaughtClass>
/// The identifier of a line of a class's structure, and of its entry in every student's record.
public typealias LineID = Identifier<Thing.Line>
/// The identifier of a student in a class.
public typealias EnrolmentID = Identifier<Thing.Enrolment>
/// The identifier of a group of students in a class.
public typealias GroupID = Identifier<Thing.Group>
/// The identifier of a correction.
public typealias CorrectionID = Identifier<Thing.Correction>
/// The identifier of a comment.
public typealias CommentID = Identifier<Thing.Comment>
/// The identifier of a year, a term or a period of an institution.
public typealias TermID = Identifier<Thing.Term>
/// The identifier of a webhook.
public typealias WebhookID = Identifier<Thing.Webhook>
