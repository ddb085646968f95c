import Accounts
import DataStore
import GradingKit
import Records
import Shared

extension Sample {
    static func rehearsal(_ id: String, of program: String = "program") -> Rehearsal {
        var rehearsal = Rehearsal(
            id: id, program: ProgramID(program),
            basis: RehearsalBasis(
                .draft, by: SchemeExecutable(text: "scheme 1"), published: 3,
                publishedConfiguration: Array("{}".utf8), proposedConfiguration: Array(#"{"a":1}"#.utf8)),
            startedAt: now)
        rehearsal.total = 9
        return rehearsal
    }
}

extension StoreLaw {
    private static func found(_ record: String, refusal: String? = nil) -> RehearsedRecord {
        let tree = StoredTree(record: RecordID(record), version: 4, programVersion: 1, tree: [])
        return RehearsedRecord(tree, changes: [], names: [], refusal: refusal)
    }

    private static func begin(_ rehearsal: Rehearsal, _ place: any StoreUnderTest) async throws -> WorkLease {
        try expect(try await place.data.rehearsals.begin(rehearsal, keeping: nil), "it begins")
        return try await place.claimed(.rehearsals)
    }

    static let rehearsals: [StoreLaw] = [
        StoreLaw("a rehearsal is what was begun, as it stands") { place in
            let rehearsals = place.data.rehearsals
            var rehearsal = Sample.rehearsal("1")
            let lease = try await begin(rehearsal, place)
            try expect(try await rehearsals.rehearsal("1"), is: rehearsal, "the rehearsal")
            (rehearsal.state, rehearsal.done, rehearsal.digest) = (.done, 9, "d")
            (rehearsal.counts.figures, rehearsal.counts.refused) = (5, 1)
            try await rehearsals.advance(rehearsal, finding: [], under: lease)
            try expect(try await rehearsals.rehearsal("1"), is: rehearsal, "the rehearsal at its end")
            let program = ProgramID("program")
            try expect(try await rehearsals.rehearsal(of: program, digest: "d"), is: rehearsal, "by its digest")
            try expect(try await rehearsals.rehearsal(of: program, digest: "e"), is: nil, "by another one")
            var failed = Sample.rehearsal("2")
            let other = try await begin(failed, place)
            (failed.state, failed.digest) = (.failed, "f")
            try await rehearsals.advance(failed, finding: [], under: other)
            try expect(try await rehearsals.rehearsal(of: program, digest: "f"), is: nil, "one that did not end well")
        },
        StoreLaw("a rehearsal is begun once under a key, with its answer") { place in
            let rehearsals = place.data.rehearsals
            let ends = await atOnce(5) { number in
                _ = try await rehearsals.begin(Sample.rehearsal("\(number)"), keeping: Sample.kept("k"))
            }
            try expect(ends.made, is: 1, "how many were begun")
            try expect(ends.errors.allSatisfy { $0 == .taken(field: "key") }, "the refusals")
            try expect(try await rehearsals.rehearsals(of: ProgramID("program")).count, is: 1, "how many there are")
        },
        StoreLaw("a rehearsal that is under way gives way to a later one, or is stopped; one that ended is forgotten") {
            place in
            let rehearsals = place.data.rehearsals
            let first = Sample.rehearsal("1")
            let lease = try await begin(first, place)
            let second = try await begin(Sample.rehearsal("2"), place)
            try expect(try await rehearsals.rehearsal("1")?.state, is: .cancelled, "the first one")
            try await expectLeaseLost("its next step") {
                try await rehearsals.advance(first, finding: [], under: lease)
            }
            try expect(try await rehearsals.cancel("2")?.state, is: .cancelled, "one that is stopped")
            try await expectLeaseLost("the step of one that was stopped") {
                try await rehearsals.advance(Sample.rehearsal("2"), finding: [], under: second)
            }
            try expect(try await rehearsals.rehearsal("2")?.state, is: .cancelled, "it stays stopped")
            try expect(
                try await rehearsals.claim(.rehearsals, by: Sample.claim("x")), is: nil, "there is nothing to do")
            try expect(try await rehearsals.cancel("2")?.id, is: "2", "one that has ended, how it was left")
            try expect(try await rehearsals.rehearsal("2"), is: nil, "it is forgotten")
            try expect(try await rehearsals.cancel("2"), is: nil, "one that is gone")
        },
        StoreLaw("so many rehearsals are under way at once") { place in
            let rehearsals = place.data.rehearsals
            for number in 1...RehearsalPlans.mostOpen {
                let begun = try await rehearsals.begin(Sample.rehearsal("\(number)", of: "\(number)"), keeping: nil)
                try expect(begun, "number \(number) begins")
            }
            let isBegun = try await rehearsals.begin(Sample.rehearsal("x", of: "x"), keeping: Sample.kept("k"))
            try expect(!isBegun, "one more does not")
            let kept = try await place.data.answers.answer(
                under: Sample.kept("k").key, of: AccountID("a"), at: Sample.now)
            try expect(kept, is: nil, "the answer that would have told of it")
        },
        StoreLaw("of each program the newest rehearsals are kept, with what they found") { place in
            let rehearsals = place.data.rehearsals
            _ = try await begin(Sample.rehearsal("0", of: "other"), place)
            for number in 1...RehearsalPlans.kept + 1 {
                let rehearsal = Sample.rehearsal("\(number)")
                let lease = try await begin(rehearsal, place)
                try await rehearsals.advance(rehearsal, finding: [found("r")], under: lease)
            }
            let left = try await rehearsals.rehearsals(of: ProgramID("program")).map(\.id)
            try expect(left, is: (2...RehearsalPlans.kept + 1).reversed().map { "\($0)" }, "those left, newest first")
            try expect(try await rehearsals.deleteForgotten(limit: 9), "the oldest has findings to delete")
            try expect(try await rehearsals.versions(of: "1", after: nil, limit: 9), is: [], "what the oldest found")
            try expect(try await rehearsals.versions(of: "2", after: nil, limit: 9).count, is: 1, "what the next found")
            try expect(try await rehearsals.rehearsal("0") != nil, "another program's is there")
        },
        StoreLaw("what a forgotten rehearsal found is deleted a slice at a time") { place in
            let rehearsals = place.data.rehearsals
            let program = ProgramID("program")
            for id in ["1", "2"] {
                var rehearsal = Sample.rehearsal(id)
                let lease = try await begin(rehearsal, place)
                rehearsal.state = .done
                try await rehearsals.advance(rehearsal, finding: ["a", "b", "c"].map { found($0) }, under: lease)
            }
            try expect(!(try await rehearsals.deleteForgotten(limit: 2)), "nothing is forgotten yet")
            _ = try await rehearsals.cancel("1")
            try expect(try await rehearsals.rehearsals(of: program).map(\.id), is: ["2"], "those left")
            var left: [Int] = []
            while try await rehearsals.deleteForgotten(limit: 2) {
                left.append(try await rehearsals.versions(of: "1", after: nil, limit: 9).count)
            }
            try expect(left, is: [1, 0], "what is left of it after each slice")
            try expect(try await rehearsals.versions(of: "2", after: nil, limit: 9).count, is: 3, "the other's")
        },
        StoreLaw("what was found is read in pages, in the order of the records; what is not noteworthy is a version") {
            place in
            let rehearsals = place.data.rehearsals
            for id in ["a", "b", "c", "d"] { try await place.store.create(id) }
            let rehearsal = Sample.rehearsal("1")
            let lease = try await begin(rehearsal, place)
            let first = ["a", "c"].map { found($0, refusal: "x") } + [found("b")]
            try await rehearsals.advance(rehearsal, finding: first, under: lease)
            try await rehearsals.advance(rehearsal, finding: [found("d", refusal: "x")], under: lease)
            let findings = try await rehearsals.findings(of: "1", from: RecordID("b"), limit: 9)
            try expect(findings.map(\.record.text), is: ["c", "d"], "the findings from a record on")
            let page = try await rehearsals.findings(of: "1", from: nil, limit: 1)
            try expect(page.map(\.record.text), is: ["a"], "the first page of findings")
            let versions = try await rehearsals.versions(of: "1", after: RecordID("a"), limit: 2)
            try expect(
                versions, is: ["b", "c"].map { RecordVersion(record: RecordID($0), version: 4) },
                "the versions after a record")
            let compared = try await rehearsals.compared(in: "1", after: RecordID("a"), limit: 2)
            try expect(
                compared,
                is: ["b", "c"].map { ComparedRecord(record: RecordID($0), version: 4, programVersion: 1) },
                "the records compared after a record")
        },
        StoreLaw("what was found in a record goes with it, whenever it was found") { place in
            let rehearsals = place.data.rehearsals
            for id in ["student", "other"] { try await place.make(id) }
            for id in ["deleted", "own"] { try await place.store.create(id) }
            try await place.store.create("other", student: AccountID("other"))
            var leases: [WorkLease] = []
            for number in ["1", "2"] {
                let rehearsal = Sample.rehearsal(number, of: number)
                let lease = try await begin(rehearsal, place)
                let findings = ["deleted", "other", "own"].map { found($0, refusal: "x") }
                try await rehearsals.advance(rehearsal, finding: findings, under: lease)
                leases.append(lease)
            }
            func told() async throws -> [String] {
                let first = try await rehearsals.findings(of: "1", from: nil, limit: 9)
                let second = try await rehearsals.findings(of: "2", from: nil, limit: 9)
                return (first + second).map(\.record.text)
            }
            try await place.store.delete(RecordID("deleted"), by: place.store.context())
            try expect(try await told(), is: ["other", "own", "other", "own"], "after the deleted record")
            try await place.data.accounts.delete(Sample.student) { _ in Sample.entry("account.deleted", of: "student") }
            try expect(try await told(), is: ["other", "other"], "after the student's account")
            try await rehearsals.advance(
                Sample.rehearsal("1", of: "1"), finding: [found("own", refusal: "x")], under: leases[0])
            try expect(try await told(), is: ["other", "other"], "what comes too late is not told")
            let versions = try await rehearsals.versions(of: "1", after: nil, limit: 9)
            try expect(versions.map(\.record.text), is: ["deleted", "other", "own"], "the versions compared")
        },
    ]
}
