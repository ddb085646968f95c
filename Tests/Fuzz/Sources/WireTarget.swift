import GradingKit
import Synchronization

/// Whatever a scheme in a process of its own answers, there is a standing, a list of faults or a failure, and what is
/// made of the answers is JSON.
///
/// The lines of an input: the answers to `describe` and `configure`, a record, and the answers to `validate`, `evaluate`
/// and `goal`.
@Sendable func fuzzWire(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 5, omittingEmptySubsequences: false)
    guard lines.count == 6, let record = try? JSON.parse(Array(lines[2])) else { return }
    let link = Script([0, 1, 3, 4, 5].map { Array(lines[$0]) })
    guard let scheme = try? InstalledScheme(link) else { return }
    promise(isJSON(scheme.description), "a description that is no JSON")
    guard let rules = try? scheme.rulebook() else { return }
    var count = 0
    let tree = try? rules.calculation(fields: record["fields"] ?? .null, entries: record["entries"] ?? .null) {
        count += 1
        return EntryID("e\(count)")
    }
    guard let tree, let standing = try? rules.standing(of: tree, explaining: .all) else { return }
    promise(isJSON(standing.json(of: nil, in: .french)), "a standing that is no JSON")
    guard let answer = try? rules.answer(to: Goal("mean", reaches: .named("2")), in: tree) else { return }
    promise(isJSON(answer.json(in: .english)), "an answer to a goal that is no JSON")
}

private func isJSON(_ bytes: [UInt8]) -> Bool { (try? JSON.parse(bytes, limits: JSONLimits(depth: 256))) != nil }

/// A scheme that says the same whatever it is asked.
private final class Script: SchemeLink {
    private let answers: Mutex<ArraySlice<[UInt8]>>

    init(_ answers: [[UInt8]]) { self.answers = Mutex(answers[...]) }

    func answer(to request: [UInt8], records: Int) throws(SchemeFailure) -> [UInt8] {
        guard let answer = answers.withLock({ $0.popFirst() }) else { throw SchemeFailure("nothing more to say") }
        return answer
    }

    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value { try work() }

    func close() {}
}
