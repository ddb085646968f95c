public import GradingKit

/// Runs the laws of grading over a rulebook, with records made of its shape's own values.
///
/// ```swift
/// let violations = try LawSuite.violations(of: InstalledScheme(MyScheme.self))
/// ```
///
/// The same seed makes the same records, so a violation can be looked at again.
public struct LawSuite {
    let rules: Rulebook
    let seed: UInt64
    let records: Int
    private let steps: Int

    /// A run of the laws.
    ///
    /// - Parameters:
    ///   - seed: which records are made.
    ///   - records: how many are made.
    ///   - steps: how often, for each entry of the greatest record, its standing may ask for a field or a figure.
    public init(
        _ rules: Rulebook, seed: UInt64 = 1, records: Int = 200, steps: Int = 200
    ) {
        self.rules = rules
        self.seed = seed
        self.records = records
        self.steps = steps
    }

    /// The violations of a scheme under its defaults and each of its presets.
    ///
    /// Throws the faults of a preset that its own settings refuse.
    public static func violations(
        of scheme: InstalledScheme, seed: UInt64 = 1, records: Int = 200
    ) throws(FaultList) -> [LawViolation] {
        var found: [LawViolation] = []
        for preset in scheme.presets {
            found += LawSuite(try scheme.rulebook(preset: preset), seed: seed, records: records).violations()
        }
        return found
    }

    /// The records that the laws are run over, as they are made: some are refused.
    public func samples() -> [JSON] {
        var generator = RecordGenerator(for: rules, seed: seed)
        return (0..<records).map { generator.record(exceeding: $0 % 5 == 4).json }
    }

    /// As great a record as could be made acceptable; `nil` when none could.
    public func greatestRecord() -> RecordTree? {
        var generator = RecordGenerator(for: rules, seed: seed)
        // Much may be wrong with much, and some of it is found only when something else is mended.
        return RecordMender(rules: rules).mended(generator.record(.greatest), using: &generator, patience: 100)?.tree
    }

    /// The laws that are broken, each once, with the shortest record that was seen to break it.
    public func violations() -> [LawViolation] {
        var found = LawFindings()
        checkShape(&found)
        checkEmpty(&found)
        var generator = RecordGenerator(for: rules, seed: seed)
        let mender = RecordMender(rules: rules)
        var accepted = 0
        for number in 0..<records {
            let isBeyond = number % 5 == 4
            let draft = generator.record(exceeding: isBeyond)
            checkWording(of: draft, &found)
            guard let (record, tree) = mender.mended(draft, using: &generator) else { continue }
            accepted += 1
            check(record, tree, isBeyond: isBeyond, SeededGenerator(seed: seed &+ UInt64(number)), &found)
        }
        if accepted * 2 < records {
            found.add(.shapeAndValidatorAgree, "of \(records) records only \(accepted) could be made acceptable")
        }
        checkWork(&found)
        return found.violations
    }

    private func check(
        _ record: GeneratedRecord, _ tree: RecordTree, isBeyond: Bool, _ dice: SeededGenerator,
        _ found: inout LawFindings
    ) {
        var dice = dice
        guard let standing = try? rules.standing(of: tree, explaining: .all) else {
            return found.add(.isDeterministic, "an accepted record has no standing", record)
        }
        let snapshot = Snapshot(standing)
        checkOrder(record, snapshot, &dice, &found)
        checkScale(record, snapshot, &dice, &found)
        checkBounds(record, &dice, &found)
        checkTraces(of: standing, record, &found)
        checkRange(of: standing, isBeyond: isBeyond, record, &found)
        checkDeterminism(tree, snapshot, record, &found)
        checkWording(of: standing, record, &found)
    }

    /// Work is counted and not timed, so that the law holds or breaks on every machine alike.
    private func checkWork(_ found: inout LawFindings) {
        guard let tree = greatestRecord() else {
            return found.add(.shapeAndValidatorAgree, "the greatest record could not be made acceptable")
        }
        guard let standing = try? rules.standing(of: tree) else {
            return found.add(.isDeterministic, "the greatest record has no standing")
        }
        if standing.steps > steps * tree.count {
            found.add(.staysInBounds, "\(tree.count) entries took \(standing.steps) steps")
        }
    }
}

/// The violations found so far: one a law, the one with the shortest record.
struct LawFindings {
    private var found: [Law: (violation: LawViolation, length: Int)] = [:]

    mutating func add(_ law: Law, _ detail: String, _ record: GeneratedRecord? = nil) {
        let json = record?.json ?? .null
        let length = json.bytes.count
        if let known = found[law], known.length <= length { return }
        found[law] = (LawViolation(law: law, detail: detail, record: json), length)
    }

    /// In the order in which the laws are written down.
    var violations: [LawViolation] { Law.allCases.compactMap { found[$0]?.violation } }
}
