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
        return RehearsedRecord(tree, changes: [], refusal: refusal)
    }

    static let rehearsals: [StoreLaw] = [
        StoreLaw("a rehearsal is what was begun, as it stands") { place in
            let rehearsals = place.data.rehearsals
            var rehearsal = Sample.rehearsal("1")
            try await rehearsals.begin(rehearsal)
            try expect(try await rehearsals.rehearsal("1"), is: rehearsal, "the rehearsal")
            (rehearsal.state, rehearsal.done, rehearsal.digest) = (.done, 9, "d")
            (rehearsal.counts.figures, rehearsal.counts.refused) = (5, 1)
            try await rehearsals.update(rehearsal)
            try expect(try await rehearsals.rehearsal("1"), is: rehearsal, "the rehearsal at its end")
            let program = ProgramID("program")
            try expect(try await rehearsals.rehearsal(of: program, digest: "d"), is: rehearsal, "by its digest")
            try expect(try await rehearsals.rehearsal(of: program, digest: "e"), is: nil, "by another one")
            rehearsal.state = .cancelled
            try await rehearsals.update(rehearsal)
            try expect(try await rehearsals.rehearsal(of: program, digest: "d"), is: nil, "one that did not end well")
        },
        StoreLaw("of each program the newest rehearsals are kept, with what they found") { place in
            let rehearsals = place.data.rehearsals
            try await rehearsals.begin(Sample.rehearsal("0", of: "other"))
            for number in 1...RehearsalPlans.kept + 1 {
                try await rehearsals.begin(Sample.rehearsal("\(number)"))
                try await rehearsals.append([found("r")], to: "\(number)")
            }
            let left = try await rehearsals.rehearsals(of: ProgramID("program")).map(\.id)
            try expect(left, is: (2...RehearsalPlans.kept + 1).reversed().map { "\($0)" }, "those left, newest first")
            try expect(try await rehearsals.versions(of: "1", after: nil, limit: 9), is: [], "what the oldest found")
            try expect(try await rehearsals.versions(of: "2", after: nil, limit: 9).count, is: 1, "what the next found")
            try expect(try await rehearsals.rehearsal("0") != nil, "another program's is there")
            try await rehearsals.remove("2")
            try expect(try await rehearsals.rehearsal("2"), is: nil, "one that is forgotten")
            try expect(try await rehearsals.versions(of: "2", after: nil, limit: 9), is: [], "what it found")
        },
        StoreLaw("what was found is read in pages, in the order of the records; what is not noteworthy is a version") {
            place in
            let rehearsals = place.data.rehearsals
            for id in ["a", "b", "c", "d"] { try await place.store.create(id) }
            try await rehearsals.begin(Sample.rehearsal("1"))
            try await rehearsals.append(["a", "c"].map { found($0, refusal: "x") } + [found("b")], to: "1")
            try await rehearsals.append([found("d", refusal: "x")], to: "1")
            let findings = try await rehearsals.findings(of: "1", from: RecordID("b"), limit: 9)
            try expect(findings.map(\.record.text), is: ["c", "d"], "the findings from a record on")
            let first = try await rehearsals.findings(of: "1", from: nil, limit: 1)
            try expect(first.map(\.record.text), is: ["a"], "the first page of findings")
            let versions = try await rehearsals.versions(of: "1", after: RecordID("a"), limit: 2)
            try expect(
                versions, is: ["b", "c"].map { RecordVersion(record: RecordID($0), version: 4) },
                "the versions after a record")
        },
        StoreLaw("what was found in a record goes with it, whenever it was found") { place in
            let rehearsals = place.data.rehearsals
            for id in ["student", "other"] { try await place.make(id) }
            for id in ["deleted", "own"] { try await place.store.create(id) }
            try await place.store.create("other", student: AccountID("other"))
            for number in ["1", "2"] {
                try await rehearsals.begin(Sample.rehearsal(number))
                try await rehearsals.append(["deleted", "other", "own"].map { found($0, refusal: "x") }, to: number)
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
            try await rehearsals.append([found("own", refusal: "x")], to: "1")
            try expect(try await told(), is: ["other", "other"], "what comes too late is not told")
            let versions = try await rehearsals.versions(of: "1", after: nil, limit: 9)
            try expect(versions.map(\.record.text), is: ["deleted", "other", "own"], "the versions compared")
        },
    ]
}
