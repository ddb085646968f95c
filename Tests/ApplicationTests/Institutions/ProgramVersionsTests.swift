import Accounts
import Application
import Forms
import GradingKit
import Institutions
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct ProgramVersionsTests {
    /// A program whose versions hold from those days on; today is 2027-01-15.
    private func program(
        _ harness: InstitutionsHarness, in timeZone: String = "UTC", from days: String...
    ) async throws -> Program {
        let slug = timeZone.lowercased().filter(\.isLetter)
        var program = try await harness.program(in: try await harness.institution(slug, timeZone: timeZone))
        for (number, day) in days.enumerated() {
            let limit = JSON.number(String(number + 1))
            _ = try await harness.services.programs.edit(
                ProgramEdit.form.input(["configuration": ["limit": limit]]), of: program.id, by: harness.server)
            program = try await publish(program.id, from: day, harness)
        }
        return program
    }

    private func publish(_ id: ProgramID, from day: String, _ harness: InstitutionsHarness) async throws -> Program {
        try await harness.services.programs.publish(
            id, as: Publication(effectiveFrom: CalendarDay(text: day), records: .move),
            by: AuditContext(by: AccountID("registrar"), from: "test", at: harness.now))
    }

    private func document(_ program: Program, _ harness: InstitutionsHarness) async throws -> JSON {
        var writer = JSONWriter()
        program.write(to: &writer, try await harness.services.programs.versionsInForce(of: program))
        return try JSON.parse(writer.bytes)
    }

    @Test func `the document tells what is in force, and what waits`() async throws {
        let harness = try InstitutionsHarness()
        let program = try await program(harness, from: "2027-01-15", "2027-06-01", "2099-01-01")
        let document = try await document(program, harness)
        #expect(document["version"] == 1)
        #expect(document["effectiveFrom"] == "2027-01-15")
        #expect(document["configuration"] == ["limit": 1])
        let waiting = document["waiting"]?.array ?? []
        #expect(waiting.map { $0["version"] } == [2, 3])
        #expect(waiting.first?["effectiveFrom"] == "2027-06-01")
        #expect(waiting.first?["configuration"] == ["limit": 2])
    }

    @Test func `the first version is told though its day is to come`() async throws {
        let harness = try InstitutionsHarness()
        let document = try await document(try await program(harness, from: "2099-01-01"), harness)
        #expect(document["version"] == 1)
        #expect(document["waiting"] == [])
    }

    @Test func `a version is told to be in force once its day has come, under a new revision`() async throws {
        let harness = try InstitutionsHarness()
        let before = try await program(harness, from: "2027-01-15", "2027-01-16", "2027-01-18")
        let programs = harness.services.programs
        #expect(try await programs.turn(on: harness.server) == 0)
        harness.pass(seconds: 86_400)
        #expect(try await programs.turn(on: harness.server) == 1)
        #expect(try await programs.turn(on: harness.server) == 0)
        let after = try #require(try await programs.find(before.id))
        #expect(after.revision.version == before.revision.version + 1)
        #expect(after.inForce?.number == 2)
        #expect(try await document(after, harness)["waiting"]?.array?.map { $0["version"] } == [3])
    }

    /// At 08:00 UTC a day begins in Los Angeles, and two hours later the next one on Kiritimati.
    @Test func `a version comes into force with the day of its institution`() async throws {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        let west = try await program(harness, in: "America/Los_Angeles", from: "2027-01-15", "2027-01-16").id
        let east = try await program(harness, in: "Pacific/Kiritimati", from: "2027-01-15", "2027-01-16").id
        let other = try await program(harness, from: "2027-01-15", "2027-01-16").id
        func inForce() async throws -> [Version?] {
            var numbers: [Version?] = []
            for id in [west, other, east] { numbers.append(try await programs.find(id)?.inForce?.number) }
            return numbers
        }
        #expect(try await programs.turn(on: harness.server) == 0)
        harness.pass(seconds: 2 * 3_600)
        #expect(try await programs.turn(on: harness.server) == 1)
        #expect(try await inForce() == [1, 1, 2])
        #expect(await faults { try await programs.withdraw(2, of: east, by: harness.server) } == [" version_in_force"])
        harness.pass(seconds: 14 * 3_600 + 1_800)
        #expect(try await programs.turn(on: harness.server) == 1)
        #expect(try await inForce() == [1, 2, 2])
        harness.pass(seconds: 7 * 3_600 + 1_800)
        #expect(try await programs.turn(on: harness.server) == 1)
        #expect(try await inForce() == [2, 2, 2])
    }

    @Test func `what is published without a day holds from the institution's today, and waits no longer than it`()
        async throws
    {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        harness.pass(seconds: 16 * 3_600 + 1_800)
        // Half past midnight in UTC, and half past four in the afternoon before in Los Angeles.
        let program = try await harness.program(in: harness.institution(timeZone: "America/Los_Angeles"))
        let published = try await programs.publish(program.id, as: Publication(), by: harness.server)
        #expect(published.effectiveFrom?.description == "2027-01-15")
        _ = try await programs.edit(
            ProgramEdit.form.input(["configuration": ["limit": 9]]), of: program.id, by: harness.server)
        #expect(try await publish(program.id, from: "2027-01-16", harness).inForce?.number == 1)
        #expect(try await programs.withdraw(2, of: program.id, by: harness.server).newest == 1)
    }

    @Test func `a version is withdrawn before its day, and published again under another number`() async throws {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        let id = try await program(harness, from: "2027-01-15", "2099-01-01").id
        let access = try await programs.find(id)?.accessVersion
        let withdrawn = try await programs.withdraw(2, of: id, by: harness.server)
        #expect(withdrawn.newest == 1)
        #expect(withdrawn.effectiveFrom?.description == "2027-01-15")
        #expect(withdrawn.draft.map { String(decoding: $0.configuration, as: UTF8.self) } == #"{"limit":2}"#)
        #expect(try await programs.versions(of: id).map(\.number) == [1])
        #expect(try await harness.store.bulkChanges(of: id).count == 1)
        #expect(withdrawn.accessVersion == (access ?? 0) + 1)
        #expect(try await publish(id, from: "2027-09-01", harness).newest == 3)
    }

    @Test func `a version in the middle is withdrawn, and what is being worked on stays`() async throws {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        let id = try await program(harness, from: "2027-01-15", "2028-01-01", "2029-01-01").id
        _ = try await programs.edit(ProgramEdit.form.input(["configuration": ["limit": 9]]), of: id, by: harness.server)
        let withdrawn = try await programs.withdraw(2, of: id, by: harness.server)
        #expect((withdrawn.newest, withdrawn.inForce?.number) == (3, 1))
        #expect(withdrawn.draft.map { String(decoding: $0.configuration, as: UTF8.self) } == #"{"limit":9}"#)
    }

    @Test func `the only version, before its day, leaves an unpublished program`() async throws {
        let harness = try InstitutionsHarness()
        let id = try await program(harness, from: "2099-01-01").id
        let withdrawn = try await harness.services.programs.withdraw(1, of: id, by: harness.server)
        #expect(withdrawn.newest == nil && withdrawn.inForce == nil && withdrawn.effectiveFrom == nil)
    }

    @Test func `what holds stays, and so does everything on a conflict`() async throws {
        let harness = try InstitutionsHarness()
        let programs = harness.services.programs
        let program = try await program(harness, from: "2027-01-15", "2027-01-16")
        #expect(
            await faults { try await programs.withdraw(1, of: program.id, by: harness.server) } == [" version_in_force"]
        )
        await #expect(throws: StoreError.notFound) {
            try await programs.withdraw(7, of: program.id, by: harness.server)
        }
        let stale = Revision(epoch: program.revision.epoch, version: 1)
        await #expect(throws: StoreError.versionConflict(current: program.revision)) {
            try await programs.withdraw(2, of: program.id, expecting: stale, by: harness.server)
        }
        harness.pass(seconds: 86_400)
        #expect(
            await faults { try await programs.withdraw(2, of: program.id, by: harness.server) } == [" version_in_force"]
        )
        #expect(try await programs.versions(of: program.id).map(\.number) == [2, 1])
    }

    @Test func `nothing begins, and nothing is recorded, when a later version is published in that moment`()
        async throws
    {
        let harness = try InstitutionsHarness()
        let (programs, store) = (harness.services.programs, harness.store)
        let id = try await program(harness, from: "2027-01-10", "2027-01-16").id
        _ = try await programs.edit(ProgramEdit.form.input(["configuration": ["limit": 9]]), of: id, by: harness.server)
        harness.pass(seconds: 86_400)
        // The writer is held up; the publication is behind it, and what was read before it is written behind that.
        let gate = Gate()
        async let holding: Void = store.write { _ in gate.pass() }
        await gate.waitUntilReached()
        async let publishing = publish(id, from: "2027-01-16", harness)
        while store.waitingWrites < 1 { await Task.yield() }
        async let turning = programs.turn(on: harness.server)
        while store.waitingWrites < 2 { await Task.yield() }
        gate.open()
        try await holding
        let published = try await publishing
        #expect(try await turning == 0)
        #expect(try await programs.find(id) == published && published.inForce?.number == 3)
        let trail = try await store.auditItems(AuditQuery(subject: id.text)).map(\.entry.action)
        #expect(trail.first == "program.published" && !trail.contains("version.began"))
    }
}
