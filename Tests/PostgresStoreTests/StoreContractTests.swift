import StoreContract
import Testing

@Suite struct `The PostgreSQL store` {
    /// Laws that this store is not asked to keep, by words of theirs. A database of PostgreSQL is copied and restored by
    /// its own tools; those of a crash and of a full disk need a server of their own, which the tests do not start yet.
    /// Several servers share a database.
    private static let excused = [
        "what was acknowledged is there after a crash", "a backup made during writes",
        "without room changes are refused", "access versions outlive the store's end, a crash",
        "what is told is durable",
        "one copy is made at a time", "one server at a time has a store",
        "a store without room", "a backup is made beside the server", "a store in use, or one whose backup",
        "a class outlives a restart, a crash and a restore", "that the end of their owner has cut off",
    ]

    private static func excuses(_ law: StoreLaw) -> Bool { excused.contains { law.statement.contains($0) } }

    @Test(arguments: StoreLaw.all.filter { !excuses($0) })
    func `keeps the laws of the contract`(law: StoreLaw) async throws {
        try await Turns.ofStores.take {
            let place = try PostgresPlace.new()
            do {
                try await law.check(place)
            } catch {
                Issue.record(error, "\(law)")
            }
            await place.close()
        }
    }

    @Test(arguments: excused)
    func `is excused from laws that exist`(words: String) {
        #expect(StoreLaw.all.contains { $0.statement.contains(words) })
    }
}
