import Records
import Shared

extension StoreLaw {
    static let conditions: [StoreLaw] = [
        StoreLaw("a change is refused when another version than the current one was expected") { place in
            let store = place.store
            let first = try await store.create("r", "a").revision
            let second = try await store.put("b", in: "r", expected: first).revision
            try await expect(.versionConflict(current: second), "a stale version") {
                try await store.put("c", in: "r", expected: first)
            }
            let foreign = Revision(epoch: Epoch("other"), version: second.version)
            try await expect(.versionConflict(current: second), "another epoch") {
                try await store.put("c", in: "r", expected: foreign)
            }
            let future = Revision(epoch: second.epoch, version: second.version + 1)
            try await expect(.versionConflict(current: second), "a version to come") {
                try await store.put("c", in: "r", expected: future)
            }
            try await expect(.versionConflict(current: second), "a stale deletion") {
                try await store.delete(RecordID("r"), by: store.context(expected: first))
            }
            try expect(try await store.found("r").full, is: Sample.content("b"), "the content")
        },
        StoreLaw("the version expected is the one of the caller's view") { place in
            let store = place.store
            let first = try await store.create("r", "a").revision
            let staff = try await store.put("b", released: "a", in: "r").revision
            try await expect(.versionConflict(current: first), "the full version in the released view") {
                try await store.put("c", in: "r", view: .released, expected: staff)
            }
            try await store.put("c", released: "d", in: "r", view: .released, expected: first)
            try expect(try await store.found("r").releasedVersion, is: 2, "the released version")
        },
        StoreLaw("of many changes that expect the same version, one is made") { place in
            let store = place.store
            let first = try await store.create("r").revision
            let made = await withTaskGroup(of: Int.self) { group in
                for number in 1...50 {
                    group.addTask {
                        (try? await store.put("\(number)", in: "r", expected: first)) == nil ? 0 : 1
                    }
                }
                return await group.reduce(0, +)
            }
            try expect(made, is: 1, "the number of changes made")
            try expect(try await store.found("r").fullVersion, is: 2, "the version")
        },
        StoreLaw("a deleted record is gone for every call") { place in
            let store = place.store
            try await store.create("r")
            try await store.delete(RecordID("r"), by: store.context())
            try expect(try await store.snapshot(of: RecordID("r")), is: nil, "the record")
            try expect(try await store.head(of: RecordID("r")), is: nil, "its head")
            let items = try await store.history(of: RecordID("r"), view: .full, before: nil, limit: 9)
            try expect(items.count, is: 0, "the history's length")
            try await expect(.notFound, "a change") { try await store.put("b", in: "r") }
            try await expect(.notFound, "a second deletion") {
                try await store.delete(RecordID("r"), by: store.context())
            }
            try expect(try await place.faults(), is: [], "what is wrong with the trails")
        },
        StoreLaw("a refused change fails alone; its neighbours in the batch are made") { place in
            struct Refusal: Error {}
            for id in ["a", "b", "c"] { try await place.store.create(id) }
            let ends = await place.inOneBatch([
                { try await $0.put("1", in: "a") },
                { store in
                    _ = try await store.amend(RecordID("b"), by: store.context()) { _ in throw Refusal() }
                },
                { try await $0.put("1", in: "missing") },
                { try await $0.put("1", in: "c") },
            ])
            try expect(ends.map { $0 == nil }, is: [true, false, false, true], "which were made")
            try expect(ends[1] is Refusal, "the refusal reaches its caller as it is")
            let versions = try await place.store.versions(of: ["a", "b", "c"].map { RecordID($0) }).items
            try expect(versions.map(\.full), is: [2, 1, 2], "the versions")
            try expect(place.events.count, is: 5, "the number of events")
        },
    ]
}
