import Application
import Forms
import GradingKit
import Institutions
import SQLiteStore
import Shared
import Testing

@Suite struct ProgramsTests {
    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test func `a program begins as a draft of the preset with its own keys over it`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let plain = try await harness.services.programs.create(
            NewProgram.form.input(["scheme": "single", "title": "GPA", "preset": "wide"]), in: demo.id,
            by: harness.server)
        #expect(text(plain.program.draft?.configuration) == #"{"limit":8}"#)
        #expect(plain.program.newest == nil)
        #expect(plain.program.entry == .both)
        let wide = try await harness.services.programs.create(
            NewProgram.form.input(["scheme": "single", "title": "GPA", "configuration": ["limit": 12], "entry": "self"]
            ), in: demo.id,
            by: harness.server)
        #expect(text(wide.program.draft?.configuration) == #"{"limit":12}"#)
        #expect(wide.warnings.map(\.code) == ["very_wide"])
        #expect(wide.program.entry == .own)
        #expect(try await harness.services.programs.find(wide.program.id) == wide.program)
    }

    @Test func `the form's and the scheme's faults are answered together`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        #expect(
            await faults {
                try await harness.services.programs.create(
                    NewProgram.form.input([
                        "scheme": "single", "preset": "x", "configuration": ["limit": "a", "other": 1],
                        "entry": "nobody",
                    ]), in: demo.id, by: harness.server)
            } == [
                "/configuration/limit wrong_type", "/configuration/other unknown_field", "/entry out_of_range",
                "/preset out_of_range", "/title missing_field",
            ])
        #expect(try await harness.services.programs.list(of: demo.id, publishedOnly: false).isEmpty)
    }

    @Test func `a life: draft, version 1, draft, version 2, and the old version stays as it was`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let programs = harness.services.programs
        let id = try await harness.program(in: demo).id
        #expect(try await programs.list(of: demo.id, publishedOnly: true).isEmpty)
        let first = try await programs.publish(
            id, as: Publication(effectiveFrom: CalendarDay(text: "2026-09-01")), by: harness.server)
        #expect(first.newest == 1)
        #expect(first.draft == nil)
        #expect(try await programs.list(of: demo.id, publishedOnly: true).map(\.id) == [id])
        #expect(
            await faults { try await programs.publish(id, as: Publication(), by: harness.server) } == [" draft_missing"]
        )

        let edited = try await programs.edit(
            ProgramEdit.form.input(["configuration": ["limit": 5]]), of: id, by: harness.server)
        #expect(text(edited.program.draft?.configuration) == #"{"limit":5}"#)
        #expect(edited.program.newest == 1)
        #expect(
            await faults {
                try await programs.publish(
                    id, as: Publication(effectiveFrom: CalendarDay(text: "2026-08-31")), by: harness.server)
            } == ["/effectiveFrom day_too_early"])
        let second = try await programs.publish(
            id, as: Publication(digest: "abc", effectiveFrom: CalendarDay(text: "2027-09-01"), records: .move),
            by: harness.server)
        #expect(second.newest == 2)
        #expect(second.effectiveFrom?.description == "2027-09-01")
        #expect(
            try await programs.versions(of: id).map { text($0.configuration) } == [#"{"limit":5}"#, #"{"limit":4}"#])
        #expect(try await programs.version(2, of: id)?.records == .move)
        #expect(try await programs.version(2, of: id)?.rehearsal == "abc")
        #expect(try await programs.version(3, of: id) == nil)
    }

    @Test func `who enters grades is not changed without a proof, whatever stood there when it was asked`() async throws
    {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        let program = try await harness.program(in: try await harness.institution())
        let same = ProgramEdit.form.input(["entry": .string(program.entry.rawValue), "title": "Other"])
        #expect(
            try await programs.edit(same, of: program.id, isProven: false, by: harness.server).program.title == "Other")
        let other: EntryPolicy = program.entry == .staff ? .both : .staff
        _ = try await programs.edit(
            ProgramEdit.form.input(["entry": .string(other.rawValue)]), of: program.id, by: harness.server)
        await #expect(throws: ProofNeeded()) {
            try await programs.edit(same, of: program.id, isProven: false, by: harness.server)
        }
        #expect(try await programs.find(program.id, bypassingCache: true)?.entry == other)
        let given = ProgramEdit.form.input(["given": "teacher"])
        await #expect(throws: ProofNeeded()) {
            try await programs.edit(given, of: program.id, isProven: false, by: harness.server)
        }
        _ = try await programs.edit(given, of: program.id, by: harness.server)
        #expect(try await programs.find(program.id, bypassingCache: true)?.given == .teacher)
        #expect(
            try await programs.edit(same, of: program.id, isProven: true, by: harness.server).program.entry != other)
    }

    @Test(arguments: [("2026-08-31", 1), ("2026-09-01", 1), ("2027-08-31", 1), ("2027-09-01", 2), ("2099-01-01", 2)])
    func `a new record is judged by what holds on its day`(day: String, number: Int) async throws {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        let id = try await harness.program(in: try await harness.institution()).id
        let unpublished = try #require(try await programs.find(id))
        #expect(try await programs.version(of: unpublished, on: harness.now.day) == nil)
        for start in ["2026-09-01", "2027-09-01"] {
            _ = try await programs.edit(
                ProgramEdit.form.input(["configuration": ["limit": 5]]), of: id, by: harness.server)
            _ = try await programs.publish(
                id, as: Publication(effectiveFrom: CalendarDay(text: start)), by: harness.server)
        }
        let date = try #require(CalendarDay(text: day))
        let program = try #require(try await programs.find(id, bypassingCache: true))
        #expect(try await programs.version(of: program, on: date)?.number == number)
    }

    @Test func `a version that has begun stays in force where its day is to come once more`() async throws {
        let harness = try InstitutionsHarness()
        let (programs, tenants) = (harness.services.programs, harness.services.tenants)
        let demo = try await harness.institution()
        func move(to zone: String) async throws {
            _ = try await tenants.edit(
                InstitutionEdit.form.read(["timeZone": .string(zone)]), of: demo.id, by: harness.server)
        }
        try await move(to: "Pacific/Kiritimati")
        let id = try await harness.program(in: demo).id
        let first = try await programs.publish(id, as: Publication(), by: harness.server)
        #expect(first.effectiveFrom?.description == "2027-01-15")
        try await move(to: "Pacific/Pago_Pago")
        let next = try await programs.edit(
            ProgramEdit.form.input(["configuration": ["limit": 5]]), of: id, by: harness.server)
        #expect(next.program.newest == 1)
        let second = try await programs.publish(id, as: Publication(), by: harness.server)
        #expect(second.inForce?.number == 2)
        #expect(second.effectiveFrom?.description == "2027-01-15")
        let today = try await tenants.today(in: demo.id, at: harness.now)
        #expect(today.description == "2027-01-14")
        #expect(try await programs.version(of: second, on: today)?.number == 2)
    }

    @Test func `null puts back the preset's value, and a preset begins anew`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let programs = harness.services.programs
        let id = try await programs.create(
            NewProgram.form.input(["scheme": "single", "title": "GPA", "preset": "wide", "configuration": ["limit": 3]]
            ), in: demo.id,
            by: harness.server
        ).program.id
        var edited = try await programs.edit(
            ProgramEdit.form.input(["configuration": ["limit": nil]]), of: id, by: harness.server)
        #expect(text(edited.program.draft?.configuration) == #"{"limit":8}"#)
        edited = try await programs.edit(ProgramEdit.form.input(["preset": nil]), of: id, by: harness.server)
        #expect(text(edited.program.draft?.configuration) == #"{"limit":4}"#)
        edited = try await programs.edit(
            ProgramEdit.form.input(["preset": "wide", "title": "New"]), of: id, by: harness.server)
        #expect(edited.program.draft?.preset == "wide")
        #expect(edited.program.title == "New")
    }

    @Test func `an edit of a document that has moved on is a conflict`() async throws {
        let harness = try InstitutionsHarness()
        let program = try await harness.program(in: try await harness.institution())
        let programs = harness.services.programs
        let moved = try await programs.edit(
            ProgramEdit.form.input(["title": "A"]), of: program.id, expecting: program.revision, by: harness.server)
        #expect(moved.program.revision.version == program.revision.version + 1)
        await #expect(throws: StoreError.versionConflict(current: moved.program.revision)) {
            try await programs.edit(
                ProgramEdit.form.input(["title": "B"]), of: program.id, expecting: program.revision, by: harness.server)
        }
        await #expect(throws: StoreError.versionConflict(current: moved.program.revision)) {
            try await programs.publish(program.id, as: Publication(), expecting: program.revision, by: harness.server)
        }
        let next = Revision(epoch: moved.program.revision.epoch, version: moved.program.revision.version + 1)
        await #expect(throws: StoreError.versionConflict(current: moved.program.revision)) {
            try await programs.edit(
                ProgramEdit.form.input(["title": "B"]), of: program.id, expecting: next, by: harness.server)
        }
        #expect(try await programs.find(program.id)?.title == "A")
    }

    @Test func `a refused edit changes nothing`() async throws {
        let harness = try InstitutionsHarness()
        let program = try await harness.program(in: try await harness.institution())
        let moment = harness.store.accessNews.moment
        #expect(
            await faults {
                try await harness.services.programs.edit(
                    ProgramEdit.form.input(["title": "", "entry": nil, "scheme": "x", "configuration": ["limit": true]]
                    ), of: program.id,
                    by: harness.server)
            } == [
                "/configuration/limit wrong_type", "/entry missing_field", "/scheme unknown_field",
                "/title missing_field",
            ])
        #expect(try await harness.services.programs.find(program.id) == program)
        #expect(harness.store.accessNews.moment == moment)
    }

    @Test func `documents show the version, and the draft to staff alone`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let programs = harness.services.programs
        let id = try await harness.program(in: demo).id
        _ = try await programs.publish(
            id, as: Publication(effectiveFrom: CalendarDay(text: "2026-09-01")), by: harness.server)
        _ = try await programs.edit(ProgramEdit.form.input(["configuration": ["limit": 7]]), of: id, by: harness.server)
        let program = try #require(try await programs.find(id))
        let versions = try await programs.versionsInForce(of: program)
        let members = """
            "id":"\(id)","institution":"\(demo.id)","scheme":"single","title":"GPA","entry":"both",\
            "given":"registrar","version":1,"effectiveFrom":"2026-09-01"
            """
        var writer = JSONWriter()
        program.writeItem(to: &writer)
        #expect(writer.text == "{\(members)}")
        writer = JSONWriter()
        program.write(to: &writer, versions)
        #expect(writer.text == "{\(members),\"configuration\":{\"limit\":4},\"waiting\":[]}")
        writer = JSONWriter()
        program.write(to: &writer, versions, showsDraft: true)
        #expect(try JSON.parse(writer.bytes)["draft"]?["configuration"] == ["limit": 7])
    }

    @Test func `a publication is read with everything wrong at once`() async {
        #expect(
            await faults { try Publication.form.read(["effectiveFrom": "2026-02-30", "records": "drop", "digest": 1]) }
                == ["/digest wrong_type", "/effectiveFrom day_invalid", "/records out_of_range"])
    }

    @Test func `what a configuration file asks for is made once`() async throws {
        let harness = try InstitutionsHarness()
        let provisioning = harness.services.provisioning
        var made: [(Institution, Program)] = []
        for _ in 0..<2 {
            let demo = try await provisioning.institution(
                slug: "demo", title: "Demo College", isOpen: true, by: harness.server)
            let program = try await provisioning.program(
                NewProgram.form.input(["scheme": "single", "title": "GPA", "entry": "self"]), in: demo.id,
                by: harness.server)
            made.append((demo, program))
        }
        #expect(made[0].0 == made[1].0)
        #expect(made[0].1 == made[1].1)
        #expect(made[0].1.newest == 1)
    }
}
