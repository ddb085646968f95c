public import GradingKit
public import Shared

/// An account that software uses in one institution. People cannot sign in to it.
public struct ServiceAccount: Sendable, Equatable {
    /// The role of a service account; only persons can be students.
    public enum Role: String, Sendable, CaseIterable {
        /// A teacher of some programs.
        case teacher
        /// A registrar.
        case registrar

        /// The same role as a member's.
        public var memberRole: MemberRole { self == .registrar ? .registrar : .teacher }
    }

    /// The maximum number of service accounts of an institution.
    public static let capacity = 100
    /// The maximum number of code points of a name.
    public static let longestName = 60
    /// The maximum number of programs of a service account.
    public static let mostPrograms = 1_000
    /// The time in seconds that the name of an ended service account is kept for the audit trails.
    public static let memory: Int64 = 400 * 86_400
    /// The maximum number of names kept of an institution's ended service accounts; the latest are kept.
    public static let mostRemembered = 1_000
    /// The scopes that a service account may have: neither those of administrators nor reading the audit trail.
    public static let scopes = Scope.allCases.filter { !$0.isGuarded && $0 != .auditRead }

    /// The identifier, which never changes; also its OAuth 2 client identifier.
    public let id: AccountID
    /// The institution that owns it.
    public let institution: InstitutionID
    /// The name in audit trails and lists.
    public var name: String
    /// The scopes that its tokens may have at most.
    public var scopes: Set<Scope>
    /// Its role in the institution.
    public var role: Role
    /// A teacher's programs, sorted; empty for a registrar.
    public var programs: [ProgramID]
    /// When it was created.
    public let createdAt: Timestamp

    /// Creates a service account as it is stored.
    public init(
        id: AccountID, institution: InstitutionID, name: String, scopes: Set<Scope>, role: Role, programs: [ProgramID],
        createdAt: Timestamp
    ) {
        self.id = id
        self.institution = institution
        self.name = name
        self.scopes = scopes
        self.role = role
        self.programs = programs
        self.createdAt = createdAt
    }

    /// Its membership of the institution.
    public var membership: Membership {
        Membership(
            institution: institution, account: id, role: role.memberRole, programs: programs, since: createdAt)
    }

    /// Writes the service account as registrars see it.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", id.text)
            $0.member("institution", institution.text)
            $0.member("name", name)
            $0.member("role", role.rawValue)
            $0.member("programs", .array(programs.map { .string($0.text) }))
            $0.member("scopes", .array(scopes.sorted().map { .string($0.rawValue) }))
            $0.member("createdAt", createdAt.description)
        }
    }

    /// The service account as JSON text, for the audit trail.
    var auditText: [UInt8] {
        JSON.object([
            "name": .string(name), "role": .string(role.rawValue),
            "programs": .array(programs.map { .string($0.text) }),
            "scopes": .array(scopes.sorted().map { .string($0.rawValue) }),
        ]).bytes
    }
}
