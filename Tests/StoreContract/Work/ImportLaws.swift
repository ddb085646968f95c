import Accounts
import DataStore
import Records
import Shared

extension StoreLaw {
    private static func entry(
        _ id: String, by account: AccountID = Sample.teacher, key: String? = nil, digest: [UInt8] = [1],
        at moment: Timestamp = Sample.now, size: Int = 6
    ) -> ImportEntry {
        ImportEntry(
            id: id, program: ProgramID("program"), account: account, startedAt: moment,
            key: key.map { IdempotencyKey(key: $0, digest: digest) }, total: 40,
            order: ImportOrder(source: "127.0.0.1", reading: Array("{}".utf8), size: size))
    }

    private static func row(_ number: Int, record: String? = nil, student: AccountID? = nil) -> ImportRow {
        ImportRow(
            number: number, record: record.map { RecordID($0) }, student: student,
            text: Array(#"{"row":\#(number)}"#.utf8))
    }

    static let imports: [StoreLaw] = [
        StoreLaw("an import is remembered as far as it is, and what was sent until its end") { place in
            let imports = place.data.imports
            var begun = entry("1")
            let lease = Sample.claim("1").lease(on: "1", .imports)
            try expect(
                try await imports.begin(begun, by: Sample.claim("1")), is: .begun(begun, lease), "what becomes of it")
            for (number, piece) in [[UInt8](1...3), [4, 5, 6]].enumerated() {
                try await imports.keep(piece, number: number, under: lease)
            }
            var body: [[UInt8]?] = []
            for number in 0..<3 { body.append(try await imports.piece(number, of: "1")) }
            try expect(body, is: [[1, 2, 3], [4, 5, 6], nil], "what was sent")
            begun.done = 2
            try await imports.update(begun, listing: [row(2), row(10)], under: lease)
            try expect(try await imports.piece(0, of: "1") != nil, "what was sent is there while it runs")
            (begun.done, begun.accepted, begun.refused, begun.state) = (40, 30, 10, .done)
            begun.endedAt = Sample.now.adding(seconds: 5)
            try await imports.update(begun, listing: [row(1)], under: lease)
            try expect(try await imports.entry("1"), is: begun, "the import")
            try expect(try await imports.rows(of: "1"), is: [row(1), row(2), row(10)], "what is listed of its rows")
            try expect(try await imports.piece(0, of: "1"), is: nil, "what was sent, at its end")
            try expect(try await imports.entry("2"), is: nil, "another one")
        },
        StoreLaw("a key stands for one import, however often it is sent at once") { place in
            let imports = place.data.imports
            let admissions = try await withThrowingTaskGroup(of: ImportAdmission.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        try await imports.begin(entry("\(number)", key: "k"), by: Sample.claim("\(number)"))
                    }
                }
                return try await group.reduce(into: [ImportAdmission]()) { $0.append($1) }
            }
            let begun = admissions.filter { if case .begun = $0 { true } else { false } }
            try expect(begun.count, is: 1, "how many were begun")
            try await expect(.idempotencyMismatch, "another request") {
                try await imports.begin(entry("x", key: "k", digest: [2]), by: Sample.claim("x"))
            }
        },
        StoreLaw("an import that failed is begun again under its own name, within a day") { place in
            let imports = place.data.imports
            var first = entry("1", key: "k")
            let lease = try await begin(first, place)
            (first.done, first.state) = (32, .failed)
            try await imports.update(first, listing: [row(1)], under: lease)
            let sent = entry("2", key: "k", size: 9)
            let again = first.begunAgain(as: sent.order)
            try expect(
                try await imports.begin(sent, by: Sample.claim("2")),
                is: .begun(again, Sample.claim("2").lease(on: "1", .imports)), "what becomes of it")
            try expect(try await imports.rows(of: "1"), is: [], "what was listed of its rows")
            try expect(
                try await imports.begin(entry("3", key: "k"), by: Sample.claim("3")), is: .known(again),
                "what is sent once more")
            let late = entry("4", key: "k", digest: [2], at: Sample.now.adding(seconds: IdempotencyKey.lifetime))
            try expect(
                try await imports.begin(late, by: Sample.claim("4")),
                is: .begun(late, Sample.claim("4").lease(on: "4", .imports)), "what is sent a day later")
        },
        StoreLaw("so many imports are remembered that have ended, the newest, and all of the last day") { place in
            let imports = place.data.imports
            let open = entry("0")
            _ = try await begin(open, place)
            for number in 0...ImportPlans.kept {
                var begun = entry("\(10_000 + number)")
                let lease = try await begin(begun, place)
                begun.state = .done
                try await imports.update(begun, listing: [], under: lease)
            }
            _ = try await begin(entry("20000"), place)
            try expect(try await imports.entry("10000") != nil, "the oldest, while its key may be shown")
            let late = Sample.now.adding(seconds: IdempotencyKey.lifetime)
            _ = try await begin(entry("20001", at: late), place)
            try expect(try await imports.entry("10000"), is: nil, "the oldest")
            try expect(try await imports.entry("10001"), is: nil, "the next")
            try expect(try await imports.entry("10002") != nil, "the one after it is there")
            try expect(try await imports.entry("0"), is: open, "an older one that is under way")
        },
        StoreLaw("so many imports are under way at once, with so many bytes") { place in
            let imports = place.data.imports
            func isRefused(_ entry: ImportEntry) async throws -> Bool {
                try await imports.begin(entry, by: Sample.claim(entry.id)) == .refused
            }
            try expect(!(try await isRefused(entry("0", size: ImportPlans.mostBytes + 1))), "a large one alone begins")
            try expect(try await isRefused(entry("1", size: 0)), "none begins beside it")
            var large = entry("0", size: ImportPlans.mostBytes + 1)
            large.state = .done
            try await imports.update(large, listing: [], under: Sample.claim("0").lease(on: "0", .imports))
            for number in 0..<ImportPlans.mostOpen {
                let account = AccountID("sender \(number / ImportPlans.mostOwn)")
                try expect(!(try await isRefused(entry("\(number + 1)", by: account))), "number \(number) begins")
            }
            try expect(try await isRefused(entry("x")), "one more does not")
        },
        StoreLaw("one account has so many imports under way, and others go on") { place in
            let imports = place.data.imports
            for number in 1...ImportPlans.mostOwn { _ = try await begin(entry("\(number)"), place) }
            let own = try await imports.begin(entry("x"), by: Sample.claim("x"))
            try expect(own, is: .refused, "one more of the same account")
            let other = try await imports.begin(entry("y", by: AccountID("other")), by: Sample.claim("y"))
            try expect(other != .refused, "one of another account")
        },
        StoreLaw("what an ended import has left of its body is dropped in time") { place in
            let imports = place.data.imports
            var begun = entry("1")
            let lease = try await begin(begun, place)
            for number in 0..<3 { try await imports.keep([1, 2, 3], number: number, under: lease) }
            begun.state = .done
            try await imports.update(begun, listing: [], under: lease)
            try await imports.forgetRows(endedBy: Sample.now)
            for number in 0..<3 { try expect(try await imports.piece(number, of: "1"), is: nil, "piece \(number)") }
        },
        StoreLaw("what is listed of an import's rows goes with the record or the account that it is about") { place in
            let imports = place.data.imports
            for id in ["student", "teacher", "other"] { try await place.make(id) }
            for id in ["own", "graded", "deleted"] { try await place.store.create(id) }
            try await place.store.put("b", in: "graded", by: Sample.teacher)
            let begun = entry("1")
            let lease = try await begin(begun, place)
            let other = AccountID("other")
            let listed = [
                row(1, record: "own", student: Sample.student), row(2, record: "graded", student: Sample.student),
                row(3, record: "deleted"), row(4, student: Sample.student), row(5, student: other), row(6),
            ]
            try await imports.update(begun, listing: listed, under: lease)
            try expect(try await imports.rows(of: "1"), is: listed, "all of them")
            try await place.store.delete(RecordID("deleted"), by: place.store.context())
            try expect(try await imports.rows(of: "1").map(\.number), is: [1, 2, 4, 5, 6], "after the deleted record")
            try await place.data.accounts.delete(Sample.student) { _ in Sample.entry("account.deleted", of: "student") }
            try expect(try await imports.rows(of: "1").map(\.number), is: [5, 6], "after the student's account")
            try await imports.update(begun, listing: listed, under: lease)
            try expect(try await imports.rows(of: "1").map(\.number), is: [5, 6], "what comes too late is not kept")
            try await place.data.accounts.delete(Sample.teacher) { _ in Sample.entry("account.deleted", of: "teacher") }
            try expect(try await imports.rows(of: "1"), is: [], "after the account that sent it")
            try await expectLeaseLost("the next step of an import whose sender is gone") {
                try await imports.update(begun, listing: [], under: lease)
            }
        },
        StoreLaw("what is listed of rows is dropped some time after the import's end") { place in
            let imports = place.data.imports
            for number in 1...3 {
                var begun = entry("\(number)")
                let lease = try await begin(begun, place)
                if number < 3 { begun.endedAt = Sample.now.adding(seconds: Int64(number)) }
                try await imports.update(begun, listing: [row(1), row(2)], under: lease)
            }
            try await imports.forgetRows(endedBy: Sample.now.adding(seconds: 1))
            var left: [Int] = []
            for number in 1...3 { left.append(try await imports.rows(of: "\(number)").count) }
            try expect(left, is: [0, 2, 2], "how many rows are left of each")
            try expect(try await imports.entry("1") != nil, "the import itself is there")
        },
    ]

    private static func begin(_ entry: ImportEntry, _ place: any StoreUnderTest) async throws -> WorkLease {
        guard case .begun(_, let lease) = try await place.data.imports.begin(entry, by: Sample.claim(entry.id)) else {
            throw Violation(description: "import \(entry.id) did not begin")
        }
        return lease
    }
}
