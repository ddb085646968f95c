import GradingKit
import Records
import Database
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct AuthorshipUpgradeTests {
    private static func entry(_ id: String, _ fields: String, more: String = "", children: String = "") -> String {
        """
        {"id":"\(id)","kind":"item","position":1,"status":null,"hidden":false\(more),"fields":\(fields),\
        "children":[\(children)]}
        """
    }

    private static func tree(_ entries: String) -> String {
        #"{"id":"r","program":"p","fields":{"prior":1,"more":2},"entries":[\#(entries)]}"#
    }

    /// Upgrades a store with one record of that tree and those changes; answers the full and the released tree.
    private func upgraded(
        _ tree: String, released: String? = nil,
        _ changes: [(by: String, entry: String?, before: String?, after: String?)]
    ) async throws -> (full: JSON, released: JSON?, isSameEpoch: Bool) {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore.open(path: directory.file("a.db"))
        let before = store.epoch
        let found = try await store.write { transaction in
            let connection = transaction.connection
            var last: Int?
            for (number, change) in changes.enumerated() {
                last = try connection.insert(
                    """
                    INSERT INTO changes (previous, institution, record, full_version, at, account, source, operation,
                    entry, before, after, digest, chain) VALUES (?, 'i', 'r', ?, 1, ?, 't', ?, ?, ?, ?, x'00', x'00')
                    """,
                    numbering: "seq",
                    .integer(last), .integer(number + 1), .text(change.by), .text(number == 0 ? "create" : "patch"),
                    .text(change.entry), .text(change.before), .text(change.after))
            }
            try connection.run(
                """
                INSERT INTO records (institution, id, program, program_version, student, created_at, full_version,
                released_version, last_change, chain, tree, standing, released_tree, released_standing)
                VALUES ('i', 'r', 'p', 1, 'student', 1, 1, 1, ?, x'00', ?, '{}', ?, ?)
                """,
                .integer(last), .text(tree), .text(released), .text(released == nil ? nil : "{}"))
            try AuthorshipUpgrade.run(on: connection)
            let trees = try connection.first("SELECT tree, released_tree FROM records") {
                ($0.bytes(0), $0.optionalBytes(1))
            }
            let identity = try StoreIdentity.read(from: connection)
            return (trees?.0 ?? [], trees?.1, identity)
        }
        await store.close()
        return (try JSON.parse(found.0), try found.1.map { try JSON.parse($0) }, found.2 == before)
    }

    @Test func `a value belongs to whoever of staff changed it last`() async throws {
        let (one, two) = (Self.entry("e", #"{"a":1,"b":1}"#), Self.entry("e", #"{"a":1,"b":2}"#))
        let three = Self.entry("e", #"{"a":3,"b":2}"#)
        let found = try await upgraded(
            Self.tree(three),
            [
                ("student", nil, nil, nil), ("teacher", "e", nil, one), ("registrar", "e", one, two),
                ("student", "e", two, three),
            ])
        #expect(found.full["entries"]?.array?[0]["enteredBy"] == ["fields": ["b": "registrar"]])
        #expect(found.full["enteredBy"] == nil)
        #expect(!found.isSameEpoch)
    }

    @Test func `what a record began with belongs to whoever made it`() async throws {
        let child = Self.entry("c", #"{"a":1,"b":null}"#)
        let found = try await upgraded(
            Self.tree(Self.entry("e", #"{"a":1,"b":2}"#, children: child)), [("registrar", nil, nil, nil)])
        let entry = found.full["entries"]?.array?[0]
        #expect(found.full["enteredBy"] == ["fields": ["prior": "registrar", "more": "registrar"]])
        #expect(entry?["enteredBy"] == ["fields": ["a": "registrar", "b": "registrar"]])
        #expect(entry?["children"]?.array?[0]["enteredBy"] == ["fields": ["a": "registrar"]])
        #expect(entry?.object?.members.map(\.name).suffix(3) == ["fields", "enteredBy", "children"])
    }

    @Test func `what the student goes on seeing of a hidden entry keeps its own author`() async throws {
        let seen = Self.entry("e", #"{"a":1,"b":1}"#)
        let shown = #","shown":{"status":null,"fields":{"a":1,"b":1}}"#
        let hidden = Self.entry("e", #"{"a":9,"b":1}"#, more: shown)
        let found = try await upgraded(
            Self.tree(hidden), released: Self.tree(seen),
            [("student", nil, nil, nil), ("student", "e", nil, seen), ("teacher", "e", seen, hidden)])
        #expect(found.full["entries"]?.array?[0]["enteredBy"] == ["fields": ["a": "teacher"]])
        #expect(found.full["entries"]?.array?[0]["shown"]?["enteredBy"] == nil)
        #expect(found.released?["entries"]?.array?[0]["enteredBy"] == nil)
    }

    @Test func `a student's own record stays as it is`() async throws {
        let text = Self.tree(Self.entry("e", #"{"a":1,"b":2}"#))
        let found = try await upgraded(text, [("student", nil, nil, nil)])
        #expect(found.full == (try JSON.parse(text)))
        #expect(found.isSameEpoch)
    }
}
