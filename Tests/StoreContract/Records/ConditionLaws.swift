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
        StoreLaw("a permit is void after a change of what it rests on, and nothing is stored under it") { place in
            let store = place.store
            try await store.create("r", "a")
            for subject in Sample.grounds {
                let context = store.context(by: Sample.teacher)
                try await place.raiseAccess(voiding: subject)
                try expect(store.accessVersion, is: context.accessVersion + 1, "the access version")
                // What comes after it does not hide it.
                try await place.raiseAccess(voiding: nil)
                try await expect(.moved, "a change after one of \(subject)") {
                    _ = try await store.amend(RecordID("r"), by: context) { _ in Sample.amendment("b") }
                }
                try await expect(.moved, "a deletion") { try await store.delete(RecordID("r"), by: context) }
                try await expect(.moved, "a new record") {
                    _ = try await store.create(Sample.head("s"), as: Sample.amendment("b"), by: context)
                }
            }
            try expect(try await store.found("r").full, is: Sample.content("a"), "the content")
            try await store.put("b", in: "r")
        },
        StoreLaw("a new record rests on its student too") { place in
            let store = place.store
            let context = store.context(by: Sample.teacher)
            try await place.raiseAccess(voiding: .account(Sample.student))
            try await expect(.moved, "a new record") {
                _ = try await store.create(Sample.head("s"), as: Sample.amendment("b"), by: context)
            }
        },
        StoreLaw("a permit is good whatever else changes, and however often") { place in
            let store = place.store
            let context = store.context(by: Sample.teacher)
            let others: [AccessSubject?] = [
                nil, .account(AccountID("other")), .program(ProgramID("other")), .institution(InstitutionID("other")),
            ]
            for number in 0..<100 { try await place.raiseAccess(voiding: others[number % others.count]) }
            _ = try await store.create(Sample.head("r"), as: Sample.amendment("a"), by: context)
            _ = try await store.amend(RecordID("r"), by: context) { _ in Sample.amendment("b") }
            try await store.delete(RecordID("r"), by: context)
        },
        StoreLaw("a change of access that is refused voids nothing") { place in
            let store = place.store
            try await store.create("r", "a")
            let context = store.context()
            let before = store.accessVersion
            try await place.failToRaiseAccess(voiding: .account(Sample.student))
            try expect(store.accessVersion, is: before, "the access version")
            _ = try await store.amend(RecordID("r"), by: context) { _ in Sample.amendment("b") }
            // The version that was taken back is given to another change, which has to be told from it.
            let later = store.context()
            try await place.raiseAccess(voiding: .program(ProgramID("program")))
            try await expect(.moved, "a change") {
                _ = try await store.amend(RecordID("r"), by: later) { _ in Sample.amendment("c") }
            }
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
            let versions = try await place.store.versions(of: ["a", "b", "c"].map { RecordID($0) })
            try expect(versions.map(\.full), is: [2, 1, 2], "the versions")
            try expect(place.events.count, is: 5, "the number of events")
        },
    ]
}
