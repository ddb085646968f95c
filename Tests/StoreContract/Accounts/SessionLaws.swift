import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let sessions: [StoreLaw] = [
        StoreLaw("a session is found by its token, with its account") { place in
            let account = try await place.make("a")
            let session = Sample.session("s", of: "a", kind: .staff)
            try await place.open(session, token: "t")
            let found = try await place.data.accounts.session(Sample.token("t"))
            try expect(found?.session, is: session, "the session")
            try expect(found?.account, is: account, "the account")
            try expect(try await place.data.accounts.session(Sample.token("x")) == nil, "another token opens nothing")
        },
        StoreLaw("an account has so many sessions and no more, however many sign in at once: the oldest end") { place in
            try await place.make("a")
            let ends = await atOnce(Session.maximumCount + 10) { number in
                let session = Sample.session("s\(100 + number)", of: "a", at: Sample.now.adding(seconds: Int64(number)))
                try await place.open(session)
            }
            try expect(ends.errors, is: [], "the refusals")
            let left = try await place.data.accounts.sessions(of: AccountID("a"))
            try expect(left.count, is: Session.maximumCount, "the sessions left")
            let ended = place.told.filter { if case .sessionEnded = $0 { true } else { false } }
            try expect(ended.count, is: 10, "the ends told")
            let lines = try await place.data.accounts.auditItems(AuditQuery(limit: 200))
            try expect(lines.count { $0.entry.action == "session.ended" }, is: 10, "the ends in the trail")
            try await place.open(Sample.session("new", of: "a", at: Sample.now.adding(seconds: 1_000)))
            let newest = try await place.data.accounts.sessions(of: AccountID("a")).map(\.createdAt)
            try expect(newest.count, is: Session.maximumCount, "the sessions after one more")
            try expect(newest.max(), is: Sample.now.adding(seconds: 1_000), "the newest is there")
        },
        StoreLaw("a session keeps to the limits of the role that holds when it is opened") { place in
            try await place.makeInstitution()
            for id in ["student", "teacher"] { try await place.make(id) }
            try await place.make("administrator", role: .administrator)
            try await place.set(Sample.membership(of: "teacher", in: "school", as: .teacher), of: "teacher")
            try await place.set(Sample.membership(of: "student", in: "school", as: .student), of: "student")
            for (id, kind) in [
                ("student", SessionKind.student), ("teacher", .staff), ("administrator", .administrator),
            ] {
                let opened = try await place.open(Sample.session(id, of: id, kind: .student))
                try expect(opened, is: Sample.session(id, of: id, kind: kind), "the session of \(id)")
                let stored = try await place.data.accounts.sessions(of: AccountID(id))
                try expect(stored, is: [opened], "what is stored of it")
            }
        },
        StoreLaw("an account that is disabled, or is not there, opens no session") { place in
            try await place.make("a", isDisabled: true)
            for id in ["a", "b"] {
                try await expect(.notFound, "a session of \(id)") { try await place.open(Sample.session("s", of: id)) }
            }
        },
        StoreLaw("a proof that no longer holds opens no session") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a", password: try Sample.hash("h"))
            _ = try await accounts.link(Sample.assertion("t", of: "ada"), to: a, by: Sample.act(by: "a"))
            let (password, identity) = (
                SignInProof.password(try Sample.hash("h")), SignInProof.identity(issuer: "rosefire", subject: "ada")
            )
            try await place.open(Sample.session("s1", of: "a"), by: password)
            try await place.open(Sample.session("s2", of: "a"), by: identity)
            try await accounts.setPassword(
                try Sample.hash("i"), of: a, keeping: nil, audit: Sample.entry("password.set", of: "a"))
            try await accounts.unlink(issuer: "rosefire", from: a, keeping: nil, by: Sample.act(by: "a")) { _ in }
            for proof in [password, identity] {
                try await expect(.moved, "a session by \(proof)") {
                    try await place.open(Sample.session("s3", of: "a"), by: proof)
                }
            }
            let other = SignInProof.identity(issuer: "rosefire", subject: "eve")
            _ = try await accounts.link(Sample.assertion("u", of: "ada"), to: a, by: Sample.act(by: "a"))
            try await expect(.moved, "another person's identity") {
                try await place.open(Sample.session("s3", of: "a"), by: other)
            }
            try expect(try await accounts.sessions(of: a), is: [], "the sessions")
        },
        StoreLaw("a sign-in under way opens no session once a second factor counts that was not shown") { place in
            let (accounts, a) = (place.data.accounts, AccountID("a"))
            try await place.make("a")
            let app = SecondFactor.App(seed: [1], since: Sample.now, lastStep: 1)
            try await accounts.changeSecondFactor(of: a) { found, _ in
                AccountPlan([.secondFactor(.set(SecondFactor(of: found.account, app: app)))])
            }
            try await expect(.moved, "a session by the password alone") {
                try await place.open(Sample.session("s", of: "a"))
            }
            for (id, factors) in [("o", ShownFactors.own), ("v", .vouched(by: "i"))] {
                try await place.open(Sample.session(id, of: "a", showing: factors))
            }
        },
        StoreLaw("a device is known to the accounts that it signed in to, the twenty newest of each") { place in
            try await place.make("a")
            for number in 0...20 {
                let session = Sample.session("s\(number)", of: "a", at: Sample.now.adding(seconds: Int64(number)))
                try await place.open(session, device: "d\(number)")
            }
            func knows(_ device: String) async throws -> Bool? {
                let accounts = place.data.accounts
                let stored = try await accounts.credentials(of: Login(stored: "a"), device: Sample.token(device))
                return stored?.knowsDevice
            }
            try expect(try await knows("d0"), is: false, "the oldest of 21")
            try expect(try await knows("d1"), is: true, "the next one")
            try expect(try await knows("d20"), is: true, "the newest")
        },
        StoreLaw("the moment of the last request never goes back") { place in
            try await place.make("a")
            try await place.open(Sample.session("s", of: "a"))
            for seconds in [60, 30] {
                try await place.data.accounts.touch(SessionID("s"), at: Sample.now.adding(seconds: Int64(seconds)))
            }
            let seen = try await place.data.accounts.sessions(of: AccountID("a")).map(\.lastSeenAt)
            try expect(seen, is: [Sample.now.adding(seconds: 60)], "the moment")
            try await place.data.accounts.touch(SessionID("x"), at: Sample.now)
        },
        StoreLaw("a session is ended by its own account alone, once, and permits are void then") { place in
            let accounts = place.data.accounts
            for id in ["a", "b"] { try await place.make(id) }
            try await place.open(Sample.session("s", of: "a"))
            let audit = Sample.entry("session.ended", of: "s")
            try await expect(.notFound, "another account") {
                try await accounts.end(SessionID("s"), of: AccountID("b"), audit: audit)
            }
            try await place.store.create("r")
            let permit = place.store.context(
                by: AccountID("a"), access: try await place.store.access(of: AccountID("a")))
            let ends = await atOnce(5) { _ in
                try await accounts.end(SessionID("s"), of: AccountID("a"), audit: audit)
            }
            try expect(ends.made, is: 1, "how often it ended")
            try expect(place.told.last, is: .sessionEnded(SessionID("s")), "what was told last")
            try await expect(.moved, "a write under the permit of before") {
                _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("b") }
            }
        },
        StoreLaw("all sessions but one end together") { place in
            try await place.make("a")
            for id in ["s1", "s2", "s3"] { try await place.open(Sample.session(id, of: "a")) }
            let told = place.told.count
            try await place.data.accounts.endSessions(
                of: AccountID("a"), keeping: SessionID("s2"), audit: Sample.entry("sessions.ended", of: "a"))
            let left = try await place.data.accounts.sessions(of: AccountID("a")).map(\.id.text)
            try expect(left, is: ["s2"], "the session left")
            try expect(
                Set(place.told(after: told)), is: [.sessionEnded(SessionID("s1")), .sessionEnded(SessionID("s3"))],
                "what was told")
        },
        StoreLaw("what has ended is dropped, and nothing else") { place in
            try await place.make("a")
            try await place.open(Sample.session("s", of: "a", kind: .administrator))
            try await place.open(Sample.session("t", of: "a", kind: .student))
            let end = Sample.now.adding(seconds: SessionKind.administrator.lifetime)
            try await place.data.accounts.forgetEnded(before: end.adding(seconds: -1))
            try expect(try await place.data.accounts.sessions(of: AccountID("a")).count, is: 2, "before the end")
            try await place.data.accounts.forgetEnded(before: end)
            let left = try await place.data.accounts.sessions(of: AccountID("a")).map(\.id.text)
            try expect(left, is: ["t"], "the session left")
        },
    ]
}
