import JSON

/// What the identifiers in a line of the audit trail are called at present; nothing for what is gone.
public struct AuditNames: Sendable, Equatable {
    /// A person's names.
    public struct Person: Sendable, Equatable {
        /// What the person types to sign in.
        public let login: String
        /// The name others see.
        public let displayName: String

        /// A person's names.
        public init(login: String, displayName: String) {
            self.login = login
            self.displayName = displayName
        }
    }

    /// What something was done to.
    public enum Subject: Sendable, Equatable {
        case account(Person)
        case institution(title: String)
        case program(title: String)
        /// A record by the title of its program and the name of its student, if it has one.
        case record(program: String, student: String?)
    }

    /// Who did it.
    public let by: Person?
    /// What it was done to.
    public let subject: Subject?
    /// The title of the institution whose trail it is.
    public let institution: String?

    /// Names.
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
        case .record(let program, let student):
            return ["kind": "record", "title": .string(program), "student": student.map { .string($0) } ?? .null]
        }
    }
}
