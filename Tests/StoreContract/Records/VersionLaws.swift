import Records
import Shared

extension StoreLaw {
    static let versions: [StoreLaw] = [
        StoreLaw("a new record is version 1 of both views, and is found as it was stored") { place in
            let store = place.store
            let outcome = try await store.create("r", "a")
            try expect(outcome.revision, is: Revision(epoch: place.epoch, version: 1), "the answer's revision")
            try expect(outcome.answer.body, is: Array("\(place.epoch).1 a".utf8), "the answer")
            let snapshot = try await store.found("r")
            try expect(snapshot.head, is: Sample.head("r"), "the head")
            try expect(try await store.head(of: RecordID("r")), is: Sample.head("r"), "the head alone")
            try expect(snapshot.revision(.full), is: outcome.revision, "the full view")
            try expect(snapshot.revision(.released), is: outcome.revision, "the released view")
            try expect(snapshot.full, is: Sample.content("a"), "the documents")
            try expect(snapshot.released == nil, "the released documents are the same and not kept twice")
        },
        StoreLaw("an identifier is used once, also after its record was deleted") { place in
            let store = place.store
            try await store.create("r")
            try await expect(.taken(field: "id"), "a second record") { try await store.create("r") }
            try await store.delete(RecordID("r"), by: store.context())
            try await expect(.taken(field: "id"), "a record after it") { try await store.create("r") }
        },
        StoreLaw("versions rise by one, whoever writes at once, and every change sees the one before it") { place in
            let store = place.store
            try await store.create("r")
            let versions = try await withThrowingTaskGroup(of: Version.self) { group in
                for _ in 1...200 { group.addTask { try await store.count(in: "r").revision.version } }
                return try await group.reduce(into: [Version]()) { $0.append($1) }
            }
            try expect(versions.sorted(), is: Array(2...201), "the versions answered")
            let snapshot = try await store.found("r")
            try expect(snapshot.full, is: Sample.content("200"), "the sum of all changes")
            try expect(snapshot.fullVersion, is: 201, "the version")
        },
        StoreLaw("a hidden change leaves the student's view, version and history untouched") { place in
            let store = place.store
            try await store.create("r", "a")
            let staff = try await store.put("b", released: "a", in: "r", by: Sample.teacher)
            try expect(staff.revision.version, is: 2, "the full version")
            let hidden = try await store.found("r")
            try expect(hidden.releasedVersion, is: 1, "the released version")
            try expect(hidden.content(.released), is: Sample.content("a"), "what the student sees")
            try expect(hidden.content(.full), is: Sample.content("b"), "what staff see")
            let release = try await store.put("b", in: "r", view: .released, by: Sample.teacher)
            try expect(release.revision.version, is: 2, "the released version after the release")
            let shown = try await store.found("r")
            try expect([shown.fullVersion, shown.releasedVersion], is: [3, 2], "both versions")
            try expect(shown.released == nil, "the views are one again")
            let items = try await store.history(of: RecordID("r"), view: .released, before: nil, limit: 9)
            try expect(items.map(\.version), is: [2, 1], "the student's history")
        },
        StoreLaw("a change that alters nothing makes no version") { place in
            let store = place.store
            try await store.create("r", "a")
            let outcome = try await store.put("a", released: "a", in: "r")
            try expect(outcome.revision.version, is: 1, "the version answered")
            try expect(try await store.found("r").fullVersion, is: 1, "the version")
            let items = try await store.history(of: RecordID("r"), view: .full, before: nil, limit: 9)
            try expect(items.count, is: 1, "the history's length")
            try expect(place.events.count, is: 1, "the number of events")
        },
        StoreLaw("a record's outline is the record without its documents") { place in
            let store = place.store
            try await store.create("r")
            try await store.put("1", released: "0", in: "r")
            let record = try await store.found("r")
            try expect(try await store.outline(of: RecordID("r")), is: record.outline, "the outline")
            try expect(record.outline.revision(.full).version, is: 2, "the full view's version")
            try expect(record.outline.revision(.released).version, is: 1, "the student's version")
            try await store.delete(RecordID("r"), by: store.context())
            try expect(try await store.outline(of: RecordID("r")), is: nil, "what is gone")
        },
        StoreLaw("the versions of many records are found at once, and what is gone is absent") { place in
            let store = place.store
            for id in ["a", "b", "c"] { try await store.create(id) }
            try await store.put("1", released: "0", in: "b")
            try await store.delete(RecordID("c"), by: store.context())
            let found = try await store.versions(of: ["b", "x", "c", "a"].map { RecordID($0) }).items
            try expect(found.map(\.record.text), is: ["b", "a"], "the records")
            try expect(found.map(\.full), is: [2, 1], "the full versions")
            try expect(found.map(\.released), is: [1, 1], "the released versions")
        },
        StoreLaw("records are listed by student and program, oldest first, in pages") { place in
            let store = place.store
            for id in ["a", "b", "c", "d"] {
                let student = id == "c" ? Sample.teacher : Sample.student
                let head = Sample.head(id, program: id == "d" ? "other" : "program", student: student)
                _ = try await store.create(head, as: Sample.amendment("0"), by: store.context())
            }
            func list(_ student: AccountID?, _ program: String?, after: String? = nil, limit: Int = 9) async throws
                -> String
            {
                let found = try await store.records(
                    student: student, program: program.map { ProgramID($0) }, after: after.map { RecordID($0) },
                    limit: limit)
                return found.map(\.head.id.text).joined()
            }
            try expect(try await list(Sample.student, nil), is: "abd", "the student's")
            try expect(try await list(nil, "program"), is: "abc", "the program's")
            try expect(try await list(Sample.student, "program"), is: "ab", "the student's in the program")
            try expect(try await list(nil, nil), is: "abcd", "all")
            try expect(try await list(nil, nil, after: "a", limit: 2), is: "bc", "a page")
        },
    ]
}
