import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    private static let school = InstitutionID("school")

    private static func entry(_ action: String) -> AuditEntry { Sample.entry(action, of: "subject", in: "school") }

    /// Every write of an institution that takes the grounds of a permission.
    private static let permitted:
        [(name: String, write: @Sendable (any InstitutionStore, [AccessGround], Epoch) async throws -> Void)] = [
            (
                "a new institution",
                { institutions, grounds, _ in
                    try await institutions.insert(
                        Sample.institution("new", isOpen: false), audit: entry("x"), keeping: nil, under: grounds)
                }
            ),
            (
                "a change of the institution",
                { institutions, grounds, _ in
                    _ = try await institutions.amend(school) { before in
                        var after = before
                        after.title = "changed"
                        return InstitutionChange(institution: after, audit: entry("x"), under: grounds)
                    }
                }
            ),
            (
                "a new program",
                { institutions, grounds, epoch in
                    let program = Program(
                        id: ProgramID("new"), institution: school, scheme: "chalkboard", createdAt: Sample.now,
                        title: "new", entry: .both, draft: nil, revision: Revision(epoch: epoch, version: 1))
                    try await institutions.insert(program, audit: entry("x"), keeping: nil, under: grounds)
                }
            ),
            (
                "a change of the program",
                { institutions, grounds, _ in
                    _ = try await institutions.amend(ProgramID("program"), keeping: { _, _ in nil }) { before in
                        var after = before
                        after.title = "changed"
                        return ProgramChange(program: after, audit: entry("x"), under: grounds)
                    }
                }
            ),
            (
                "the end of a version",
                { institutions, grounds, _ in
                    _ = try await institutions.withdraw(2, of: ProgramID("program"), keeping: { _, _ in nil }) {
                        before, _, _ in
                        var after = before
                        after.newest = 1
                        return ProgramChange(program: after, audit: entry("x"), under: grounds)
                    }
                }
            ),
            (
                "a membership",
                { institutions, grounds, _ in
                    _ = try await institutions.amendMembership(of: AccountID("a"), in: school) { _ in
                        MembershipChange(
                            membership: Sample.membership(of: "a", in: "school", as: .teacher), becomesStaff: true,
                            audit: entry("x"), under: grounds)
                    }
                }
            ),
            (
                "an invitation",
                { institutions, grounds, _ in
                    try await institutions.insert(
                        Sample.invitation("new", to: "school"), token: Sample.token("new"), audit: entry("x"),
                        mailing: nil, at: Sample.now, under: grounds)
                }
            ),
            (
                "the end of an invitation",
                { institutions, grounds, _ in
                    try await institutions.removeInvitation("old", of: school, audit: entry("x"), under: grounds)
                }
            ),
            (
                "a service account",
                { institutions, grounds, _ in
                    let account = ServiceAccount(
                        id: AccountID("service"), institution: school, name: "Service", scopes: [.recordsRead],
                        role: .registrar, programs: [], createdAt: Sample.now)
                    try await institutions.changeServiceAccounts(of: school) { _ in
                        InstitutionPlan(
                            under: grounds, [.serviceAccount(.insert(account)), .member(.set(account.membership))],
                            audit: [entry("x")])
                    }
                }
            ),
        ]

    static let permissions: [StoreLaw] = [
        StoreLaw(
            "what a permission was given for is refused once one of its grounds has changed, and nothing is stored"
        ) {
            place in
            let institutions = place.data.institutions
            try await place.make("a")
            try await place.makeInstitution()
            try await place.makeProgram()
            for number in 1...2 { try await place.publish(Sample.version(number)) }
            try await institutions.insert(
                Sample.invitation("old", to: "school"), token: Sample.token("old"), audit: entry("invitation.created"))
            func grounds() async throws -> [AccessGround] {
                let versions = try await place.store.access(of: Sample.teacher)
                return zip(Sample.grounds, [versions.account, versions.institution, versions.program]).map {
                    AccessGround($0, at: $1)
                }
            }
            let lines = try await place.data.accounts.auditItems(AuditQuery(limit: 200)).count
            for subject in Sample.grounds {
                let former = try await grounds()
                try await place.raiseAccess(of: subject)
                for (name, write) in permitted {
                    try await expect(.moved, "\(name) after a change of \(subject)") {
                        try await write(institutions, former, place.epoch)
                    }
                }
            }
            let trail = try await place.data.accounts.auditItems(AuditQuery(limit: 200))
            try expect(trail.count { $0.entry.action == "x" }, is: 0, "lines of what was refused")
            try expect(trail.count >= lines, "the trail keeps what it had")
            try expect(try await institutions.institution(InstitutionID("new")), is: nil, "the new institution")
            try expect(try await institutions.program(ProgramID("new")), is: nil, "the new program")
            try expect(try await institutions.program(ProgramID("program"))?.newest, is: 2, "the newest version")
            try expect(try await institutions.invitations(of: school).map(\.id), is: ["old"], "the invitations")
            for (name, write) in permitted {
                try await write(institutions, try await grounds(), place.epoch)
                let told = try await place.data.accounts.auditItems(AuditQuery(limit: 1)).first?.entry.action
                try expect(told, is: "x", "\(name) under grounds as they are")
            }
        }
    ]
}
