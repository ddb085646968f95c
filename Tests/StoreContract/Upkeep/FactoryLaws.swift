import DataStore
import GradingKit
import Records
import Shared

extension StoreLaw {
    private static func open(_ factory: any DataStoreFactory) throws -> DataStore {
        try factory.open(mayBeGuest: false, observer: { _ in }, gathering: { $0() })
    }

    static let factories: [StoreLaw] = [
        StoreLaw("a store is made when it is opened, and is there from then on") { place in
            let factory = place.otherPlace("other")
            try expect(factory.exists, is: false, "before")
            try expect(factory.isServed, is: false, "whether it is served before")
            let store = try open(factory)
            try expect(factory.exists, is: true, "when it is open")
            try expect(factory.isServed, is: true, "whether it is served then")
            let epoch = store.epoch
            await store.close()
            try expect(factory.isServed, is: false, "whether it is served when it is closed")
            let again = try open(factory)
            try expect(again.epoch, is: epoch, "its epoch when it is opened again")
            await again.close()
            try expect(!factory.place.isEmpty, "its place has a name")
        },
        StoreLaw("one server at a time has a store") { place in
            do {
                try await open(place.factory).close()
                throw Violation(description: "a second server opened it")
            } catch StoreError.unavailable {}
            try await place.store.create("r")
        },
        StoreLaw("a backup is made beside the server, and replaces nothing unless it may") { place in
            let backup = place.backupPlace("first")
            try await place.store.create("r")
            try place.factory.backUp(to: backup, replaces: false) { _, _ in }
            try await place.store.create("s")
            do {
                try place.factory.backUp(to: backup, replaces: false) { _, _ in }
                throw Violation(description: "it replaced what was there")
            } catch StoreError.unavailable {}
            let other = place.otherPlace("other")
            try other.restore(from: backup) { _, _ in }
            let restored = try open(other)
            try expect(restored.epoch != place.epoch, "the restored store has another epoch")
            try expect(try await restored.records.head(of: RecordID("r")) != nil, "what was there is there")
            try expect(try await restored.records.head(of: RecordID("s")), is: nil, "what came later")
            await restored.close()
            try place.factory.backUp(to: backup, replaces: true) { _, _ in }
            try other.restore(from: backup) { _, _ in }
            let second = try open(other)
            try expect(try await second.records.head(of: RecordID("s")) != nil, "what came before the second one")
            await second.close()
        },
        StoreLaw("a store in use, or one whose backup cannot be read, stays as it is") { place in
            let backup = place.backupPlace("first")
            try await place.store.create("r")
            try place.factory.backUp(to: backup, replaces: false) { _, _ in }
            try await place.store.put("b", in: "r")
            do {
                try place.factory.restore(from: backup) { _, _ in }
                throw Violation(description: "a store in use was replaced")
            } catch StoreError.unavailable {}
            let other = place.otherPlace("other")
            try await open(other).close()
            do {
                try other.restore(from: place.backupPlace("none")) { _, _ in }
                throw Violation(description: "a backup that is not there was restored")
            } catch is StoreError {}
            try expect(other.exists, is: true, "the store is there")
            try expect(try await place.store.found("r").fullVersion, is: 2, "the record of the store in use")
        },
        StoreLaw("an examination goes through every record's trail, while the store is used") { place in
            for id in ["a", "b"] { try await place.store.create(id) }
            try await place.store.put("b", in: "a")
            try await place.data.audit.append(Sample.entry("x", of: "s"))
            let diagnosis = try place.factory.examine()
            try expect(diagnosis.isSound, "it is sound")
            try expect(diagnosis.records, is: 2, "the records")
            try expect(diagnosis.lines, is: 4, "the lines")
        },
    ]

    private static func create(_ id: String, by build: SchemeExecutable?, _ place: any StoreUnderTest) async throws {
        let plain = Sample.amendment(id)
        let amendment = Amendment(
            programVersion: 1, executable: build, full: plain.full, released: nil, change: plain.change,
            releasedChange: nil, answer: plain.answer)
        _ = try await place.store.create(
            Sample.head(id), as: amendment, by: place.store.context(access: try await place.store.access()))
    }

    static let builds: [StoreLaw] = [
        StoreLaw("a census tells which builds computed records, and what they computed") { place in
            let (old, new) = (SchemeExecutable(text: "d1 1"), SchemeExecutable(text: "d2 2"))
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.publish(Sample.version(1))
            for (id, build) in [("a", old), ("b", old), ("c", new), ("d", nil)] {
                try await create(id, by: build, place)
            }
            guard let census = try place.factory.builds() else {
                throw Violation(description: "the store knows nothing of executables")
            }
            try expect(
                try census.tallies(),
                is: [
                    BuildTally(scheme: "chalkboard", executable: old, records: 2),
                    BuildTally(scheme: "chalkboard", executable: new, records: 1),
                ], "the tallies")
            let program = ProgramID("program")
            let unknown = try census.staleVersions(of: "chalkboard", besides: new)
            try expect(unknown.map(\.shape), is: [nil], "the shape of a version before it is known")
            for shape in [UInt8(1), 2] { try await place.data.browser.keep(shape: [shape], of: program, 1) }
            let stale = try census.staleVersions(of: "chalkboard", besides: new)
            try expect(stale.map(\.version), is: [1], "the versions")
            try expect(stale.map(\.program), is: [program], "their programs")
            try expect(stale.map(\.configuration), is: [Array("{}".utf8)], "their configurations")
            try expect(stale.map(\.shape), is: [[2]], "their shapes, as kept last")
            try expect(try census.staleVersions(of: "other", besides: new).count, is: 0, "another scheme's")
            var visited: [String] = []
            for version in stale {
                try census.forEachRecord(of: version, besides: new) { visited.append($0.record.text) }
            }
            try expect(visited, is: ["a", "b", "d"], "the records visited")
        }
    ]
}
