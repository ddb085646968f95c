import Records
import Shared

extension StoreLaw {
    static let events: [StoreLaw] = [
        StoreLaw("every version is told once, in the order of the commits, before its caller goes on") { place in
            let store = place.store
            try await store.create("r")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...100 {
                    group.addTask {
                        let version = try await store.count(in: "r").revision.version
                        let isTold = place.events.contains { event in
                            if case .changed(let snapshot, _) = event { snapshot.fullVersion == version } else { false }
                        }
                        try expect(isTold, "version \(version) was told before its caller went on")
                    }
                }
                try await group.waitForAll()
            }
            let told = place.events.map { event in
                if case .changed(let snapshot, _) = event { snapshot.fullVersion } else { 0 }
            }
            try expect(told, is: Array(1...101), "the versions told")
        },
        StoreLaw("an event carries what is stored, and says whether the student's view changed") { place in
            let store = place.store
            try await store.create("r", "a")
            try await store.put("b", released: "a", in: "r")
            try await store.put("c", released: "c", in: "r")
            let told = place.events.compactMap { event -> (RecordSnapshot, Bool)? in
                if case .changed(let snapshot, let released) = event { (snapshot, released) } else { nil }
            }
            try expect(told.map(\.1), is: [true, false, true], "whether the released view changed")
            try expect(told.last?.0, is: try await store.found("r"), "the last snapshot told")
        },
        StoreLaw("a deletion is told; what is refused is not") { place in
            let store = place.store
            try await store.create("r")
            _ = try? await store.put("b", in: "missing")
            try? await store.delete(RecordID("missing"), by: store.context())
            try await store.delete(RecordID("r"), by: store.context())
            let events = place.events
            try expect(events.count, is: 2, "the number of events")
            guard case .deleted(let head)? = events.last else { throw Violation(description: "no deletion was told") }
            try expect(head, is: Sample.head("r"), "the head told")
        },
        StoreLaw("what is told is durable") { place in
            let store = place.store
            for number in 1...20 { try await store.create("r\(number)") }
            let told = place.events.count
            let after = try await place.afterCrash()
            let found = try await after.store.records(student: nil, program: nil, after: nil, limit: 99)
            try expect(found.count >= told, "\(found.count) records are there of \(told) told")
            await after.close()
        },
    ]
}
