import Accounts
public import Classes
public import Institutions
public import People
public import Shared

/// Who asks, with everything on which a permission can rest.
public struct Requester: Sendable {
    let account: AccountID?
    let isAdministrator: Bool
    let memberships: [Membership]
    /// The institution in which alone a service account acts; `nil` for a person.
    let home: InstitutionID?
    /// The access version of the account when the account and its memberships were read; 0 for a guest.
    let accessVersion: Int

    init(principal: Principal, memberships: [Membership], accessVersion: Int = 0) {
        account = principal.account
        isAdministrator = principal.isAdministrator
        home = principal.acting?.home
        self.memberships = memberships
        self.accessVersion = accessVersion
    }

    /// The account that ordered work, as it stands now.
    init(author: Account, memberships: [Membership], accessVersion: Int) {
        account = author.id
        isAdministrator = author.role == .administrator
        home = author.service?.institution
        self.memberships = memberships
        self.accessVersion = accessVersion
    }

    /// A caller without an account.
    static let guest = Requester(principal: .guest, memberships: [])

    /// Who it is in an institution: a service account is as good as a guest elsewhere.
    fileprivate func acting(in institution: Institution) -> Requester {
        home.map { $0 == institution.id } ?? true ? self : .guest
    }

    func membership(in institution: InstitutionID) -> Membership? {
        memberships.first { $0.institution == institution }
    }
}

/// What a caller wants to do.
public enum Action: String, Sendable, CaseIterable {
    /// See that it exists, and what it says.
    case read
    /// Change what it says.
    case write
    /// Make it go away.
    case delete
    /// Make something new in it: a program in an institution, a record in a program.
    case create
    /// Say who belongs to it.
    case manageMembers
    /// Say who its registrars are.
    case appoint
    /// See who belongs to it: `staff` in the verdict stands for all members, else for its students alone.
    case readMembers
    /// Enter or release scores in many records at once.
    case grade
    /// See what is not for everybody: drafts, cohorts, trails.
    case oversee
}

/// What the action applies to, with the facts that decide.
public enum Resource: Sendable {
    /// An institution.
    case institution(Institution)
    /// A program of an institution.
    case program(Program, in: Institution)
    /// A student's record in a program.
    case record(student: AccountID?, program: Program, in: Institution)
    /// What a student shares of a record, as long as the student is there and may read the record, for a caller who stands
    /// so to the student.
    case shared(SharedRecord, in: Institution, for: Relation)
    /// A person.
    case person(Person)
    /// A class, in which the caller has a role, or none.
    case taughtClass(role: ClassRole?, in: Institution)
}

/// A person whom a caller may see, or not.
public struct Person: Sendable {
    /// Who.
    let account: AccountID
    /// Whether everyone who is signed in can find the person.
    let isDiscoverable: Bool
    /// How the caller stands to the person.
    let relation: Relation
}

/// Whether it may be done.
public enum AuthorizationDecision: Sendable, Equatable {
    /// Yes; records are seen in this view.
    case allowed(staff: Bool)
    /// No, though its existence is no secret.
    case forbidden
    /// No, and the answer is the same as if it did not exist.
    case unknown
}

/// The one rule of who may do what, for requests, live topics and jobs alike.
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

/// A class's staff are members of its institution; its registrars may what teachers may. An administrator looks. To
/// everybody else the class does not exist: students have their rows.
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
    case .delete, .create, .appoint, .readMembers: return .forbidden
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
    // An administrator founds an institution and appoints its registrars, and leaves the rest to them.
    case .write, .create, .manageMembers: return role == .registrar ? .allowed(staff: true) : .forbidden
    case .delete, .grade: return .forbidden
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
        // For others where one keeps records; of one's own where students enter what is in it.
        guard identity.account != nil, program.newest != nil, belongs else { return .forbidden }
        if isRegistrar || isTeacher { return .allowed(staff: true) }
        return program.entry.allowsStudents ? .allowed(staff: false) : .forbidden
    case .delete, .appoint, .readMembers: return .forbidden
    }
}

/// Staff keep the records of their programs; a student keeps an own record where the program lets students enter, as
/// long as the student belongs to a closed institution. An administrator keeps the server, not the grades: may look,
/// which is recorded, and changes nothing.
private func recordDecision(
    _ identity: Requester, _ action: Action, _ student: AccountID?, _ program: Program, _ institution: Institution
) -> AuthorizationDecision {
    let membership = identity.membership(in: institution.id)
    let isKeeper = membership?.keepsRecords(of: program.id) ?? false
    let isOwner = student != nil && identity.account == student
    let belongs = institution.isOpen || membership != nil
    let reads = isKeeper || identity.isAdministrator || isOwner && institution.letsOwnersRead(membership)
    let mayEnter = isKeeper && program.entry.allowsStaff || isOwner && belongs && program.entry.allowsStudents
    let isAllowed =
        switch action {
        case .read: reads
        case .oversee: isKeeper || identity.isAdministrator
        case .write: mayEnter
        // What staff may have had a part in is not the student's alone to take away.
        case .delete: mayEnter && (isOwner && !program.entry.allowsStaff || membership?.role == .registrar)
        case .create, .grade, .manageMembers, .appoint, .readMembers: false
        }
    if isAllowed { return .allowed(staff: isKeeper || !isOwner) }
    return reads ? .forbidden : .unknown
}

/// Only the person, and those with whom the person shares it, read what is shared: no role opens it, and a service
/// account is no person.
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

/// People see themselves, those who can be found, those they follow, and those who follow them or have asked to; never one
/// who blocks them or whom they block.
private func personDecision(_ identity: Requester, _ action: Action, _ person: Person) -> AuthorizationDecision {
    guard action == .read, let account = identity.account, identity.home == nil else { return .unknown }
    if account == person.account { return .allowed(staff: false) }
    let relation = person.relation
    guard !relation.isSevered else { return .unknown }
    let sees = person.isDiscoverable || relation.following == .following || relation.follower != .none
    return sees ? .allowed(staff: false) : .unknown
}

extension Institution {
    /// Whether a person with this membership, or without one, reads his or her own records here.
    func letsOwnersRead(_ membership: Membership?) -> Bool { isOpen || membership != nil || keepsReading }
}

extension UseCaseError {
    /// A decision that lets the caller through to nothing.
    init(_ decision: AuthorizationDecision) { self = decision == .forbidden ? .forbidden : .notFound }
}
