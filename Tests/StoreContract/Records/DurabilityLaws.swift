import Records
import Shared

extension StoreLaw {
    static let durability: [StoreLaw] = [
        StoreLaw("everything is there again after closing in good order") { place in
            try await place.store.create("r", "a")
            try await place.store.put("b", released: "a", in: "r")
            let before = try await place.store.found("r")
            let reopened = try await place.reopened()
            try expect(try await reopened.store.found("r"), is: before, "the record")
            try expect(reopened.epoch, is: place.epoch, "the epoch")
            try expect(try await reopened.faults(), is: [], "what is wrong with the trails")
            await reopened.close()
        },
        StoreLaw("what was acknowledged is there after a crash, with its trail") { place in
            let store = place.store
            for number in 0..<8 { try await store.create("r\(number)") }
            let writers = Task {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            while !Task.isCancelled { _ = try? await store.count(in: "r\(number)") }
                        }
                    }
                }
            }
            for _ in 1...3 {
                while try await store.found("r0").fullVersion % 20 != 0 { await Task.yield() }
                let acknowledged = try await store.versions(of: (0..<8).map { RecordID("r\($0)") }).items
                let after = try await place.afterCrash()
                let found = try await after.store.versions(of: (0..<8).map { RecordID("r\($0)") }).items
                let lost = zip(acknowledged, found).filter { $0.full > $1.full }
                try expect(lost.count, is: 0, "how many records went back")
                try expect(try await after.faults(), is: [], "what is wrong with the trails")
                await after.close()
                try await store.count(in: "r0")
            }
            writers.cancel()
            await writers.value
        },
        StoreLaw("a backup made during writes is of one moment, and its restoring begins a new epoch") { place in
            let store = place.store
            for number in 0..<4 { try await store.create("r\(number)") }
            let writers = Task {
                while !Task.isCancelled {
                    for number in 0..<4 { _ = try? await store.count(in: "r\(number)") }
                }
            }
            let restored = try await place.restored()
            writers.cancel()
            await writers.value
            try expect(restored.epoch != place.epoch, "the epoch is another one")
            try expect(try await restored.faults(), is: [], "what is wrong with the trails")
            let told = try await restored.store.versions(of: (0..<4).map { RecordID("r\($0)") })
            try expect(told.epoch, is: restored.epoch, "the epoch that is told with the versions")
            let versions = told.items.map(\.full)
            let spread = (versions.max() ?? 9) - (versions.min() ?? 0)
            try expect(versions.count == 4 && spread <= 1, "the versions \(versions) stood there at one moment")
            let before = Revision(epoch: place.epoch, version: versions[0])
            try await expect(.versionConflict(current: Revision(epoch: restored.epoch, version: versions[0])), "old") {
                try await restored.store.put("x", in: "r0", expected: before)
            }
            await restored.close()
        },
        StoreLaw("without room changes are refused with full, nothing is lost, and room makes it go on") { place in
            let small = try await place.small()
            let store = small.store
            let page = String(repeating: "x", count: 4_000)
            var made = 0
            do {
                while made < 1_000 {
                    try await store.create("r\(made)", page)
                    made += 1
                }
            } catch StoreError.full {}
            try expect((10..<1_000).contains(made), "\(made) records found room")
            try expect(small.events.count, is: made, "the number of events")
            let found = try await store.records(student: nil, program: nil, after: nil, limit: 2_000)
            try expect(found.count, is: made, "the number of records")
            for number in 0..<made / 2 { try await store.delete(RecordID("r\(number)"), by: store.context()) }
            try await store.create("again", page)
            try expect(try await small.faults(), is: [], "what is wrong with the trails")
            let reopened = try await small.reopened()
            try expect(try await reopened.store.head(of: RecordID("again"))?.id, is: RecordID("again"), "the last one")
            await reopened.close()
        },
    ]
}
