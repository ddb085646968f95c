/// An opaque identifier of one kind of thing; the phantom `Thing` keeps an account's from being passed as a record's.
///
/// New identifiers are UUIDv7 text; whatever else a store holds is carried unread.
public struct Identifier<Thing>: Hashable, Sendable, CustomStringConvertible, Comparable {
    /// The identifier as it stands in URLs and documents.
    public let text: String

    /// Wraps an identifier's text.
    public init(_ text: String) { self.text = text }

    /// The identifier's text.
    public var description: String { text }

    /// Whether a text has the form of an identifier; names that people choose must not.
    public static func isForm(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(37))
        return bytes.count == 36 && [8, 13, 18, 23].allSatisfy { bytes[$0] == UInt8(ascii: "-") }
    }

    /// Identifiers made later sort later.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// Names the things that have identifiers; none of these is ever made.
public enum Thing {
    /// A person who can sign in.
    public enum Account {}
    /// A tenant.
    public enum Institution {}
    /// An institution's use of a scheme.
    public enum Program {}
    /// A student's academic record in one program.
    public enum Record {}
    /// One sign-in.
    public enum Session {}
    /// A token by which a machine acts for an account.
    public enum APIToken {}
    /// A group taught together.
    public enum TaughtClass {}
    /// A line of a class's structure.
    public enum Line {}
    /// A student in a class.
    public enum Enrolment {}
}

/// Identifies an account.
public typealias AccountID = Identifier<Thing.Account>
/// Identifies an institution.
public typealias InstitutionID = Identifier<Thing.Institution>
/// Identifies a program.
public typealias ProgramID = Identifier<Thing.Program>
/// Identifies a record.
public typealias RecordID = Identifier<Thing.Record>
/// Identifies a session.
public typealias SessionID = Identifier<Thing.Session>
/// Identifies an API token.
public typealias APITokenID = Identifier<Thing.APIToken>
/// Identifies a class.
public typealias ClassID = Identifier<Thing.TaughtClass>
/// Identifies a line of a class's structure: the entry that it is in every student's record, too.
public typealias LineID = Identifier<Thing.Line>
/// Identifies a student in a class.
public typealias EnrolmentID = Identifier<Thing.Enrolment>
