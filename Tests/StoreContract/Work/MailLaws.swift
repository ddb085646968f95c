import Accounts
import DataStore
import GradingKit
import Institutions
import Shared

extension StoreLaw {
    private static let address = EmailAddress(stored: "ada@example.org")

    private static func mail(
        _ id: String, _ kind: Mail.Kind = .confirmation, to address: EmailAddress = address,
        about account: String = "a",
        at moment: Timestamp = Sample.now
    ) -> Mail {
        Mail(
            id: id, kind, to: address, about: AccountID(account), subject: "s", in: .simplifiedChinese,
            ["login": "\"阿达\""], at: moment)
    }

    static let mails: [StoreLaw] = [
        StoreLaw("a mail waits from the change on that it tells of, and not without it") { place in
            struct Refusal: Error {}
            try await place.make("a")
            try await place.write([mail("m")])
            do {
                try await place.write([mail("n")]) { throw Refusal() }
            } catch is Refusal {}
            let (claims, expired) = try await place.data.mails.claimMails(10, at: Sample.now)
            try expect(claims, is: [MailClaim(mail: mail("m"), attempt: 1)], "what waits")
            try expect(expired, is: [], "what is worth nothing any more")
            try expect(place.commits.count { $0.queuesMails } > 0, is: true, "whether the courier was told")
        },
        StoreLaw("what queues no mail wakes no courier") { place in
            try await place.make("a")
            try await place.write([])
            try expect(place.commits.count { $0.queuesMails }, is: 0, "the commits that queue mails")
        },
        StoreLaw("a mail is taken by one of many, and by another once its lease is over or the store was opened anew") {
            place in
            try await place.make("a")
            try await place.write([mail("m"), mail("n")])
            let taken = try await withThrowingTaskGroup(of: [MailClaim].self) { group in
                for _ in 1...10 { group.addTask { try await place.data.mails.claimMails(2, at: Sample.now).claims } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expect(taken.map(\.mail.id).sorted(), is: ["m", "n"], "what was taken")
            let late = Sample.now.adding(seconds: MailPlans.lease)
            let again = try await place.data.mails.claimMails(1, at: late).claims
            try expect(again.map(\.attempt), is: [2], "the attempt after the lease")
            let reopened = try await place.reopened()
            let anew = try await reopened.data.mails.claimMails(10, at: late).claims
            try expect(anew.map(\.attempt).sorted(), is: [2, 3], "the attempts after a start")
            await reopened.close()
        },
        StoreLaw("a mail that was sent or refused waits no longer, one that was put off waits a while") { place in
            let mails = place.data.mails
            try await place.make("a")
            try await place.write([mail("sent"), mail("refused"), mail("postponed")])
            for claim in try await mails.claimMails(10, at: Sample.now).claims {
                let outcomes: [String: MailOutcome] = [
                    "sent": .sent, "refused": .refused(550), "postponed": .postponed,
                ]
                guard let outcome = outcomes[claim.mail.id] else { continue }
                let ended = try await mails.settle(claim, as: outcome, at: Sample.now)
                try expect(ended, is: outcome != .postponed, "whether \(claim.mail.id) ended")
            }
            try expect(try await mails.waitingMails(), is: 1, "how many wait")
            try expect(try await mails.claimMails(10, at: Sample.now).claims, is: [], "what is due at once")
            let later = try await mails.claimMails(10, at: Sample.now.adding(seconds: 10)).claims
            try expect(later.map(\.mail), is: [mail("postponed")], "what is due later")
            let lines = try await place.data.accounts.auditItems(AuditQuery(subject: "a"))
            try expect(lines.count { $0.entry.action == "mail.refused" }, is: 1, "the refusals in the trail")
        },
        StoreLaw("a mail is tried for a day") { place in
            try await place.make("a")
            try await place.write([mail("m")])
            let end = Sample.now.adding(seconds: Mail.lifetime)
            let (claims, expired) = try await place.data.mails.claimMails(10, at: end)
            try expect(claims, is: [], "what is sent")
            try expect(expired, is: [mail("m")], "what is given up")
            try expect(try await place.data.mails.waitingMails(), is: 0, "how many wait")
        },
        StoreLaw("mails of a kind are counted by address, in any case, and by account, for a day") { place in
            try await place.make("a")
            try await place.make("b")
            let old = Sample.now.adding(seconds: -86_400)
            try await place.write([
                mail("1", at: old), mail("2", about: "b"), mail("3", to: EmailAddress(stored: "x@example.org")),
                mail("4", to: EmailAddress(stored: "ADA@example.org"), about: "b"), mail("5", .reset),
                mail("6", to: EmailAddress(stored: "x@example.org"), about: "b"),
            ])
            let counted = try await place.data.accounts.changeEmail(
                of: AccountID("a"), sending: (.confirmation, address), at: Sample.now
            ) { AccountPlan([], value: $0.earlier.count) }
            try expect(counted, is: 3, "what is counted")
            try await place.data.mails.forgetMails(before: Sample.now.adding(seconds: 1))
            try expect(try await place.data.mails.waitingMails(), is: 6, "what waits is not forgotten")
        },
        StoreLaw("invitations by mail are counted for their sender, to whatever address, for a day") { place in
            let institutions = place.data.institutions
            for id in ["a", "b"] { try await place.make(id) }
            try await place.makeInstitution()
            func invite(_ number: Int, by sender: String, at moment: Timestamp = Sample.now) async throws {
                let mail = Mail(
                    id: "m\(number)", .invitation, to: EmailAddress(stored: "p\(number)@example.org"),
                    from: AccountID(sender), subject: "i\(number)", in: .english, at: moment)
                try await institutions.insert(
                    Sample.invitation("i\(number)", to: "school"), token: Sample.token("\(number)"),
                    audit: Sample.entry("invitation.created", of: "i\(number)", in: "school"), mailing: mail,
                    at: moment, under: [])
            }
            let most = Mail.Kind.invitation.senderLimits.first?.most ?? 0
            for number in 1...most { try await invite(number, by: "a") }
            try await institutions.removeInvitation(
                "i1", of: InstitutionID("school"),
                audit: Sample.entry("invitation.withdrawn", of: "i1", in: "school"), under: [])
            do {
                try await invite(most + 1, by: "a")
                throw Violation(description: "one more was sent")
            } catch let limit as MailLimitReached {
                try expect(limit.retryAfter, is: 3_600, "when there is room again")
            }
            try await invite(most + 2, by: "b")
            try await invite(most + 3, by: "a", at: Sample.now.adding(seconds: 3_600))
        },
        StoreLaw("the service accounts of an institution count as one sender, also those that have ended") { place in
            let institutions = place.data.institutions
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            for (id, home) in [("a", "school"), ("b", "school"), ("c", "other")] {
                let account = ServiceAccount(
                    id: AccountID(id), institution: InstitutionID(home), name: id, scopes: [.rosterWrite],
                    role: .registrar, programs: [], createdAt: Sample.now)
                try await institutions.changeServiceAccounts(of: account.institution) { _ in
                    InstitutionPlan([.serviceAccount(.insert(account)), .member(.set(account.membership))])
                }
            }
            func invite(_ number: Int, by sender: String) async throws {
                let mail = Mail(
                    id: "m\(number)", .invitation, to: EmailAddress(stored: "p\(number)@example.org"),
                    from: AccountID(sender), subject: "i\(number)", in: .english, at: Sample.now)
                try await institutions.insert(
                    Sample.invitation("i\(number)", to: "school"), token: Sample.token("\(number)"),
                    audit: Sample.entry("invitation.created", of: "i\(number)", in: "school"), mailing: mail,
                    at: Sample.now, under: [])
            }
            let most = Mail.Kind.invitation.senderLimits.first?.most ?? 0
            for number in 1...most { try await invite(number, by: "a") }
            try await institutions.changeServiceAccounts(of: InstitutionID("school")) { _ in
                InstitutionPlan([
                    .serviceAccount(.end(AccountID("a"), at: Sample.now)),
                    .member(.remove(of: AccountID("a"), in: InstitutionID("school"))),
                ])
            }
            do {
                try await invite(most + 1, by: "b")
                throw Violation(description: "one more was sent")
            } catch is MailLimitReached {}
            try await invite(most + 2, by: "c")
        },
        StoreLaw("the mails about an account go with it, and those with an invitation's link with the invitation") {
            place in
            let (accounts, institutions) = (place.data.accounts, place.data.institutions)
            try await place.make("a")
            try await place.write([mail("m")])
            try await accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a") }
            try await place.makeInstitution()
            let invitation = Sample.invitation("i", to: "school")
            let letter = Mail(id: "n", .invitation, to: address, subject: "i", in: .english, at: Sample.now)
            try await institutions.insert(
                invitation, token: Sample.token("t"), audit: Sample.entry("invitation.created", of: "i", in: "school"),
                mailing: letter, at: Sample.now, under: [])
            try expect(try await place.data.mails.waitingMails(), is: 1, "the invitation's mail alone")
            try await institutions.removeInvitation(
                "i", of: InstitutionID("school"),
                audit: Sample.entry("invitation.withdrawn", of: "i", in: "school"), under: [])
            try expect(try await place.data.mails.waitingMails(), is: 0, "what waits when it was taken back")
        },
    ]
}

extension StoreUnderTest {
    /// Makes a change that mails tell of, and that may fail after all.
    fileprivate func write(
        _ mails: [Mail], _ check: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        try await data.accounts.changeEmail(of: AccountID("a"), sending: nil, at: Sample.now) { _ in
            try check()
            return AccountPlan([], mails: mails)
        }
    }
}
