import Accounts
import DataStore
import Shared

extension StoreLaw {
    private static func report(
        _ name: String, from source: String = "s", times: Int = 1, by rule: SignInFailureRule = .password,
        after seconds: Int64 = 0
    ) -> SignInFailureReport {
        SignInFailureReport(
            SignInFailureKey("login", name, from: source), by: rule, times: times,
            at: Sample.now.adding(seconds: seconds))
    }

    /// How many failures are counted under each of some keys.
    private static func counts(
        _ reports: [SignInFailureReport], in place: any StoreUnderTest
    ) async throws -> [SignInFailureKey: Int] {
        let rows = try await place.data.accounts.signInFailures(reports.map(\.key))
        return Dictionary(rows.map { ($0.key, $0.count) }) { first, _ in first }
    }

    static let signInFailures: [StoreLaw] = [
        StoreLaw("failures add up, whoever counts them, and outlive a restart") { place in
            let accounts = place.data.accounts
            let (first, other) = (report("a", times: 2), report("a", from: "t"))
            try await withThrowingTaskGroup { group in
                for _ in 1...10 {
                    group.addTask { try await accounts.count([first, other], keeping: 100) }
                }
                try await group.waitForAll()
            }
            try expect(try await counts([first, other], in: place), is: [first.key: 20, other.key: 10], "the counts")
            let reopened = try await place.reopened()
            try expect(
                try await counts([first, other], in: reopened), is: [first.key: 20, other.key: 10], "after a restart")
            await reopened.close()
        },
        StoreLaw("failures that are forgotten count no more, and are dropped with what has ended") { place in
            let accounts = place.data.accounts
            let old = report("a", times: 3)
            try await accounts.count([old], keeping: 100)
            let end = try await accounts.signInFailures([old.key]).first?.expiresAt
            try expect(end, is: Sample.now.adding(seconds: 3_600), "the end")
            try await accounts.count([report("a", after: 3_600)], keeping: 100)
            try expect(try await counts([old], in: place), is: [old.key: 1], "the count after the end")
            try await accounts.forgetEnded(before: Sample.now.adding(seconds: 7_199))
            try expect(try await counts([old], in: place), is: [old.key: 1], "the count before the next end")
            try await accounts.forgetEnded(before: Sample.now.adding(seconds: 7_200))
            try expect(try await counts([old], in: place), is: [:], "the count after it")
        },
        StoreLaw("failures of a key, or of a subject from every source, are forgotten without the others") { place in
            let accounts = place.data.accounts
            let all = [report("a"), report("a", from: "t"), report("a", from: "u"), report("b")]
            try await accounts.count(all, keeping: 100)
            try await accounts.forgetSignInFailures(all[0].key)
            try expect(Set(try await counts(all, in: place).keys), is: Set(all.dropFirst().map(\.key)), "a key")
            try await accounts.forgetSignInFailures(ofSubject: all[0].key.subject)
            try expect(try await counts(all, in: place), is: [all[3].key: 1], "a subject")
        },
        StoreLaw("of too many counts those that are forgotten next go") { place in
            let accounts = place.data.accounts
            let codes = (0..<3).map { report("code \($0)", by: .code) }
            try await accounts.count(codes, keeping: 10)
            let flood = (0..<50).map { report("flood \($0)", after: Int64($0)) }
            for reports in [flood[..<25], flood[25...]] { try await accounts.count(Array(reports), keeping: 10) }
            try expect(
                Set(try await counts(codes + flood, in: place).keys), is: Set((codes + flood.suffix(7)).map(\.key)),
                "what is left")
        },
    ]
}
