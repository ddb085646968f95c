@testable import GradingKit
import Testing

@Suite struct StoredRecordReaderTests {
    private static let entries: JSON = [
        [
            "kind": "unit", "status": "excused",
            "fields": ["title": "É 数", "weight": 3, "core": true, "colour": "red"],
            "children": [
                ["kind": "part", "fields": ["score": "9.25", "max": 10]],
                ["kind": "part", "status": "absent", "fields": ["max": "0.5"]],
            ],
        ], ["kind": "unit", "fields": ["title": "B"]],
    ]

    private func tree(_ rules: Rulebook) throws -> RecordTree {
        var number = 0
        return try rules.calculation(fields: ["prior": "12.5"], entries: Self.entries) {
            number += 1
            return EntryID("entry-\(number * 11)")
        }
    }

    private func text(_ tree: RecordTree) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("id", "record")
            $0.member("program", "program")
            $0.name("fields")
            tree.writeFields(to: &$0)
            $0.name("entries")
            tree.writeEntries(to: &$0)
        }
        return writer.bytes
    }

    private func general(_ text: [UInt8], _ rules: Rulebook) -> RecordTree? {
        guard let json = try? JSON.parse(text) else { return nil }
        return try? rules.storedRecord(fields: json["fields"] ?? .null, entries: json["entries"] ?? .null)
    }

    @Test func `what the kit writes is read back the short way`() throws {
        let rules = try Ledger.rules()
        let tree = try tree(rules)
        var reader = StoredRecordReader(text(tree), of: rules.shape)
        #expect(reader.record()?.root == tree.root)
        var empty = StoredRecordReader(text(rules.emptyRecord), of: rules.shape)
        #expect(empty.record()?.root == rules.emptyRecord.root)
    }

    @Test func `whatever byte is another, the short way reads what the long way reads or nothing`() throws {
        let rules = try Ledger.rules()
        let stored = text(try tree(rules))
        var read = 0
        for place in stored.indices {
            for byte in [stored[place] &+ 1, stored[place] ^ 0x80] + Array(#"0"\ ,}]-.e"#.utf8) {
                var damaged = stored
                damaged[place] = byte
                var reader = StoredRecordReader(damaged, of: rules.shape)
                guard let short = reader.record() else { continue }
                read += 1
                #expect(general(damaged, rules)?.root == short.root, "\(String(decoding: damaged, as: UTF8.self))")
            }
            var shorter = StoredRecordReader(Array(stored[..<place]), of: rules.shape)
            #expect(shorter.record()?.root == nil)
        }
        #expect(read > 0)
    }

    @Test func `what is written otherwise is read the long way`() throws {
        let rules = try Ledger.rules()
        let json: JSON = ["entries": [["fields": ["title": "a \"b\""], "kind": "unit", "id": "one"]]]
        let tree = try rules.storedRecord(json.bytes)
        #expect(tree.entries.map(\.id.text) == ["one"])
        #expect(throws: FaultList.self) {
            try rules.storedRecord(JSON.object(["entries": [["kind": "nothing"]]]).bytes)
        }
        #expect(throws: JSONSyntaxError.self) { try rules.storedRecord(Array("{".utf8)) }
    }
}
