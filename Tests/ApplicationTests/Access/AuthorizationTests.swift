import Institutions
import People
import Shared
import Testing

@testable import Accounts
@testable import Application

/// The rule of access as a table: each line somebody, an institution and what comes of each action.
@Suite struct AuthorizationTests {
    private static let (college, program, me) = (InstitutionID("college"), ProgramID("program"), AccountID("me"))
    private static let everybody = [
        "registrar", "teacher", "colleague", "student", "outsider", "administrator", "guest",
    ]

    private func institution(isOpen: Bool, keepsReading: Bool = true) throws -> Institution {
        Institution(
            id: Self.college, createdAt: Timestamp(microseconds: 0), slug: try #require(Slug("college")),
            title: "College", isOpen: isOpen, keepsReading: keepsReading)
    }

    private func program(_ entry: EntryPolicy, given: GivenPolicy = .registrar) -> Program {
        Program(
            id: Self.program, institution: Self.college, scheme: "chalkboard",
            createdAt: Timestamp(microseconds: 0), title: "GPA", entry: entry, given: given, draft: nil, newest: 1,
            revision: Revision(epoch: Epoch("k"), version: 1))
    }

    private func identity(_ name: String) throws -> Requester {
        if name == "guest" { return .guest }
        let role: MemberRole? =
            switch name {
            case "registrar": .registrar
            case "teacher", "colleague": .teacher
            case "student": .student
            default: nil
            }
        let membership = role.map {
            Membership(
                institution: Self.college, account: Self.me, role: $0,
                programs: [name == "teacher" ? Self.program : ProgramID("another")], since: Timestamp(microseconds: 0))
        }
        let signedIn = try SignedIn.of(Self.me, isAdministrator: name == "administrator")
        return Requester(principal: .signedIn(signedIn), memberships: [membership].compactMap(\.self))
    }

    /// `+` allowed, `-` forbidden, `!` refused as about oneself, `0` as if it did not exist.
    private func line(_ action: Action, on resource: Resource) throws -> String {
        try Self.everybody.map { name in
            switch authorize(try identity(name), action, on: resource) {
            case .allowed: "+"
            case .forbidden: "-"
            case .aboutOneself: "!"
            case .unknown: "0"
            }
        }.joined()
    }

    private static let audiences: [(Set<RecordSharing.Audience>, String)] = [
        ([], "0000000"), ([.friends], "0000000"), ([.members], "++++000"), ([.everyone], "++++++0"),
    ]

    @Test(arguments: audiences)
    func `what is shared is read by those with whom it is shared, and no role opens it`(
        audiences: Set<RecordSharing.Audience>, expected: String
    ) throws {
        let shared = SharedRecord(
            record: RecordID("record"), institution: Self.college, owner: AccountID("owner"),
            sharing: RecordSharing(with: audiences), since: Timestamp(microseconds: 0))
        var college = try institution(isOpen: false)
        for action in Action.allCases {
            let wanted = action == .read ? expected : "0000000"
            #expect(try line(action, on: .shared(shared, in: college, for: Relation())) == wanted)
        }
        let friend = Relation(following: .following, follower: .following)
        let audienceOfFriends = audiences.contains(.friends) ? "++++++0" : expected
        #expect(try line(.read, on: .shared(shared, in: college, for: friend)) == audienceOfFriends)
        for severed in [Relation(blocks: true), Relation(isBlocked: true)] {
            #expect(try line(.read, on: .shared(shared, in: college, for: severed)) == "0000000")
        }
        college.sharing = .none
        #expect(try line(.read, on: .shared(shared, in: college, for: friend)) == "0000000")
    }

    @Test(arguments: [
        (Action.read, "++++0+0"), (.readMembers, "+++-0+0"), (.oversee, "+---0+0"), (.appoint, "+---0+0"),
        (.write, "+---0-0"), (.create, "+---0-0"), (.manageMembers, "+---0-0"), (.delete, "----0-0"),
        (.grade, "----0-0"),
    ])
    func `a closed institution`(_ action: Action, _ expected: String) throws {
        #expect(try line(action, on: .institution(try institution(isOpen: false))) == expected)
    }

    @Test(arguments: [
        (Action.read, "++++0+0"), (.oversee, "++--0+0"), (.write, "+---0-0"), (.manageMembers, "+---0-0"),
        (.grade, "++--0-0"), (.create, "++++0-0"), (.delete, "----0-0"), (.appoint, "----0-0"),
    ])
    func `a program of a closed institution`(_ action: Action, _ expected: String) throws {
        #expect(try line(action, on: .program(program(.both), in: try institution(isOpen: false))) == expected)
    }

    @Test(arguments: [
        (Action.read, "++000+0"), (.oversee, "++000+0"), (.write, "++000-0"), (.delete, "+-000-0"),
        (.create, "--000-0"),
    ])
    func `the record of another student`(_ action: Action, _ expected: String) throws {
        let resource = Resource.record(
            student: AccountID("another"), program: program(.both), in: try institution(isOpen: false))
        #expect(try line(action, on: resource) == expected)
    }

    @Test(
        arguments: [
            (EntryPolicy.both, GivenPolicy.registrar, "+-000-0"), (.both, .teacher, "++000-0"),
            (.staff, .registrar, "+-000-0"), (.staff, .teacher, "++000-0"), (.own, .teacher, "--000-0"),
        ] as [(EntryPolicy, GivenPolicy, String)])
    func `figures are given by registrars, and by teachers where the program says so`(
        _ entry: EntryPolicy, _ given: GivenPolicy, _ expected: String
    ) throws {
        let program = program(entry, given: given)
        let college = try institution(isOpen: false)
        #expect(
            try line(.give, on: .record(student: AccountID("another"), program: program, in: college)) == expected)
        #expect(try line(.give, on: .record(student: Self.me, program: program, in: college)) == "------0")
    }

    @Test(
        arguments: [
            (EntryPolicy.both, Action.read, "++++++0"), (.both, .write, "++++--0"), (.own, .write, "++++--0"),
            (.staff, .write, "!!----0"), (.own, .delete, "++++--0"), (.both, .delete, "!!----0"),
            (.staff, .delete, "!!----0"), (.staff, .read, "++++++0"),
        ] as [(EntryPolicy, Action, String)])
    func `one's own record`(_ entry: EntryPolicy, _ action: Action, _ expected: String) throws {
        let resource = Resource.record(
            student: Self.me, program: program(entry), in: try institution(isOpen: false))
        #expect(try line(action, on: resource) == expected)
    }

    @Test(arguments: ["registrar", "teacher", "student"])
    func `whatever the role, in one's own record one is a student`(name: String) throws {
        for (entry, action) in [(EntryPolicy.both, Action.write), (.own, .write), (.both, .read), (.staff, .read)] {
            let resource = Resource.record(
                student: Self.me, program: program(entry), in: try institution(isOpen: false))
            #expect(try authorize(identity(name), action, on: resource) == .allowed(staff: false))
        }
    }

    @Test func `a service account decides nothing about those who made it`() throws {
        var service = try identity("registrar")
        service.makers = [AccountID("maker")]
        func decision(_ action: Action, _ student: String, _ entry: EntryPolicy) throws -> AuthorizationDecision {
            authorize(
                service, action,
                on: .record(
                    student: AccountID(student), program: program(entry), in: try institution(isOpen: false)))
        }
        for entry in [EntryPolicy.staff, .both] {
            #expect(try decision(.write, "maker", entry) == .aboutOneself)
            #expect(try decision(.delete, "maker", entry) == .aboutOneself)
            #expect(try decision(.give, "maker", entry) == .forbidden)
            #expect(try decision(.give, "another", entry) == .allowed(staff: true))
            #expect(try decision(.write, "another", entry) == .allowed(staff: true))
            #expect(try decision(.read, "maker", entry) == .allowed(staff: false))
        }
    }

    @Test func `who was removed reads by the institution's setting and writes nothing`() throws {
        func decision(_ action: Action, isOpen: Bool, keepsReading: Bool) throws -> AuthorizationDecision {
            authorize(
                try identity("outsider"), action,
                on: .record(
                    student: Self.me, program: program(.both),
                    in: try institution(isOpen: isOpen, keepsReading: keepsReading)))
        }
        #expect(try decision(.read, isOpen: false, keepsReading: true) == .allowed(staff: false))
        #expect(try decision(.write, isOpen: false, keepsReading: true) == .forbidden)
        #expect(try decision(.read, isOpen: false, keepsReading: false) == .unknown)
        #expect(try decision(.write, isOpen: false, keepsReading: false) == .unknown)
        #expect(try decision(.write, isOpen: true, keepsReading: false) == .allowed(staff: false))
    }
}

extension SignedIn {
    /// Somebody who has just signed in.
    fileprivate static func of(_ account: AccountID, isAdministrator: Bool) throws -> SignedIn {
        let now = Timestamp(microseconds: 0)
        let owner = Account(
            id: account, createdAt: now, login: try Login("somebody"), profile: Profile(displayName: "Somebody"),
            role: isAdministrator ? .administrator : nil)
        let session = Session(
            id: SessionID("session"), account: account, kind: .staff, createdAt: now, expiresAt: now, lastSeenAt: now,
            source: "test", client: "")
        return SignedIn(
            SessionStanding(session: session, account: owner, accessVersion: 0, factors: FactorStanding()),
            under: SecondFactorDuty(administrators: false))
    }
}
