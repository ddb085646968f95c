import DataStore
import Records
import Shared

extension StoreLaw {
    private static func entry(
        _ id: String, key: String? = nil, digest: [UInt8] = [1], at moment: Timestamp = Sample.now
    ) -> ImportEntry {
        ImportEntry(
            id: id, program: ProgramID("program"), account: Sample.teacher, startedAt: moment,
            key: key.map { IdempotencyKey(key: $0, digest: digest) }, total: 40)
    }

    static let imports: [StoreLaw] = [
        StoreLaw("an import is remembered as far as it is") { place in
            let imports = place.data.imports
            var begun = entry("1")
            try expect(try await imports.begin(begun), is: .begun(begun), "what becomes of it")
            (begun.done, begun.accepted, begun.refused, begun.state) = (40, 30, 10, .done)
            begun.rows = Array("[1]".utf8)
            try await imports.update(begun)
            try expect(try await imports.entry("1"), is: begun, "the import")
            try expect(try await imports.entry("2"), is: nil, "another one")
        },
        StoreLaw("a key stands for one import, however often it is sent at once") { place in
            let imports = place.data.imports
            let admissions = try await withThrowingTaskGroup(of: ImportAdmission.self) { group in
                for number in 0..<10 { group.addTask { try await imports.begin(entry("\(number)", key: "k")) } }
                return try await group.reduce(into: [ImportAdmission]()) { $0.append($1) }
            }
            let begun = admissions.filter { if case .begun = $0 { true } else { false } }
            try expect(begun.count, is: 1, "how many were begun")
            try await expect(.idempotencyMismatch, "another request") {
                try await imports.begin(entry("x", key: "k", digest: [2]))
            }
        },
        StoreLaw("an import that failed is begun again under its own name, within a day") { place in
            let imports = place.data.imports
            var first = entry("1", key: "k")
            _ = try await imports.begin(first)
            (first.done, first.state) = (32, .failed)
            try await imports.update(first)
            try expect(
                try await imports.begin(entry("2", key: "k")), is: .begun(first.begunAgain()), "what becomes of it")
            first = first.begunAgain()
            try expect(try await imports.begin(entry("3", key: "k")), is: .known(first), "what is sent once more")
            let late = entry("4", key: "k", digest: [2], at: Sample.now.adding(seconds: IdempotencyKey.lifetime))
            try expect(try await imports.begin(late), is: .begun(late), "what is sent a day later")
        },
        StoreLaw("so many imports are remembered, the newest") { place in
            let imports = place.data.imports
            for number in 0...ImportPlans.kept { _ = try await imports.begin(entry("\(10_000 + number)")) }
            try expect(try await imports.entry("10000"), is: nil, "the oldest")
            try expect(try await imports.entry("10001") != nil, "the next one is there")
        },
        StoreLaw("what the end of a server cut off has failed") { place in
            let begun = entry("1")
            _ = try await place.data.imports.begin(begun)
            let rehearsal = Sample.rehearsal("1")
            try await place.data.rehearsals.begin(rehearsal)
            let reopened = try await place.reopened()
            try expect(try await reopened.data.imports.entry("1")?.state, is: .failed, "the import")
            try expect(try await reopened.data.rehearsals.rehearsal("1")?.state, is: .failed, "the rehearsal")
            await reopened.close()
        },
    ]
}
