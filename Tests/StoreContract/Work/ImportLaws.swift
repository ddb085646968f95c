import Accounts
import DataStore
import Records
import Shared

extension StoreLaw {
    private static func entry(
        _ id: String, key: String? = nil, digest: [UInt8] = [1], at moment: Timestamp = Sample.now
    ) -> ImportEntry {
        ImportEntry(
            id: id, program: ProgramID("program"), account: Sample.teacher, startedAt: moment,
            key: key.map { IdempotencyKey(key: $0, digest: digest) }, total: 40)
    }

    private static func row(_ number: Int, record: String? = nil, student: AccountID? = nil) -> ImportRow {
        ImportRow(
            number: number, record: record.map { RecordID($0) }, student: student,
            text: Array(#"{"row":\#(number)}"#.utf8))
    }

    static let imports: [StoreLaw] = [
        StoreLaw("an import is remembered as far as it is") { place in
            let imports = place.data.imports
            var begun = entry("1")
            try expect(try await imports.begin(begun), is: .begun(begun), "what becomes of it")
            (begun.done, begun.accepted, begun.refused, begun.state) = (40, 30, 10, .done)
            begun.endedAt = Sample.now.adding(seconds: 5)
            try await imports.update(begun, listing: [row(2), row(10)])
            try await imports.update(begun, listing: [row(1)])
            try expect(try await imports.entry("1"), is: begun, "the import")
            try expect(try await imports.rows(of: "1"), is: [row(1), row(2), row(10)], "what is listed of its rows")
            try expect(try await imports.entry("2"), is: nil, "another one")
        },
        StoreLaw("a key stands for one import, however often it is sent at once") { place in
            let imports = place.data.imports
            let admissions = try await withThrowingTaskGroup(of: ImportAdmission.self) { group in
                for number in 0..<10 { group.addTask { try await imports.begin(entry("\(number)", key: "k")) } }
                return try await group.reduce(into: [ImportAdmission]()) { $0.append($1) }
            }
            let begun = admissions.filter { if case .begun = $0 { true } else { false } }
            try expect(begun.count, is: 1, "how many were begun")
            try await expect(.idempotencyMismatch, "another request") {
                try await imports.begin(entry("x", key: "k", digest: [2]))
            }
        },
        StoreLaw("an import that failed is begun again under its own name, within a day") { place in
            let imports = place.data.imports
            var first = entry("1", key: "k")
            _ = try await imports.begin(first)
            (first.done, first.state) = (32, .failed)
            try await imports.update(first, listing: [row(1)])
            try expect(
                try await imports.begin(entry("2", key: "k")), is: .begun(first.begunAgain()), "what becomes of it")
            try expect(try await imports.rows(of: "1"), is: [], "what was listed of its rows")
            first = first.begunAgain()
            try expect(try await imports.begin(entry("3", key: "k")), is: .known(first), "what is sent once more")
            let late = entry("4", key: "k", digest: [2], at: Sample.now.adding(seconds: IdempotencyKey.lifetime))
            try expect(try await imports.begin(late), is: .begun(late), "what is sent a day later")
        },
        StoreLaw("so many imports are remembered, the newest") { place in
            let imports = place.data.imports
            for number in 0...ImportPlans.kept { _ = try await imports.begin(entry("\(10_000 + number)")) }
            try expect(try await imports.entry("10000"), is: nil, "the oldest")
            try expect(try await imports.entry("10001") != nil, "the next one is there")
        },
        StoreLaw("what is listed of an import's rows goes with the record or the account that it is about") { place in
            let imports = place.data.imports
            for id in ["student", "teacher", "other"] { try await place.make(id) }
            for id in ["own", "graded", "deleted"] { try await place.store.create(id) }
            try await place.store.put("b", in: "graded", by: Sample.teacher)
            let begun = entry("1")
            _ = try await imports.begin(begun)
            let other = AccountID("other")
            let listed = [
                row(1, record: "own", student: Sample.student), row(2, record: "graded", student: Sample.student),
                row(3, record: "deleted"), row(4, student: Sample.student), row(5, student: other), row(6),
            ]
            try await imports.update(begun, listing: listed)
            try expect(try await imports.rows(of: "1"), is: listed, "all of them")
            try await place.store.delete(RecordID("deleted"), by: place.store.context())
            try expect(try await imports.rows(of: "1").map(\.number), is: [1, 2, 4, 5, 6], "after the deleted record")
            try await place.data.accounts.delete(Sample.student) { _ in Sample.entry("account.deleted", of: "student") }
            try expect(try await imports.rows(of: "1").map(\.number), is: [5, 6], "after the student's account")
            try await imports.update(begun, listing: listed)
            try expect(try await imports.rows(of: "1").map(\.number), is: [5, 6], "what comes too late is not kept")
            try await place.data.accounts.delete(Sample.teacher) { _ in Sample.entry("account.deleted", of: "teacher") }
            try expect(try await imports.rows(of: "1"), is: [], "after the account that sent it")
        },
        StoreLaw("what is listed of rows is dropped some time after the import's end") { place in
            let imports = place.data.imports
            for number in 1...3 {
                var begun = entry("\(number)")
                _ = try await imports.begin(begun)
                if number < 3 { begun.endedAt = Sample.now.adding(seconds: Int64(number)) }
                try await imports.update(begun, listing: [row(1), row(2)])
            }
            try await imports.forgetRows(endedBy: Sample.now.adding(seconds: 1))
            var left: [Int] = []
            for number in 1...3 { left.append(try await imports.rows(of: "\(number)").count) }
            try expect(left, is: [0, 2, 2], "how many rows are left of each")
            try expect(try await imports.entry("1") != nil, "the import itself is there")
        },
        StoreLaw("what the end of a server cut off has failed") { place in
            let begun = entry("1")
            _ = try await place.data.imports.begin(begun)
            let rehearsal = Sample.rehearsal("1")
            try await place.data.rehearsals.begin(rehearsal)
            let reopened = try await place.reopened()
            try expect(try await reopened.data.imports.entry("1")?.state, is: .failed, "the import")
            try expect(try await reopened.data.imports.entry("1")?.endedAt != nil, "it has ended")
            try expect(try await reopened.data.rehearsals.rehearsal("1")?.state, is: .failed, "the rehearsal")
            await reopened.close()
        },
    ]
}
