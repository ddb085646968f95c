import SchemeTestKit
import StoreContract
import Testing

@Suite struct `The PostgreSQL store` {
    /// Laws that this store is not asked to keep, by words of theirs, and why.
    private static let excused = [
        "without room changes are refused": "what is deleted gives its room back when the server's vacuum has come by",
        "a store without room": "only root mounts a small disk; PostgreSQLTests/FaultTests.swift fills one",
        "one copy is made at a time": "copies are made by the server's own programs",
        "a backup is made beside the server": "copies are made by the server's own programs",
        "a store in use, or one whose backup": "copies are restored by the server's own programs",
        "one server at a time has a store": "several servers share a database",
    ]

    /// Laws, by words of theirs, of which one kills the server or restores a dump, so that it needs one of its own.
    private static let alone = [
        "what was acknowledged is there after a crash", "a backup made during writes",
        "access versions outlive the store's end, a crash", "what is told is durable",
        "a class outlives a restart, a crash and a restore", "that the end of their owner has cut off",
    ]

    /// Laws, by words of theirs, of what one server tells itself; others hear of it by their log.
    private static let ofOne = ["a change of access is heard of before its call returns"]

    private static func isOne(_ law: StoreLaw, of words: some Sequence<String>) -> Bool {
        words.contains { law.statement.contains($0) }
    }

    private static let usual = StoreLaw.all.filter { !isOne($0, of: excused.keys) && !isOne($0, of: alone) }

    private func check(
        _ law: StoreLaw, _ more: String = "", in turns: Turns = .ofStores, at open: () throws -> any StoreUnderTest
    ) async throws {
        try await turns.take {
            let place = try open()
            do {
                try await law.check(place)
            } catch {
                Issue.record(error, "\(law)\(more)")
            }
            await place.close()
        }
    }

    @Test(arguments: usual)
    func `keeps the laws of the contract`(law: StoreLaw) async throws {
        try await check(law) { try PostgresPlace.new() }
    }

    @Test(arguments: StoreLaw.all.filter { isOne($0, of: alone) })
    func `keeps those that need a server of their own`(law: StoreLaw) async throws {
        try await check(law) { try PostgresPlace.open(.onOwnServer()) }
    }

    /// What is done at once meets several orders; the rest is asked in a long run only.
    @Test(arguments: usual.filter { !isOne($0, of: ofOne) && (Seeds.isLong || isOne($0, of: ["at once"])) })
    func `keeps them where two servers write, by turns and at once`(law: StoreLaw) async throws {
        for seed in Seeds.few(1) {
            try await check(law, ", with the seed \(seed)", in: .ofCrossings) { try CrossedPlace(seed: seed) }
        }
    }

    @Test(arguments: excused.keys.sorted() + alone + ofOne)
    func `knows by these words laws that exist`(words: String) {
        #expect(StoreLaw.all.contains { $0.statement.contains(words) })
    }
}
