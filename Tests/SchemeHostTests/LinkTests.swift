import Chalkboard
import GradingKit
import Synchronization
import Testing

/// What the server makes of answers that no honest scheme would give; no process is needed for that.
@Suite struct LinkTests {
    /// A scheme at the other end of nothing but a function.
    private final class Link: SchemeLink {
        private let servant = Mutex(SchemeServant(InstalledScheme(Chalkboard.self)))
        private let change: @Sendable (String, JSON) -> JSON

        /// Changes the answers to an operation on their way.
        init(_ change: @escaping @Sendable (_ operation: String, _ answer: JSON) -> JSON) { self.change = change }

        func answer(to request: [UInt8], records: Int) throws(SchemeFailure) -> [UInt8] {
            let answer = servant.withLock { $0.answer(to: request) }
            guard let asked = try? JSON.parse(request), let given = try? JSON.parse(answer, limits: .init(depth: 256))
            else { throw SchemeFailure("no JSON") }
            return change(asked["op"]?.string ?? "", given).bytes
        }

        func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
            try work()
        }

        func close() {}
    }

    @Test func `another version of the wire is refused with both numbers named`() {
        let link = Link { operation, answer in
            guard operation == "describe", var object = answer.object else { return answer }
            object["wire"] = 2
            object["kit"] = "9.9.0"
            return .object(object)
        }
        let error = #expect(throws: SchemeFailure.self) { try InstalledScheme(link) }
        #expect(
            error?.description
                == "it speaks version 2 of the wire (kit 9.9.0), this server version 1 (kit \(SchemeWire.kit))")
    }

    @Test func `a scheme refuses a server of another version with both numbers named`() throws {
        let servant = SchemeServant(InstalledScheme(Chalkboard.self))
        let answer = try JSON.parse(servant.answer(to: Array(#"{"op":"describe","wire":3,"kit":"9.9.0"}"#.utf8)))
        #expect(
            answer["error"]?.string
                == "it speaks version 1 of the wire (kit \(SchemeWire.kit)), this server version 3 (kit 9.9.0)")
    }

    @Test(arguments: [
        (#""id":"chalkboard""#, #""id":"Chalk board""#, "scheme.id is not lower-case letters, digits and hyphens"),
        (
            #""kind":"course","label""#, #""kind":"a:b","label""#,
            "scheme.shape.kinds[0].kind is not a name of at most 64 bytes without a colon"
        ),
        (#""type":"text""#, #""type":"song""#, "scheme.shape.kinds[0].fields[0].type is not a type of field"),
        (
            #""name":"gpa","kind":null"#, #""name":"gpa","kind":"pub""#,
            "scheme.figures[0].kind is not a kind of the shape"
        ),
    ])
    func `a description that makes no sense is refused with its place named`(
        honest: String, false lie: String, detail: String
    ) {
        let link = Link { operation, answer in Self.replacing(honest, by: lie, in: answer) }
        #expect(throws: SchemeFailure(detail)) { try InstalledScheme(link) }
    }

    /// An answer with the first occurrence of a text replaced.
    private static func replacing(_ honest: String, by lie: String, in answer: JSON) -> JSON {
        let text = answer.text
        guard let place = text.firstRange(of: honest) else { return answer }
        let changed = text[..<place.lowerBound] + lie + text[place.upperBound...]
        return (try? JSON.parse(String(changed), limits: .init(depth: 256))) ?? answer
    }

    @Test(arguments: [
        (#""exact":"4""#, #""exact":"3""#, "the explanation of gpa does not give its value"),
        (#""exact":"4""#, #""exact":"4/0""#, "results[0].figures.gpa.exact is not an exact number"),
        (#""figures":{"#, #""figurines":{"#, "results[0].figures.gpa.reason is not a string"),
        (#""entries":{"c":"#, #""entries":{"x":"#, "the answer says nothing of the entry c"),
        (
            #""warnings":[]"#, #""warnings":[{"code":"A b"}]"#,
            "results[0].warnings[0].code is not a code in lower_snake_case"
        ),
        (
            #""warnings":[]"#, #""warnings":[{"code":"a","args":{"b":{}}}]"#,
            "results[0].warnings[0].args.b is not a word or a number"
        ),
    ])
    func `an answer that cannot be true makes the scheme not computable`(
        honest: String, false lie: String, detail: String
    ) throws {
        let link = Link { operation, answer in
            operation == "evaluate" ? Self.replacing(honest, by: lie, in: answer) : answer
        }
        let rules = try InstalledScheme(link).rulebook()
        func assessment(_ name: String, _ weight: JSON) -> JSON {
            [
                "kind": "assessment",
                "fields": ["name": .string(name), "points": 95, "max": 100, "weight": weight],
            ]
        }
        let course: JSON = [
            "id": "c", "kind": "course", "fields": ["title": "Logic", "credits": 3],
            "children": [assessment("Assignments", 30), assessment("Midterm", 30), assessment("Final", 40)],
        ]
        var count = 0
        let tree = try rules.calculation(fields: .null, entries: [course]) {
            count += 1
            return EntryID("e\(count)")
        }
        let error = #expect(throws: FaultList.self) { try rules.standing(of: tree, explaining: .all) }
        #expect(error?.faults.map(\.code) == [.notComputable])
        #expect(error?.faults.first?.arguments["detail"] == .string(detail))
    }
}
