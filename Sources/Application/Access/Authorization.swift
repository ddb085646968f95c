import Accounts
public import Classes
import GradingKit
public import Institutions
public import People
public import Shared

/// The caller, with everything on which a permission can rest.
public struct Requester: Sendable {
    let account: AccountID?
    let isAdministrator: Bool
    let memberships: [Membership]
    /// The only institution in which a service account acts; `nil` for a person.
    let home: InstitutionID?
    /// The access version that the account had when it and its memberships were read; 0 for a guest.
    let accessVersion: Int
    /// The people who can be acting through a service account, as far as the decision asks for them.
    var makers: Set<AccountID> = []

    init(principal: Principal, memberships: [Membership], accessVersion: Int = 0) {
        account = principal.account
        isAdministrator = principal.isAdministrator
        home = principal.acting?.home
        self.memberships = memberships
        self.accessVersion = accessVersion
    }

    /// Creates a requester from the account that ordered the work, in its current state.
    init(author: Account, memberships: [Membership], accessVersion: Int) {
        account = author.id
        isAdministrator = author.role == .administrator
        home = author.service?.institution
        self.memberships = memberships
        self.accessVersion = accessVersion
    }

    /// A caller without an account.
    static let guest = Requester(principal: .guest, memberships: [])

    /// Returns the requester as it counts in an institution: outside its own institution, a service account counts as a
    /// guest.
    fileprivate func acting(in institution: Institution) -> Requester {
        home.map { $0 == institution.id } ?? true ? self : .guest
    }

    func membership(in institution: InstitutionID) -> Membership? {
        memberships.first { $0.institution == institution }
    }

    /// Whether a student is the caller, or one of those behind a service account.
    fileprivate func stands(behind student: AccountID?) -> Bool {
        guard let student else { return false }
        return student == account || makers.contains(student)
    }
}

/// What a caller wants to do with a resource.
public enum Action: String, Sendable, CaseIterable {
    /// Read the resource, or learn that it exists.
    case read
    /// Change its content.
    case write
    /// Delete it.
    case delete
    /// Create something in it: a program in an institution, a record in a program.
    case create
    /// Manage its members.
    case manageMembers
    /// Appoint its registrars.
    case appoint
    /// Read its list of members. With `staff` in the decision the caller sees all members, otherwise only the students.
    case readMembers
    /// Enter or release scores in many records at once.
    case grade
    /// Read what is not open to everyone: drafts, cohorts, audit trails.
    case oversee
    /// Give figures and outcomes of a record beside the computed ones.
    case give
    /// Approve what another person asked for: corrections of a closed class.
    case approve
}

/// The object of an action, with the facts on which the decision depends.
public enum Resource: Sendable {
    /// An institution.
    case institution(Institution)
    /// A program of an institution.
    case program(Program, in: Institution)
    /// A student's record in a program.
    case record(student: AccountID?, program: Program, in: Institution)
    /// What a student shares of a record, for a caller with this relation to the student. Presupposes that the
    /// student's account is active and that the student may read the record.
    case shared(SharedRecord, in: Institution, for: Relation)
    /// A person.
    case person(Person)
    /// A class in which the caller has this role; `nil` for no role.
    case taughtClass(role: ClassRole?, in: Institution)
}

/// A person whom the caller may or may not be allowed to see.
public struct Person: Sendable {
    /// The person's account.
    let account: AccountID
    /// Whether everyone who is signed in can find the person.
    let isDiscoverable: Bool
    /// The relation between the caller and the person.
    let relation: Relation
}

/// The decision on an action.
public enum AuthorizationDecision: Sendable, Equatable {
    /// Allowed. `staff` says whether records are shown in the staff view.
    case allowed(staff: Bool)
    /// Refused; the caller may know that the resource exists.
    case forbidden
    /// Refused because the caller would decide about himself or herself.
    case aboutOneself
    /// Refused, with the same answer as if the resource did not exist.
    case unknown
}

/// Decides who may do what: the single rule for requests, live topics and jobs.
public func authorize(_ identity: Requester, _ action: Action, on resource: Resource) -> AuthorizationDecision {
    switch resource {
    case .institution(let institution):
        institutionDecision(identity.acting(in: institution), action, institution)
    case .program(let program, let institution):
        programDecision(identity.acting(in: institution), action, program, institution)
    case .record(let student, let program, let institution):
        recordDecision(identity.acting(in: institution), action, student, program, institution)
    case .shared(let shared, let institution, let relation):
        sharedDecision(identity, action, shared, institution, relation)
    case .person(let person): personDecision(identity, action, person)
    case .taughtClass(let role, let institution):
        classDecision(identity.acting(in: institution), action, role, institution)
    }
}

/// Decides on a class. Its staff must be members of its institution; registrars may do what teachers may, and
/// administrators may only read. For everyone else the class does not exist: students have their own rows.
private func classDecision(
    _ identity: Requester, _ action: Action, _ role: ClassRole?, _ institution: Institution
) -> AuthorizationDecision {
    let membership = identity.membership(in: institution.id)
    let isRegistrar = membership?.role == .registrar
    let role = membership?.role.isStaff == true ? role : nil
    guard role != nil || isRegistrar || identity.isAdministrator else { return .unknown }
    switch action {
    case .read, .oversee: return .allowed(staff: true)
    case .grade: return isRegistrar || role?.mayGrade == true ? .allowed(staff: true) : .forbidden
    case .write, .manageMembers: return isRegistrar || role?.mayTeach == true ? .allowed(staff: true) : .forbidden
    case .approve: return isRegistrar ? .allowed(staff: true) : .forbidden
    case .delete, .create, .appoint, .readMembers, .give: return .forbidden
    }
}

private func institutionDecision(_ identity: Requester, _ action: Action, _ institution: Institution)
    -> AuthorizationDecision
{
    let role = identity.membership(in: institution.id)?.role
    guard institution.isOpen || role != nil || identity.isAdministrator else { return .unknown }
    let oversees = role == .registrar || identity.isAdministrator
    switch action {
    case .read: return .allowed(staff: role?.isStaff ?? identity.isAdministrator)
    case .readMembers: return oversees || role == .teacher ? .allowed(staff: oversees) : .forbidden
    case .oversee, .appoint: return oversees ? .allowed(staff: true) : .forbidden
    // An administrator creates an institution and appoints its registrars; the registrars do the rest.
    case .write, .create, .manageMembers: return role == .registrar ? .allowed(staff: true) : .forbidden
    case .delete, .grade, .give, .approve: return .forbidden
    }
}

private func programDecision(
    _ identity: Requester, _ action: Action, _ program: Program, _ institution: Institution
) -> AuthorizationDecision {
    let membership = identity.membership(in: institution.id)
    let isRegistrar = membership?.role == .registrar
    let isTeacher = membership?.role == .teacher && membership?.keepsRecords(of: program.id) == true
    let oversees = isRegistrar || isTeacher || identity.isAdministrator
    let belongs = institution.isOpen || membership != nil
    guard oversees || belongs && program.newest != nil else { return .unknown }
    switch action {
    case .read: return .allowed(staff: oversees)
    case .oversee: return oversees ? .allowed(staff: true) : .forbidden
    case .write, .manageMembers: return isRegistrar ? .allowed(staff: true) : .forbidden
    case .grade:
        return (isRegistrar || isTeacher) && program.entry.allowsStaff ? .allowed(staff: true) : .forbidden
    case .create:
        // Staff create records for others; students create their own where the program lets them enter grades.
        guard identity.account != nil, program.newest != nil, belongs else { return .forbidden }
        if isRegistrar || isTeacher { return .allowed(staff: true) }
        return program.entry.allowsStudents ? .allowed(staff: false) : .forbidden
    case .delete, .appoint, .readMembers, .give, .approve: return .forbidden
    }
}

/// Decides on a record. Staff keep the records of their programs, but in their own they are students like all others.
/// Students write to their own records where the program lets students enter grades; in a closed institution they must
/// also be members. An administrator maintains the server, not the grades, and may therefore read, which is audited, but
/// change nothing.
private func recordDecision(
    _ identity: Requester, _ action: Action, _ student: AccountID?, _ program: Program, _ institution: Institution
) -> AuthorizationDecision {
    let membership = identity.membership(in: institution.id)
    let isKeeper = membership?.keepsRecords(of: program.id) ?? false
    let isOwner = student != nil && identity.account == student
    let isAboutOneself = identity.stands(behind: student)
    let belongs = institution.isOpen || membership != nil
    let reads = isKeeper || identity.isAdministrator || isOwner && institution.letsOwnersRead(membership)
    let entersForOthers = isKeeper && !isAboutOneself && program.entry.allowsStaff
    let entersOwn = isOwner && belongs && program.entry.allowsStudents
    let isAllowed =
        switch action {
        case .read: reads
        case .oversee: isKeeper || identity.isAdministrator
        case .write: entersForOthers || entersOwn
        case .give: entersForOthers && (membership?.role == .registrar || program.given == .teacher)
        // A student alone may not delete a record in which staff may have entered grades.
        case .delete:
            entersForOthers && membership?.role == .registrar || entersOwn && !program.entry.allowsStaff
        case .create, .grade, .manageMembers, .appoint, .readMembers, .approve: false
        }
    if isAllowed { return .allowed(staff: !isAboutOneself) }
    let isRefusedToOneself = isKeeper && isAboutOneself && program.entry.allowsStaff
    if isRefusedToOneself, action == .write || action == .delete { return .aboutOneself }
    return reads ? .forbidden : .unknown
}

/// Decides on shared content. Only the owner and the chosen audience may read it: no role grants access, and a service
/// account is not a person.
private func sharedDecision(
    _ identity: Requester, _ action: Action, _ shared: SharedRecord, _ institution: Institution, _ relation: Relation
) -> AuthorizationDecision {
    guard action == .read, institution.sharing == .allowed, let account = identity.account, identity.home == nil,
        !relation.isSevered
    else { return .unknown }
    let audiences = shared.sharing.with
    let isMember = identity.membership(in: institution.id) != nil
    let reads =
        account == shared.owner || audiences.contains(.everyone) || audiences.contains(.members) && isMember
        || audiences.contains(.friends) && relation.areFriends
    return reads ? .allowed(staff: false) : .unknown
}

/// Decides on a person. People see themselves, people who are discoverable, people they follow, and people who follow
/// them or have asked to. Neither side sees the other after a block.
private func personDecision(_ identity: Requester, _ action: Action, _ person: Person) -> AuthorizationDecision {
    guard action == .read, let account = identity.account, identity.home == nil else { return .unknown }
    if account == person.account { return .allowed(staff: false) }
    let relation = person.relation
    guard !relation.isSevered else { return .unknown }
    let sees = person.isDiscoverable || relation.following == .following || relation.follower != .none
    return sees ? .allowed(staff: false) : .unknown
}

extension Institution {
    /// Returns whether a person with this membership, or without one, may read his or her own records here.
    func letsOwnersRead(_ membership: Membership?) -> Bool { isOpen || membership != nil || keepsReading }
}

extension UseCaseError {
    /// Turns a refusal into `forbidden`, `notFound`, or `invalid` with `about_oneself`.
    init(_ decision: AuthorizationDecision) {
        self =
            switch decision {
            case .forbidden: .forbidden
            case .aboutOneself: .invalid(FaultList([Fault(.aboutOneself)]), catalog: .classes)
            case .allowed, .unknown: .notFound
            }
    }
}
