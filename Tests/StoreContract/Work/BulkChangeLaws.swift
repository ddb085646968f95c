import Classes
import DataStore
import GradingKit
import Records
import Shared
import TimeZones

extension StoreLaw {
    private static func job(
        _ id: String, of program: String = "program", in institution: String = "school", due day: Int = 10,
        at seconds: Int64 = 0
    ) -> BulkChangeJob {
        BulkChangeJob(
            id: id, institution: InstitutionID(institution), program: ProgramID(program),
            work: .release(path: ["Term", "Quiz"]), account: Sample.teacher, source: "127.0.0.1",
            orderedAt: Sample.now.adding(seconds: seconds), dueOn: CalendarDay(days: day))
    }

    private static func order(
        _ job: BulkChangeJob, keeping kept: KeptAnswer? = nil, _ place: any StoreUnderTest
    ) async throws -> BulkChangeJob {
        try await place.data.bulkChanges.insert(
            job, audit: Sample.entry("records.released", of: "program", in: "school"), keeping: { _ in kept })
    }

    static let bulkChanges: [StoreLaw] = [
        StoreLaw("a bulk change knows how many records it looks at, and is what was ordered") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            for id in ["a", "b", "c"] { try await place.store.create(id) }
            var wanted = job("1")
            wanted.progress.total = 3
            try expect(try await order(job("1"), place), is: wanted, "what is answered")
            let found = try await place.data.bulkChanges.bulkChanges(of: ProgramID("program"))
            try expect(found, is: [wanted], "what is stored")
        },
        StoreLaw("of two bulk changes under a key at once, one is ordered") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            let ends = await atOnce(5) { _ = try await order(job("\($0)"), keeping: Sample.kept("k"), place) }
            try expect(ends.made, is: 1, "how many were ordered")
            try expect(ends.errors.allSatisfy { $0 == .taken(field: "key") }, "the refusals")
            let found = try await place.data.bulkChanges.bulkChanges(of: ProgramID("program"))
            try expect(found.count, is: 1, "how many there are")
        },
        StoreLaw("a bulk change is due with the day of its institution") { place in
            // At the moment of the sample a day begins in Los Angeles, and two hours later the next one on Kiritimati.
            let zones = [("west", "America/Los_Angeles"), ("school", "UTC"), ("east", "Pacific/Kiritimati")]
            let today = Sample.now.day.days
            for (id, zone) in zones {
                guard let zone = TimeZone(zone) else { throw Violation(description: "no time zone \(zone)") }
                try await place.makeInstitution(id, timeZone: zone)
                try await place.makeProgram(id, in: id)
                for day in [today, today + 1] {
                    _ = try await order(job("\(id) \(day - today)", of: id, in: id, due: day), place)
                }
            }
            func claimed(at seconds: Int64) async throws -> Set<String> {
                var found: Set<String> = []
                let now = Sample.now.adding(seconds: seconds)
                while let lease = try await place.data.imports.claim(
                    .bulkChanges, by: Sample.claim("\(seconds) \(found.count)", at: now))
                {
                    found.insert(lease.work)
                    var progress = BulkChangeProgress()
                    progress.finishedAt = now
                    try await place.data.bulkChanges.advance(to: progress, under: lease)
                }
                return found
            }
            try expect(try await claimed(at: -1), is: ["school 0", "east 0"], "a second before")
            try expect(try await claimed(at: 0), is: ["west 0"], "when the day begins in the west")
            try expect(try await claimed(at: 7_199), is: [], "when no other day begins")
            try expect(try await claimed(at: 7_200), is: ["east 1"], "when the next day begins in the east")
            try expect(try await claimed(at: 57_600), is: ["school 1"], "when it begins in UTC")
        },
        StoreLaw("what is open and due is claimed, the oldest first, where it was left") { place in
            let jobs = place.data.bulkChanges
            try await place.makeInstitution()
            try await place.makeProgram()
            let today = Sample.now.day.days
            for (id, day, seconds) in [("later", 1, 0), ("second", 0, 5), ("first", 0, 1), ("done", -1, 0)] {
                _ = try await order(job(id, due: today + day, at: Int64(seconds)), place)
            }
            try expect(try await jobs.openWork(of: .bulkChanges, at: Sample.now).count, is: 3, "what is open and due")
            var progress = BulkChangeProgress()
            progress.finishedAt = Sample.now
            let done = try await place.claimed(.bulkChanges)
            try expect(done.work, is: "done", "the oldest")
            try await jobs.advance(to: progress, under: done)
            let first = try await place.claimed(.bulkChanges)
            try expect(first.work, is: "first", "what is due next")
            progress.finishedAt = nil
            (progress.cursor, progress.done, progress.changed) = (RecordID("r"), 7, 5)
            for record in ["a", "b"] { progress.refuse(RecordID(record), because: .classClosed) }
            progress.refuse(RecordID("c"), because: .wrongKind)
            try await jobs.advance(to: progress, under: first)
            try expect(try await jobs.bulkChange("first")?.progress, is: progress, "how far it is")
            try expect(try await place.claimed(.bulkChanges).work, is: "second", "the last that is due")
            try expect(
                try await jobs.claim(.bulkChanges, by: Sample.claim("x")), is: nil, "what waits for its day")
        },
    ]
}
