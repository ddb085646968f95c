import Records
import Shared

extension StoreLaw {
    static let history: [StoreLaw] = [
        StoreLaw("history has one item a version, newest first, in pages without gaps") { place in
            let store = place.store
            try await store.create("r")
            for number in 1...9 { try await store.put("\(number)", in: "r") }
            var versions: [Version] = []
            var before: Version?
            while true {
                let page = try await store.history(of: RecordID("r"), view: .full, before: before, limit: 4)
                guard let last = page.last else { break }
                versions += page.map(\.version)
                before = last.version
            }
            try expect(versions, is: Array((1...10).reversed()), "the versions")
        },
        StoreLaw("an item says who, when and what") { place in
            let store = place.store
            try await store.create("r")
            let later = Sample.now.adding(seconds: 5)
            try await store.put("a", in: "r", at: later)
            let items = try await store.history(of: RecordID("r"), view: .full, before: nil, limit: 1)
            try expect(items.map(\.at), is: [later], "the moment")
            try expect(items.map(\.change), is: [Sample.description("patch", reason: "a")], "the change")
        },
        StoreLaw("the released view has its own words, or the same ones") { place in
            let store = place.store
            try await store.create("r", "a")
            _ = try await store.amend(RecordID("r"), by: store.context()) { _ in
                Sample.amendment("b", released: "c", operation: "patch", releasedOperation: "release")
            }
            _ = try await store.amend(RecordID("r"), by: store.context()) { _ in
                Sample.amendment("d", released: "c", operation: "secret", releasedOperation: "secret")
            }
            func operations(_ view: RecordView) async throws -> [String] {
                let items = try await store.history(of: RecordID("r"), view: view, before: nil, limit: 9)
                return items.map { "\($0.version) \($0.change.operation)" }
            }
            try expect(try await operations(.full), is: ["3 secret", "2 patch", "1 create"], "what staff see")
            try expect(try await operations(.released), is: ["2 release", "1 create"], "what the student sees")
        },
    ]
}
