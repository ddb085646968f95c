import Accounts
import DataStore
import Shared

extension StoreLaw {
    static let answers: [StoreLaw] = [
        StoreLaw("an answer is kept once under its key, for a day, for its account") { place in
            let answers = place.data.answers
            let kept = Sample.kept("k")
            let ends = await atOnce(10) { try await place.makeInstitution("i\($0)", keeping: kept) }
            try expect(ends.made, is: 1, "how often it was kept")
            try expect(ends.errors.allSatisfy { $0 == .taken(field: "key") }, "the refusals")
            let soon = Sample.now.adding(seconds: IdempotencyKey.lifetime - 1)
            let late = Sample.now.adding(seconds: IdempotencyKey.lifetime)
            try expect(
                try await answers.answer(under: kept.key, of: kept.account, at: soon)?.answer, is: kept.answer,
                "the answer")
            try expect(try await answers.answer(under: kept.key, of: kept.account, at: late), is: nil, "a day later")
            try expect(
                try await answers.answer(under: kept.key, of: AccountID("b"), at: soon), is: nil, "another account's")
            try await expect(.idempotencyMismatch, "another request") {
                try await answers.answer(under: Sample.kept("k", body: 2).key, of: kept.account, at: soon)
            }
            try await place.makeInstitution("late", keeping: Sample.kept("k", body: 2, at: late))
        },
        StoreLaw("each kind of answer is given again as it was kept") { place in
            for kind in StoredAnswer.Kind.allCases {
                let kept = KeptAnswer(
                    key: Sample.kept(kind.rawValue).key, account: AccountID("a"), at: Sample.now,
                    answer: StoredAnswer(kind, body: [7]))
                try await place.makeInstitution(kind.rawValue, keeping: kept)
                try expect(
                    try await place.data.answers.answer(under: kept.key, of: kept.account, at: Sample.now),
                    is: kept, "an answer of the kind \(kind)")
            }
        },
    ]

    static let trails: [StoreLaw] = [
        StoreLaw("each trail is a chain of its own, however many lines come at once") { place in
            let ends = await atOnce(30) { number in
                let institution = number % 3 == 0 ? nil : "i\(number % 3)"
                try await place.data.audit.append(
                    Sample.entry("x", of: "s", in: institution, detail: "\(number)"))
            }
            try expect(ends.errors, is: [], "the refusals")
            try expect(try await place.faults(), is: [], "what is wrong with the trails")
            let lines = try await place.data.accounts.auditItems(AuditQuery(limit: 200))
            try expect(lines.count, is: 30, "the lines")
        },
        StoreLaw("a line is told once an hour, also when many tell it at once, and after a restart") { place in
            let entry = Sample.entry("record.read", of: "r", by: "a")
            let first = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 { group.addTask { try await place.data.audit.appendHourly(entry) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(first, is: 1, "how often it was told")
            let again = try await place.reopened()
            let trail = again.data.audit
            let late = Sample.entry("record.read", of: "r", by: "a", at: Sample.now.adding(seconds: 60))
            try expect(try await trail.appendHourly(late), is: false, "by a process that begins later")
            let entries = [
                Sample.entry("record.read", of: "s", by: "a"), Sample.entry("record.read", of: "r", by: "b"),
                Sample.entry("record.listed", of: "r", by: "a"),
                Sample.entry("record.read", of: "r", by: "a", at: Sample.now.adding(seconds: 3_600)),
            ]
            for (number, entry) in entries.enumerated() {
                try expect(try await trail.appendHourly(entry), is: true, "another one, \(number)")
            }
            try expect(try await again.data.accounts.auditItems(AuditQuery()).count, is: 5, "the lines")
            try expect(try await again.faults(), is: [], "what is wrong with the trails")
            await again.close()
        },
        StoreLaw("lines are found by trail, subject and account, newest first, in pages") { place in
            for (number, institution) in [nil, "i", "i", "j", nil].enumerated() {
                try await place.data.audit.append(
                    Sample.entry(
                        "\(number)", of: number < 3 ? "s" : "t", in: institution, by: number == 1 ? "a" : "b"))
            }
            func actions(_ query: AuditQuery) async throws -> [String] {
                try await place.data.accounts.auditItems(query).map(\.entry.action)
            }
            try expect(try await actions(AuditQuery()), is: ["4", "3", "2", "1", "0"], "all")
            try expect(try await actions(AuditQuery(trail: .server)), is: ["4", "0"], "the server's")
            try expect(
                try await actions(AuditQuery(trail: .institution(InstitutionID("i")))), is: ["2", "1"],
                "an institution's")
            try expect(try await actions(AuditQuery(subject: "t")), is: ["4", "3"], "by subject")
            try expect(try await actions(AuditQuery(account: AccountID("a"))), is: ["1"], "by account")
            let page = try await place.data.accounts.auditItems(AuditQuery(limit: 2))
            try expect(
                try await actions(AuditQuery(before: page.last?.number, limit: 2)), is: ["2", "1"], "the next page")
        },
        StoreLaw("a line calls things by their names of now") { place in
            try await place.make("a", login: "ada")
            try await place.data.audit.append(Sample.entry("x", of: "a", by: "a"))
            let names = try await place.data.accounts.auditItems(AuditQuery()).first?.names
            try expect(names?.by, is: AuditNames.Person(login: "ada", displayName: "a"), "who did it")
        },
    ]
}
