import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let deletions: [StoreLaw] = [
        StoreLaw("with an account goes all that names it, and its login is free") { place in
            let accounts = place.data.accounts
            try await place.make("a", login: "ada", password: try Sample.hash("h"))
            try await place.makeInstitution()
            try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            try await place.open(Sample.session("s", of: "a"))
            _ = try await accounts.link(Sample.assertion("t", of: "ada"), to: AccountID("a"), by: Sample.act(by: "a"))
            try await place.makeInstitution("kept", keeping: Sample.kept("k", of: "a"))
            let told = place.told.count
            try await accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a", detail: "1") }
            try expect(try await accounts.account(AccountID("a")), is: nil, "the account")
            try expect(try await accounts.sessions(of: AccountID("a")), is: [], "its sessions")
            try expect(try await accounts.identities(of: AccountID("a")), is: [], "its identities")
            let places = try await place.data.institutions.places(of: AccountID("a"), at: Sample.now)
            try expect(places.memberships, is: [], "its memberships")
            let answer = try await accounts.answer(under: Sample.kept("k").key, of: AccountID("a"), at: Sample.now)
            try expect(answer, is: nil, "its answers")
            try expect(
                place.told(after: told),
                is: [.sessionEnded(SessionID("s")), .accessChanged(AccountID("a")), .accountsChanged], "what was told")
            let details = try await accounts.auditItems(AuditQuery(subject: "a")).compactMap(\.entry.detail)
            try expect(details, is: [Array("1".utf8)], "the particulars left, of the deletion itself")
            try await place.make("b", login: "ada")
            try expect(try await place.faults(), is: [], "what is wrong with the trails")
        },
        StoreLaw("a record that only its student changed goes with the account, another one stays without a name") {
            place in
            try await place.make("student")
            for id in ["own", "graded", "moved"] { try await place.store.create(id) }
            try await place.store.put("b", in: "graded", by: Sample.teacher)
            _ = try await place.store.amend(RecordID("moved"), by: place.store.context(by: Sample.teacher)) { _ in
                Sample.amendment("b", operation: "move")
            }
            try await place.data.accounts.delete(Sample.student) { _ in Sample.entry("account.deleted", of: "student") }
            try expect(try await place.store.head(of: RecordID("own")), is: nil, "the student's own record")
            try expect(try await place.store.head(of: RecordID("moved")), is: nil, "one that was judged otherwise")
            let head = try await place.store.head(of: RecordID("graded"))
            try expect(head?.id.text, is: "graded", "the graded record")
            try expect(head?.student, is: nil, "its student")
            try expect(place.told.contains(.recordsChanged(Sample.student)), "the list of records was told")
            try expect(try await place.faults(), is: [], "what is wrong with the trails")
        },
        StoreLaw("a deletion that is refused deletes nothing") { place in
            struct Refusal: Error {}
            try await place.make("a")
            do {
                try await place.data.accounts.delete(AccountID("a")) { _ in throw Refusal() }
            } catch is Refusal {}
            try expect(try await place.data.accounts.account(AccountID("a")) != nil, "the account is there")
            try await expect(.notFound, "another account") {
                try await place.data.accounts.delete(AccountID("b")) { _ in throw Refusal() }
            }
        },
    ]
}
