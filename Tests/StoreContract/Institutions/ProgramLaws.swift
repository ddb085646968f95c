import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    private static func rename(_ title: String, keeping kept: KeptAnswer? = nil, _ place: any StoreUnderTest)
        async throws -> Program
    {
        try await place.data.institutions.amend(ProgramID("program"), keeping: { _, _ in kept }) { before in
            var after = before
            after.title = title
            return ProgramChange(program: after, audit: Sample.entry("program.changed", of: "program", in: "school"))
        }
    }

    static let programs: [StoreLaw] = [
        StoreLaw("a program's revision rises by one with every change, however many at once") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            let ends = await atOnce(20) { _ = try await rename("\($0)", place) }
            try expect(ends.errors, is: [], "the refusals")
            let program = try await place.data.institutions.program(ProgramID("program"))
            try expect(program?.revision, is: Revision(epoch: place.epoch, version: 21), "the revision")
        },
        StoreLaw("a change that is none keeps its answer and nothing else") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            let told = place.told.count
            let after = try await place.data.institutions.amend(
                ProgramID("program"), keeping: { _, _ in Sample.kept("k") }
            ) { _ in nil }
            try expect(after.revision.version, is: 1, "the revision")
            try expect(place.told(after: told), is: [], "what was told")
            try await expect(.taken(field: "key"), "another change under the key") {
                try await rename("x", keeping: Sample.kept("k"), place)
            }
            try expect(
                try await place.data.institutions.program(ProgramID("program"))?.title, is: "program", "the title")
        },
        StoreLaw("a version is published with the program, with the move that it asks for, and told") { place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.store.create("r")
            let permit = place.store.context(access: try await place.store.access())
            let told = place.told.count
            _ = try await place.publish(Sample.version(1, records: .move))
            let first = try await institutions.version(1, of: ProgramID("program"))
            try expect(first, is: Sample.version(1, records: .move), "the version")
            try expect(
                place.told(after: told),
                is: [.programChanged(ProgramID("program")), .audienceChanged(ProgramID("program"))], "what was told")
            let moves = try await place.data.bulkChanges.bulkChanges(of: ProgramID("program"))
            try expect(moves.map(\.work), is: [.move(to: 1)], "the moves")
            try expect(moves.map(\.progress.total), is: [1], "the records that a move looks at")
            try await expect(.moved, "a write under the permit of before") {
                _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("b") }
            }
            let titled = place.store.context(access: try await place.store.access())
            _ = try await rename("x", place)
            _ = try await place.store.amend(RecordID("r"), by: titled) { _ in Sample.amendment("b") }
            _ = try await place.publish(Sample.version(2, from: 30_000)) { program, versions in
                KeptAnswer(
                    key: Sample.kept("k").key, account: AccountID("a"), at: Sample.now,
                    answer: StoredAnswer(.changed, body: Array("\(program.revision) \(versions.waiting.count)".utf8))
                )
            }
            let kept = try await place.data.answers.answer(
                under: Sample.kept("k").key, of: AccountID("a"), at: Sample.now)
            try expect(
                kept.map { String(decoding: $0.answer.body, as: UTF8.self) }, is: "\(place.epoch).4 1",
                "the answer, of the program as it is then")
        },
        StoreLaw("a version that is withdrawn goes with its move") { place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.publish(Sample.version(1))
            try await place.publish(Sample.version(2, from: 30_000, records: .move))
            try await place.store.create("r")
            func withdraw(_ number: Version) async throws -> Program {
                try await institutions.withdraw(number, of: ProgramID("program"), keeping: { _, _ in nil }) {
                    before, versions, isInUse in
                    if isInUse { throw StoreError.moved }
                    try expect(versions.map(\.number), is: [2, 1], "the versions that the change sees")
                    var after = before
                    after.newest = 1
                    return ProgramChange(
                        program: after, audit: Sample.entry("version.withdrawn", of: "program", in: "school"))
                }
            }
            try await expect(.moved, "a version by which a record is judged") { try await withdraw(1) }
            let after = try await withdraw(2)
            try expect(after.lastNumber, is: 2, "the last number given")
            let left = try await institutions.versions(of: ProgramID("program"))
            try expect(left.map(\.number), is: [1], "the versions left")
            let moves = try await place.data.bulkChanges.bulkChanges(of: ProgramID("program"))
            try expect(moves, is: [], "the moves left")
        },
        StoreLaw("programs whose newer version holds by a day are found") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.publish(Sample.version(1))
            try await place.publish(Sample.version(2, from: 30_000))
            func due(_ day: Int) async throws -> [String] {
                try await place.data.institutions.programsToTurn(on: CalendarDay(days: day)).map(\.text)
            }
            try expect(try await due(29_999), is: [], "the day before")
            try expect(try await due(30_000), is: ["program"], "the day")
        },
        StoreLaw("programs are listed in the order of their identifiers, published ones by themselves") { place in
            try await place.makeInstitution()
            for id in ["p1", "p2", "p3"] { try await place.makeProgram(id) }
            try await place.publish(Sample.version(1, of: "p2"))
            func ids(publishedOnly: Bool, after: String? = nil) async throws -> [String] {
                try await place.data.institutions.programs(
                    of: InstitutionID("school"), publishedOnly: publishedOnly, after: after.map { ProgramID($0) },
                    limit: 2
                ).map(\.id.text)
            }
            try expect(try await ids(publishedOnly: false), is: ["p1", "p2"], "all")
            try expect(try await ids(publishedOnly: false, after: "p2"), is: ["p3"], "all, the next page")
            try expect(try await ids(publishedOnly: true), is: ["p2"], "the published ones")
        },
    ]
}
