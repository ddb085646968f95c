import Chalkboard
import GradingKit
import Synchronization
import Testing

/// What the server makes of answers that no honest scheme would give; no process is needed for that.
@Suite struct LinkTests {
    /// A scheme at the other end of nothing but a function.
    private final class Link: SchemeLink {
        private let servant = Mutex(SchemeRequestHandler(InstalledScheme(Chalkboard.self)))
        private let change: @Sendable (String, JSON) -> JSON
        let digest: String?

        /// Changes the answers to an operation on their way.
        init(
            digest: String? = nil, _ change: @escaping @Sendable (_ operation: String, _ answer: JSON) -> JSON
        ) {
            self.digest = digest
            self.change = change
        }

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
            object["wire"] = 3
            object["kit"] = "9.9.0"
            return .object(object)
        }
        let error = #expect(throws: SchemeFailure.self) { try InstalledScheme(link) }
        #expect(
            error?.description
                == "it speaks version 3 of the wire (kit 9.9.0), this server versions 1 to 2 (kit \(SchemeWire.kit))")
    }

    @Test func `a scheme refuses a server of another version with both numbers named`() throws {
        let servant = SchemeRequestHandler(InstalledScheme(Chalkboard.self))
        let answer = try JSON.parse(servant.answer(to: Array(#"{"op":"describe","wire":3,"kit":"9.9.0"}"#.utf8)))
        #expect(
            answer["error"]?.string
                == "it speaks version 2 of the wire (kit \(SchemeWire.kit)), this server version 3 (kit 9.9.0)")
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
        (#""trace":"#, #""trace":99,"other":"#, "results[0].figures.gpa.trace is not the number of an earlier node"),
        (#""of":[0"#, #""of":[7"#, "results[0].nodes[2].of[0] is not the number of an earlier node"),
        (#""scale":0"#, #""scale":1"#, "results[0].nodes[20].scale is not the number of a scale"),
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
        let tree = try Self.record(by: rules)
        let error = #expect(throws: FaultList.self) { try rules.standing(of: tree, explaining: .all) }
        #expect(error?.faults.map(\.code) == [.notComputable])
        #expect(error?.faults.first?.arguments["detail"] == .string(detail))
    }

    private static func record(by rules: Rulebook) throws -> RecordTree {
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
        return try rules.calculation(fields: .null, entries: [course]) {
            count += 1
            return EntryID("e\(count)")
        }
    }

    @Test func `version and digest of an executable stand in what it computes`() throws {
        let link = Link(digest: "d1") { operation, answer in
            operation == "describe"
                ? Self.replacing(#""id":"chalkboard""#, by: #""id":"chalkboard","version":"1.2""#, in: answer) : answer
        }
        let scheme = try InstalledScheme(link)
        #expect(scheme.executable == SchemeExecutable(version: "1.2", digest: "d1"))
        #expect(try JSON.parse(scheme.description)["digest"] == "d1")
        let rules = try scheme.rulebook()
        let standing = try rules.standing(of: rules.emptyRecord).json(of: nil, in: .english)
        #expect(try JSON.parse(standing)["executable"] == ["version": "1.2", "digest": "d1"])
        #expect(SchemeExecutable(try JSON.parse(standing)["executable"]) == scheme.executable)
        #expect(scheme.executable.map { SchemeExecutable(text: $0.text) } == scheme.executable)
        let unnamed = try InstalledScheme(Link(digest: "d2") { $1 }).executable
        #expect(unnamed == SchemeExecutable(version: nil, digest: "d2") && unnamed?.text == "d2")
    }

    @Test func `a scheme of wire 1, which explains by trees, is understood`() throws {
        let link = Link { operation, answer in
            operation == "describe" ? Self.replacing(#""wire":2"#, by: #""wire":1"#, in: answer) : Self.unfolded(answer)
        }
        let (old, new) = (try InstalledScheme(link).rulebook(), try InstalledScheme(Link { $1 }).rulebook())
        let written = try [old, new].map { rules in
            try rules.standing(of: try Self.record(by: rules), explaining: .all).json(of: nil, in: .english)
        }
        #expect(String(decoding: written[0], as: UTF8.self) == String(decoding: written[1], as: UTF8.self))
        #expect(try JSON.parse(written[0])["traces"]?["figures"]?["gpa"] != nil)
    }

    /// An answer of wire 2 as wire 1 has it: a tree in the place of a node's number.
    private static func unfolded(_ answer: JSON) -> JSON {
        guard var object = answer.object, let results = answer["results"]?.array, results.first?["nodes"] != nil else {
            return answer
        }
        object["results"] = .array(
            results.map { result in
                let (nodes, scales) = (result["nodes"]?.array ?? [], result["scales"]?.array ?? [])
                func tree(_ number: Int) -> JSON {
                    var node = nodes[number].object ?? JSONObject()
                    node["children"] = node["of"]?.array.map { .array($0.map { tree($0.integer ?? 0) }) }
                    if let scale = node["scale"]?.integer {
                        for name in ["rule", "bands"] { node[name] = scales[scale][name] }
                    }
                    for name in ["of", "scale"] { node[name] = nil }
                    return .object(node)
                }
                func unfold(_ json: JSON) -> JSON {
                    guard let object = json.object else { return json }
                    var unfolded = JSONObject()
                    for member in object where member.name != "nodes" && member.name != "scales" {
                        unfolded[member.name] =
                            member.name == "trace" ? tree(member.value.integer ?? 0) : unfold(member.value)
                    }
                    return .object(unfolded)
                }
                return unfold(result)
            })
        return .object(object)
    }
}
