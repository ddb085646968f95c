import DataStore
import Records
import Database
import SQLite
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct `The examination of a store` {
    let directory: TemporaryDirectory
    var path: String { directory.file("a.db") }

    /// A record with a history of three changes, a deleted one, and three lines of the general trail.
    init() async throws {
        directory = try TemporaryDirectory()
        let store = try SQLiteStore.open(path: directory.file("a.db"))
        for id in ["kept", "gone"] {
            try await store.make(id, by: "student")
            try await store.put("b", in: id, by: "student")
            try await store.put("c", in: id, by: "student")
        }
        try await store.delete(RecordID("gone"), by: store.context(by: "student"))
        for number in 1...3 {
            try await store.write { try $0.audit(.sample("account.disabled", detail: "{\"n\":\(number)}")) }
        }
        await store.close()
    }

    private func diagnose(after damage: String) throws -> [TrailFault.Kind] {
        let connection = try Connection(path: path, access: .write)
        try connection.execute(damage)
        return try SQLiteStore.examine(path).trailFaults.map(\.kind)
    }

    @Test func `finds a sound store sound`() throws {
        let diagnosis = try SQLiteStore.examine(path)
        #expect(diagnosis.isSound)
        #expect(diagnosis.records == 2)
        #expect(diagnosis.lines == 10)
    }

    @Test(arguments: [
        "UPDATE changes SET after = '9' WHERE seq = 2",
        "UPDATE changes SET reason = NULL WHERE seq = 5",
        "UPDATE audit SET detail = NULL WHERE number = 2",
    ])
    func `finds particulars that were altered`(damage: String) throws {
        #expect(try diagnose(after: damage) == [.alteredParticulars])
    }

    @Test(arguments: [
        "UPDATE changes SET account = 'somebody' WHERE seq = 2",
        "UPDATE changes SET at = at + 1 WHERE seq = 5",
        "UPDATE audit SET action = 'account.enabled' WHERE number = 2",
    ])
    func `finds a line whose link does not hold`(damage: String) throws {
        #expect(try diagnose(after: damage) == [.brokenLink])
    }

    @Test func `finds a line that is missing`() throws {
        #expect(try diagnose(after: "DELETE FROM audit WHERE number = 2") == [.gap, .brokenLink])
    }

    @Test func `finds a change cut out of a record's trail`() throws {
        let damage = "UPDATE changes SET previous = 1 WHERE seq = 3; DELETE FROM changes WHERE seq = 2"
        #expect(try diagnose(after: damage) == [.gap, .brokenLink])
    }

    @Test func `finds a trail that ends too early`() throws {
        #expect(try diagnose(after: "UPDATE records SET last_change = 2") == [.wrongEnd])
        #expect(try diagnose(after: "DELETE FROM audit WHERE number = 3").contains(.wrongEnd))
    }

    @Test func `finds lines of a record that never was`() throws {
        #expect(try diagnose(after: "DELETE FROM deleted_records") == [.strayLines])
    }

    @Test func `holds erased particulars for sound`() async throws {
        let store = try SQLiteStore.open(path: path)
        try await store.write { transaction in
            try transaction.eraseAuditDetails(about: "subject")
            try transaction.forgetRecords(
                of: AccountID("student"),
                by: AuditContext(by: AccountID("student"), from: "here", at: Timestamp(microseconds: 9)))
        }
        await store.close()
        #expect(try SQLiteStore.examine(path).isSound)
        let left = try Connection(path: path, access: .read).first(
            "SELECT (SELECT count(figures) FROM changes WHERE record = 'kept') + (SELECT count(detail) FROM audit)"
        ) { $0.integer(0) }
        // The line that says the record was deleted has nothing to erase.
        #expect(left == 1)
    }
}
