import Accounts
import DataStore
import GradingKit
import Institutions
import People
import Records
import Shared
import TestKit

// What rests on how many rows there are, or on there being none, holds also where several servers write at once.
extension StoreLaw {
    private static let (a, school, program) = (AccountID("a"), InstitutionID("school"), ProgramID("program"))
    private static let address = EmailAddress(stored: "ada@example.org")
    private static let (few, asking) = (3, 12)

    /// So many of those who ask at once are let in, and no more.
    private static func limit(
        _ statement: String, to most: Int = few, of count: Int = asking,
        after prepare: @escaping @Sendable (any StoreUnderTest) async throws -> Void = { _ in },
        _ ask: @escaping @Sendable (any StoreUnderTest, Int) async throws -> Void
    ) -> StoreLaw {
        StoreLaw("\(statement), however many ask at once") { place in
            try await prepare(place)
            let ends = await atOnce(count) { try await ask(place, $0) }
            try expect(ends.made, is: most, "how many are let in")
        }
    }

    /// Refuses what would be more than a few.
    private static func check(_ count: Int) throws(StoreError) { if count >= few { throw .moved } }

    private static func people(_ place: any StoreUnderTest) async throws {
        try await place.make("a")
        for number in 0..<asking { try await place.make("b\(number)") }
    }

    private static func follow(
        _ number: Int, at place: any StoreUnderTest, _ count: @escaping @Sendable (RelationRows) -> Int
    ) async throws {
        let act = Sample.act(by: "a")
        _ = try await place.data.people.changeRelation(of: a, to: AccountID("b\(number)"), at: Sample.now) {
            try check(count($0))
            return try FriendPlans.following($0, isVisible: true, link: nil, by: act)
        }
    }

    private static func service(_ number: Int) -> ServiceAccount {
        ServiceAccount(
            id: AccountID("s\(number)"), institution: school, name: "s", scopes: [.recordsRead], role: .teacher,
            programs: [], createdAt: Sample.now)
    }

    private static func term(_ number: Int) -> Term {
        Term(
            id: TermID("t\(number)"), institution: school, kind: .year, parent: nil, title: "t",
            first: CalendarDay(days: 20_000), last: CalendarDay(days: 21_000), isLocked: false)
    }

    private static func confirmed(_ place: any StoreUnderTest) async throws {
        try await place.make("a")
        try await place.data.accounts.changeEmail(of: a, sending: nil, at: Sample.now) { _ in
            AccountPlan([.email(.set(AccountEmail(of: a, address: address, confirmedAt: Sample.now)))])
        }
    }

    static let counting: [StoreLaw] = [
        limit("an account has so many passkeys", after: { try await $0.make("a") }) { place, number in
            try await place.data.accounts.changePasskeys(of: a, credential: [UInt8(number)]) {
                try check($0.passkeys.count)
                let passkey = Passkey(
                    id: "\(number)", account: a, credential: [UInt8(number)], key: [1], createdAt: Sample.now,
                    name: "p", counter: 0)
                return AccountPlan([.passkey(.insert(passkey))])
            }
        },
        limit("an account follows so many", after: people) { try await follow($1, at: $0) { $0.follows } },
        limit("an account asks so many in a day", after: people) { try await follow($1, at: $0) { $0.asked } },
        limit("an account is sent so many mails of a kind", after: { try await $0.make("a") }) { place, number in
            try await place.data.accounts.changeEmail(
                of: a, sending: (.confirmation, address), at: Sample.now
            ) { situation in
                try check(situation.earlier.count)
                let mail = Mail(
                    id: "\(number)", .confirmation, to: address, about: a, in: .english, at: Sample.now)
                return AccountPlan([], mails: [mail])
            }
        },
        limit("an institution has so many service accounts", after: { try await $0.makeInstitution() }) {
            place, number in
            try await place.data.institutions.changeServiceAccounts(of: school) {
                try check($0.count)
                return InstitutionPlan([
                    .serviceAccount(.insert(service(number))), .member(.set(service(number).membership)),
                ])
            }
        },
        limit("an institution has so many terms", after: { try await $0.makeInstitution() }) { place, number in
            try await place.data.institutions.changeTerms(of: school) { terms, _ in
                try check(terms.count)
                return InstitutionPlan([.term(.put(term(number)))])
            }
        },
        limit(
            "an institution makes so many announcements in a day", to: AnnouncementPlans.most,
            of: AnnouncementPlans.most + asking, after: { try await $0.makeInstitution() }
        ) { place, number in
            let made = Announcement(id: "\(number)", institution: school, text: "t", at: Sample.now)
            try await place.data.people.changeAnnouncements(of: school, made.id, at: made.at) {
                try AnnouncementPlans.making(made, found: $0, by: Sample.act())
            }
        },
        limit(
            "one person sends so many invitations in an hour", to: Mail.Kind.invitation.senderLimits[0].most,
            of: Mail.Kind.invitation.senderLimits[0].most + asking,
            after: { place in
                try await place.make("a")
                try await place.makeInstitution()
            }
        ) { place, number in
            let mail = Mail(
                id: "m\(number)", .invitation, to: EmailAddress(stored: "p\(number)@example.org"), from: a,
                subject: "i\(number)", in: .english, at: Sample.now)
            try await place.data.institutions.insert(
                Sample.invitation("i\(number)", to: "school"), token: Sample.token("\(number)"),
                audit: Sample.entry("invitation.created", of: "i\(number)", in: "school"), mailing: mail,
                at: Sample.now, under: [])
        },
        limit("so many rehearsals are under way", to: RehearsalPlans.mostOpen, of: RehearsalPlans.mostOpen + asking) {
            place, number in
            let rehearsal = Sample.rehearsal("\(number)", of: "\(number)")
            guard try await place.data.rehearsals.begin(rehearsal, keeping: nil) else { throw StoreError.moved }
        },
        limit("an account has so many imports under way", to: ImportPlans.mostOwn) { place, number in
            try await begin(number, by: "a", at: place)
        },
        limit("so many imports are under way", to: ImportPlans.mostOpen, of: ImportPlans.mostOpen + asking) {
            try await begin($1, by: "a\($1)", at: $0)
        },
        StoreLaw("an account has one offer of an institution, however many are made at once") { place in
            try await place.makeInstitution()
            try await place.make("a")
            let ends = await atOnce(asking) { number in
                try await place.data.institutions.insert(
                    Sample.invitation("\(number)", to: "school", for: "a"), token: Sample.token("\(number)"),
                    audit: Sample.entry("invitation.created", of: "\(number)", in: "school"))
            }
            try expect(ends.made, is: asking, "the offers made")
            try expect(try await place.data.institutions.invitations(to: a).count, is: 1, "the offers left")
        },
        StoreLaw("an account has one token of a purpose, however many are issued at once") { place in
            try await place.make("a")
            let names = (0..<asking).map { "\($0)" }
            let ends = await atOnce(asking) { number in
                let token = OneTimeToken(purpose: .reset, account: a, expiresAt: Sample.now.adding(seconds: 60))
                try await place.data.accounts.issue(
                    token, digest: Sample.token(names[number]), audit: Sample.entry("x", of: "a"))
            }
            try expect(ends.made, is: asking, "the tokens issued")
            var left = 0
            for name in names where try await place.data.accounts.oneTimeToken(Sample.token(name)) != nil { left += 1 }
            try expect(left, is: 1, "the tokens left")
        },
        StoreLaw("a wish for a reset is kept once for a login, however often it comes at once") { place in
            let wish = ResetWish(
                login: Login(stored: "ada"), account: nil, device: nil, from: "192.0.2.1", at: Sample.now)
            let ends = await atOnce(asking) { _ in _ = try await place.data.accounts.note(wish) }
            try expect(ends.made, is: asking, "the wishes noted")
            try expect(try await place.data.accounts.resetWishes(asking), is: [wish], "the wishes")
        },
        StoreLaw("so many sign-ins wait for a second factor, however many begin at once") { place in
            try await place.make("a")
            let ends = await atOnce(asking) { number in
                let challenge = SignInChallenge(
                    account: a, proof: .identity(issuer: "rosefire", subject: "ada"),
                    expiresAt: Sample.now.adding(seconds: 300))
                try await place.data.accounts.issue(challenge, digest: Sample.token("\(number)"), at: Sample.now)
            }
            try expect(ends.made, is: asking, "the sign-ins begun")
            var left = 0
            for number in 0..<asking
            where try await place.data.accounts.signInChallenge(Sample.token("\(number)")) != nil {
                left += 1
            }
            try expect(left, is: SignInChallenge.capacity, "the sign-ins that wait")
        },
        StoreLaw("so many tokens are used once, however many are issued at once") { place in
            let ends = await atOnce(asking) { number in
                let token = OneUseToken(
                    .session(Sample.token("s")), of: OneUseToken.Holder(network: [1], source: [1]),
                    expiresAt: Sample.now.adding(seconds: 30))
                try await place.data.accounts.issue(
                    token, digest: Sample.token("\(number)"), at: Sample.now, keeping: few)
            }
            try expect(ends.made, is: asking, "the tokens issued")
            let used = await atOnce(asking) { number in
                let token = try await place.data.accounts.redeem(Sample.token("\(number)"), at: Sample.now) { _ in true
                }
                if token == nil { throw StoreError.notFound }
            }
            try expect(used.made, is: few, "the tokens left")
        },
        StoreLaw("so many failures to sign in are counted, however many are reported at once") { place in
            @Sendable func report(_ number: Int) -> SignInFailureReport {
                SignInFailureReport(SignInFailureKey("login", "\(number)", from: "s"), by: .password, at: Sample.now)
            }
            let ends = await atOnce(asking) { number in
                try await place.data.accounts.count([report(number)], keeping: few)
            }
            try expect(ends.made, is: asking, "the reports counted")
            let left = try await place.data.accounts.signInFailures((0..<asking).map { report($0).key })
            try expect(left.count, is: few, "the counts left")
        },
        StoreLaw("an account is told of so many changes in an hour, however many are made at once") { place in
            try await confirmed(place)
            let most = Mail.Kind.security.limits[0].most
            let ends = await atOnce(most + asking) { _ in
                try await place.data.accounts.changeSecondFactor(of: a) { _, _ in
                    AccountPlan([], audit: [Sample.entry("second-factor.set", of: "a")])
                }
            }
            try expect(ends.errors, is: [], "the refusals")
            try expect(try await place.data.mails.waitingMails(), is: most, "the mails")
        },
        StoreLaw("an account is told once of new devices, however many sign in at once") { place in
            try await confirmed(place)
            try await place.open(Sample.session("s", of: "a"), device: "known")
            let ends = await atOnce(asking) { number in
                let notice = NewDeviceNotice(
                    mail: "m\(number)", device: { _ in "Phone" }, source: "192.0.2.1", at: Sample.now)
                _ = try await place.data.accounts.insert(
                    Sample.session("s\(number)", of: "a"), by: .password(Sample.hash("p")), provenAt: Sample.now,
                    token: Sample.token("s\(number)"), device: Sample.token("d\(number)"),
                    audit: Sample.entry("session.opened", of: "s\(number)"), telling: notice)
            }
            try expect(ends.errors, is: [], "the refusals")
            try expect(try await place.data.mails.waitingMails(), is: 1, "the mails")
        },
        StoreLaw("a version is withdrawn, or records are made under it, but not both at once") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            for number: Version in [1, 2] { try await place.publish(Sample.version(number)) }
            let access = try await place.store.access(student: Sample.student)
            let made = Recorder<Int>()
            let ends = await atOnce(asking) { number in
                guard number > 0 else { return try await withdraw(2, at: place) }
                let amendment = Amendment(
                    programVersion: 2, full: Sample.content("0"), released: nil, change: Sample.description("create"),
                    releasedChange: nil
                ) { _ in StoredAnswer(.created, body: []) }
                let head = RecordHead(
                    id: RecordID("r\(number)"), institution: school, program: program, programVersion: 2,
                    student: Sample.student, createdAt: Sample.now)
                _ = try await place.store.create(head, as: amendment, by: place.store.context(access: access))
                made.record(number)
            }
            let isThere = try await place.data.institutions.version(2, of: program) != nil
            try expect(isThere, is: !made.items.isEmpty, "whether the version is there, and not whether a record is")
            try expect(Set(ends.errors.map { "\($0)" }), is: ["\(StoreError.moved)"], "the refusals")
        },
    ]

    private static func begin(_ number: Int, by account: String, at place: any StoreUnderTest) async throws {
        let entry = ImportEntry(
            id: "\(number)", program: program, account: AccountID(account), startedAt: Sample.now, key: nil, total: 1,
            order: ImportOrder(source: "127.0.0.1", reading: Array("{}".utf8), size: 1))
        let admission = try await place.data.imports.begin(entry, by: Sample.claim(entry.id))
        if admission == .refused { throw StoreError.moved }
    }

    private static func withdraw(_ number: Version, at place: any StoreUnderTest) async throws {
        _ = try await place.data.institutions.withdraw(number, of: program, keeping: { _, _ in nil }) {
            before, _, isInUse in
            if isInUse { throw StoreError.moved }
            var after = before
            after.newest = 1
            return ProgramChange(
                program: after, audit: Sample.entry("version.withdrawn", of: "program", in: "school"))
        }
    }
}
