import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let access: [StoreLaw] = [
        StoreLaw("a permit is void after a change of what it rests on, and nothing is stored under it") { place in
            let store = place.store
            try await store.create("r", "a")
            for subject in Sample.grounds {
                let before = try await store.access(of: Sample.teacher)
                let context = store.context(by: Sample.teacher, access: before)
                try await place.raiseAccess(of: subject)
                try expect(try await store.access(of: Sample.teacher) != before, "\(subject) has another version")
                // What comes after it does not hide it.
                try await place.raiseAccess(of: .program(ProgramID("other")))
                try await expect(.moved, "a change after one of \(subject)") {
                    _ = try await store.amend(RecordID("r"), by: context) { _ in Sample.amendment("b") }
                }
                try await expect(.moved, "a deletion") { try await store.delete(RecordID("r"), by: context) }
                try await expect(.moved, "a new record") {
                    _ = try await store.create(Sample.head("s"), as: Sample.amendment("b"), by: context)
                }
            }
            try expect(try await store.found("r").full, is: Sample.content("a"), "the content")
            let access = try await store.access(of: Sample.teacher)
            _ = try await store.amend(
                RecordID("r"), by: store.context(by: Sample.teacher, access: access)
            ) { _ in Sample.amendment("b") }
        },
        StoreLaw("a new record for another person rests on its student too, a change of it does not") { place in
            let store = place.store
            let before = try await store.access(of: Sample.teacher, student: Sample.student)
            try await place.raiseAccess(of: .account(Sample.student))
            try await expect(.moved, "a new record") {
                _ = try await store.create(
                    Sample.head("s"), as: Sample.amendment("b"), by: store.context(by: Sample.teacher, access: before))
            }
            let after = try await store.access(of: Sample.teacher, student: Sample.student)
            _ = try await store.create(
                Sample.head("s"), as: Sample.amendment("b"), by: store.context(by: Sample.teacher, access: after))
            _ = try await store.amend(
                RecordID("s"), by: store.context(by: Sample.teacher, access: before)
            ) { _ in Sample.amendment("c") }
        },
        StoreLaw("a permit is good whatever else changes, and however often") { place in
            let store = place.store
            let context = store.context(by: Sample.teacher)
            let others: [AccessSubject] = [
                .account(AccountID("other")), .program(ProgramID("other")), .institution(InstitutionID("other")),
                // The same identifiers stand for other things.
                .program(ProgramID("school")), .institution(InstitutionID("program")),
            ]
            for number in 0..<100 { try await place.raiseAccess(of: others[number % others.count]) }
            _ = try await store.create(Sample.head("r"), as: Sample.amendment("a"), by: context)
            _ = try await store.amend(RecordID("r"), by: context) { _ in Sample.amendment("b") }
            try await store.delete(RecordID("r"), by: context)
        },
        StoreLaw("a change of access that is refused voids nothing, and tells nothing") { place in
            let store = place.store
            try await store.create("r", "a")
            let (before, moment) = (try await store.access(), store.accessNews.moment)
            try await place.failToRaiseAccess(of: .account(Sample.student))
            try expect(try await store.access(), is: before, "the access versions")
            try expect(store.accessNews.moment, is: moment, "what was heard")
            _ = try await store.amend(RecordID("r"), by: store.context(access: before)) { _ in Sample.amendment("b") }
            try await place.raiseAccess(of: .account(Sample.student))
            try await expect(.moved, "a change") {
                _ = try await store.amend(RecordID("r"), by: store.context(access: before)) { _ in
                    Sample.amendment("c")
                }
            }
        },
        StoreLaw("a change of access is heard of before its call returns, by those whom it concerns") { place in
            let news = place.store.accessNews
            func stamp(_ subject: AccessSubject) -> AccessStamp { news.stamp(of: subject, at: news.moment) }
            for subject in Sample.grounds {
                let before = stamp(subject)
                try expect(news.isCurrent(before), "\(subject) was read a moment ago")
                try await place.raiseAccess(of: subject)
                try expect(!news.isCurrent(before), "\(subject) has changed since")
                try expect(news.isCurrent(stamp(subject)), "\(subject) was read again")
            }
        },
        StoreLaw("access versions outlive the store's end, a crash and what they belong to") { place in
            try await place.make("student")
            try await place.raiseAccess(of: .program(ProgramID("program")))
            let before = try await place.store.access()
            try await place.data.accounts.delete(Sample.student) { _ in Sample.entry("account.deleted", of: "student") }
            let after = try await place.store.access()
            try expect(after.account > before.account, "the version of the account that is gone has risen")
            let crashed = try await place.afterCrash()
            try expect(try await crashed.store.access(), is: after, "the versions after a crash")
            await crashed.close()
            let reopened = try await place.reopened()
            try expect(try await reopened.store.access(), is: after, "the versions after the end")
            try await expect(.moved, "a write under a permit of before") {
                _ = try await reopened.store.create(
                    Sample.head("r"), as: Sample.amendment("a"), by: reopened.store.context(access: before))
            }
            await reopened.close()
        },
        StoreLaw("what is read with its access version has the stored one") { place in
            try await place.make("a")
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.set(Sample.membership(of: "a", in: "school", as: .teacher), of: "a")
            try await place.open(Sample.session("s", of: "a"), token: "t")
            _ = try await place.data.institutions.amend(InstitutionID("school")) { before in
                var after = before
                after.isOpen = true
                return InstitutionChange(
                    institution: after, audit: Sample.entry("institution.changed", of: "school", in: "school"))
            }
            try await place.publish(Sample.version(1))
            let stored = try await place.store.access(of: AccountID("a"))
            try expect(stored.account > 0 && stored.institution > 0 && stored.program > 0, "all have risen")
            let (accounts, institutions) = (place.data.accounts, place.data.institutions)
            let token = try await accounts.session(Sample.token("t"))
            try expect(token?.accessVersion, is: stored.account, "with the session of a token")
            let session = try await accounts.session(SessionID("s"), of: AccountID("a"))
            try expect(session?.accessVersion, is: stored.account, "with a session")
            let other = try await accounts.session(SessionID("s"), of: AccountID("b"))
            try expect(other == nil, "the session is of no other account")
            let standing = try await accounts.standing(of: AccountID("a"))
            try expect(standing?.accessVersion, is: stored.account, "with the account")
            let places = try await institutions.places(of: AccountID("a"), at: Sample.now)
            try expect(places.accessVersion, is: stored.account, "with the memberships")
            let school = try await institutions.institution(InstitutionID("school"))
            try expect(school?.accessVersion, is: stored.institution, "with the institution")
            let program = try await institutions.program(ProgramID("program"))
            try expect(program?.accessVersion, is: stored.program, "with the program")
        },
        StoreLaw("once a right is taken away, no write under it is accepted, however many try at once") { place in
            try await place.make("teacher")
            try await place.makeInstitution()
            try await place.makeProgram()
            let store = place.store
            for round in 0..<10 {
                try await place.set(Sample.membership(of: "teacher", in: "school", as: .teacher), of: "teacher")
                for number in 0..<8 { try await store.create("\(round)-\(number)", "0") }
                let permit = store.context(
                    by: Sample.teacher, access: try await store.access(of: Sample.teacher))
                // Each writer goes on until it is refused; what was accepted is counted before the right goes and after.
                let writers = (0..<8).map { number in
                    Task {
                        var written = 0
                        while true {
                            let text = "\(written + 1)"
                            do {
                                _ = try await store.amend(RecordID("\(round)-\(number)"), by: permit) { _ in
                                    Sample.amendment(text)
                                }
                            } catch StoreError.moved {
                                return written
                            }
                            written += 1
                        }
                    }
                }
                try await place.set(nil, of: "teacher")
                var contents: [RecordContent] = []
                for number in 0..<8 { contents.append(try await store.found("\(round)-\(number)").full) }
                for (number, writer) in writers.enumerated() {
                    let written = try await writer.value
                    try expect(
                        contents[number], is: Sample.content("\(written)"), "what was written before the call returned")
                }
            }
        },
    ]
}
