import JSON

/// The current names of the identifiers in a row of the audit trail; `nil` for what was deleted.
public struct AuditNames: Sendable, Equatable {
    /// A person's names.
    public struct Person: Sendable, Equatable {
        /// The login.
        public let login: String
        /// The name that other people see.
        public let displayName: String

        /// Creates a person's names.
        public init(login: String, displayName: String) {
            self.login = login
            self.displayName = displayName
        }
    }

    /// The names of the object of an action.
    public enum Subject: Sendable, Equatable {
        case account(Person)
        case institution(title: String)
        case program(title: String)
        case taughtClass(title: String)
        /// A record, by the title of its program and the name of its student, if it has one.
        case record(program: String, student: String?)
    }

    /// The person who acted.
    public let by: Person?
    /// The object of the action.
    public let subject: Subject?
    /// The title of the institution that the trail belongs to.
    public let institution: String?

    /// Creates the names of a row.
    public init(by: Person? = nil, subject: Subject? = nil, institution: String? = nil) {
        self.by = by
        self.subject = subject
        self.institution = institution
    }

    var json: JSON {
        [
            "by": by.map { .object($0.members) } ?? .null, "subject": subject?.json ?? .null,
            "institution": institution.map { ["title": .string($0)] } ?? .null,
        ]
    }
}

extension AuditNames.Person {
    fileprivate var members: JSONObject { ["login": .string(login), "displayName": .string(displayName)] }
}

extension AuditNames.Subject {
    fileprivate var json: JSON {
        switch self {
        case .account(let person):
            var members: JSONObject = ["kind": "account"]
            for member in person.members { members[member.name] = member.value }
            return .object(members)
        case .institution(let title): return ["kind": "institution", "title": .string(title)]
        case .program(let title): return ["kind": "program", "title": .string(title)]
        case .taughtClass(let title): return ["kind": "class", "title": .string(title)]
        case .record(let program, let student):
            return ["kind": "record", "title": .string(program), "student": student.map { .string($0) } ?? .null]
        }
    }
}
