import DataStore
import People
import Records
import Shared

extension StoreUnderTest {
    /// Projects one slice.
    fileprivate func step() async throws {
        let slice = try await data.people.feedSlice(limit: 99)
        let (events, met) = slice.projected()
        try await data.people.store(events, met: met, notifying: [], from: slice.from, to: slice.to)
    }

    /// The events of the sample's student, the earliest first.
    fileprivate func stored() async throws -> [FeedEvent] {
        let sources = [FeedSource(.account(Sample.student))]
        return try await data.people.feedEvents(from: sources, before: nil, limit: 99).reversed()
    }

    /// Changes a record some milliseconds after the sample's moment.
    fileprivate func change(_ record: String, after milliseconds: Int64, released: String? = nil) async throws {
        let moment = Timestamp(microseconds: Sample.now.microseconds + milliseconds * 1_000)
        try await store.put("\(milliseconds)", released: released, in: record, at: moment)
    }
}

extension StoreLaw {
    static let feedBursts: [StoreLaw] = [
        StoreLaw("changes of a record within a second are one event, which tells how many they were") { place in
            try await place.make("student")
            try await place.step()
            for id in ["r", "s"] { try await place.store.create(id) }
            for moment in [100, 200, 300, 1_100] as [Int64] {
                for id in ["r", "s"] { try await place.change(id, after: moment) }
            }
            try await place.step()
            let found = try await place.stored().filter { $0.object == "r" }
            try expect(found.map(\.count), is: [1, 3, 1], "the numbers of changes")
            try expect(found.map(\.version), is: [1, 4, 5], "the last versions")
            try expect(found[1].former, is: found[0].change, "what was before the burst")
            try expect(found[2].former, is: found[1].change, "what was before the next")
            try expect(found[1].at.microseconds - Sample.now.microseconds, is: 300_000, "the moment")
        },
        StoreLaw("a change is in one event, wherever the projector begins again") { place in
            try await place.make("student")
            try await place.step()
            let people = place.data.people
            try await place.store.create("r")
            for moment in [100, 200] as [Int64] { try await place.change("r", after: moment) }
            let early = try await people.feedSlice(limit: 99)
            for moment in [300, 400] as [Int64] { try await place.change("r", after: moment) }
            // What is held in memory comes in two slices. One without a gap comes from the database.
            try await place.store.create("x")
            try await place.store.delete(RecordID("x"), by: place.store.context(access: place.store.access()))
            let late = try await people.feedSlice(limit: 99)
            try expect(late.records.filter { $0.record == RecordID("r") }.count, is: 5, "changes of the record")
            let events = early.projected().events
            try await people.store(events, met: [:], notifying: [], from: early.from, to: early.from)
            for _ in 0..<2 {
                let events = late.projected().events
                try await people.store(events, met: [:], notifying: [], from: early.from, to: early.from)
            }
            let found = try await place.stored().filter { $0.object == "r" }
            try expect(found.map(\.count), is: [1, 2, 2], "the numbers of changes")
            try expect(found[2].former, is: found[1].change, "what was before the second event")
        },
        StoreLaw("what a store holds of changes in memory is what its database says") { place in
            try await place.make("student")
            try await place.store.create("old", "0")
            try await place.change("old", after: 50)
            try await place.step()
            try await place.change("old", after: 100, released: "50")
            for id in ["r", "s"] { try await place.store.create(id) }
            try await place.store.create("nobody's", student: nil)
            for moment in [100, 200] as [Int64] {
                for id in ["r", "s", "old", "nobody's"] {
                    try await place.change(id, after: moment, released: moment == 100 && id != "s" ? "0" : nil)
                }
            }
            let held = try await place.data.people.feedSlice(limit: 99)
            // The deletion of a record has the store read all again.
            try await place.store.create("x")
            try await place.store.delete(RecordID("x"), by: place.store.context(access: place.store.access()))
            let read = try await place.data.people.feedSlice(limit: 99)
            try expect(held.records.count, is: 7, "the changes that the student can see")
            try expect(read.records, is: held.records, "the changes")
            try expect(Set(read.standings.keys), is: Set(held.standings.keys), "whose standings")
            for (record, found) in held.standings {
                try expect(found.standing, is: read.standings[record]?.standing, "the standing of \(record)")
            }
        },
    ]
}
