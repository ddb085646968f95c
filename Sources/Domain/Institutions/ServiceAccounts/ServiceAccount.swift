public import GradingKit
public import Shared

/// An account through which software acts in one institution. People cannot sign in to it.
public struct ServiceAccount: Sendable, Equatable {
    /// What it may be: what students are is for persons.
    public enum Role: String, Sendable, CaseIterable {
        /// As a teacher of some programs.
        case teacher
        /// As a registrar.
        case registrar

        /// The same as a member's role.
        public var memberRole: MemberRole { self == .registrar ? .registrar : .teacher }
    }

    /// The most of an institution.
    public static let capacity = 100
    /// The most code points of a name.
    public static let longestName = 60
    /// The most programs of one.
    public static let mostPrograms = 1_000
    /// How long the name of one that has ended is kept for the trails, in seconds.
    public static let memory: Int64 = 400 * 86_400
    /// The most names that are kept of an institution's ended ones, the latest.
    public static let mostRemembered = 1_000
    /// What one may be allowed: neither what belongs to administrators nor the trails.
    public static let scopes = Scope.allCases.filter { !$0.isGuarded && $0 != .auditRead }

    /// Names it for ever, also as a client of OAuth 2.
    public let id: AccountID
    /// Whose it is.
    public let institution: InstitutionID
    /// What trails and lists call it.
    public var name: String
    /// What it may be used for: its tokens do nothing beyond these.
    public var scopes: Set<Scope>
    /// What it is in the institution.
    public var role: Role
    /// The programs of a teacher, in order; empty for a registrar.
    public var programs: [ProgramID]
    /// When it was made.
    public let createdAt: Timestamp

    /// A service account as it is stored.
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

    /// Its place in the institution.
    public var membership: Membership {
        Membership(
            institution: institution, account: id, role: role.memberRole, programs: programs, since: createdAt)
    }

    /// Writes what registrars see of it.
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

/// What service accounts need of a store.
public protocol ServiceAccountStore: Sendable {
    /// An institution's service accounts that have not ended, in the order in which they were made.
    func serviceAccounts(of institution: InstitutionID) async throws -> [ServiceAccount]

    /// Changes an institution's service accounts by a pure function of them.
    func changeServiceAccounts<Value: Sendable>(
        of institution: InstitutionID, _ plan: @escaping @Sendable ([ServiceAccount]) throws -> InstitutionPlan<Value>
    ) async throws -> Value
}
