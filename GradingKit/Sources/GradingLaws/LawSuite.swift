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
    /// Where the suite's work is counted, what had been counted there before, and what the suite may cost; `nil` for as much
    /// as it takes.
    let meter: WorkMeter
    private let start: Int
    private let work: Int?

    /// A run of the laws.
    ///
    /// - Parameters:
    ///   - seed: which records are made.
    ///   - records: how many are made.
    ///   - steps: how often, for each entry of the greatest record, its standing may ask for a field or a figure.
    ///   - work: the most work of the whole suite, in steps of some twenty nanoseconds, the same on every machine; `nil`
    ///     tries all records whatever they cost. What was not tried is in the ``LawReview``.
    ///   - meter: where the work is counted. Whatever `work` says, the suite tries no more once the meter is over.
    public init(
        _ rules: Rulebook, seed: UInt64 = 1, records: Int = 200, steps: Int = 200, work: Int? = nil,
        meter: WorkMeter = WorkMeter()
    ) {
        self.meter = meter
        start = meter.spent
        var metered = rules
        metered.meter = meter
        metered.explainsAlternatives = true
        // No law lets a record take more.
        if work != nil { metered.mostSteps = min(rules.mostSteps, 2 * steps * RecordShape.greatestEntryCount) }
        self.rules = metered
        self.seed = seed
        self.records = records
        self.steps = steps
        self.work = work
    }

    /// Whether the suite may go on.
    var hasTime: Bool { (work.map { meter.spent - start < $0 } ?? true) && !meter.isOver }

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
        return mender.mended(generator.record(.greatest), using: &generator, patience: 100)?.tree
    }

    var mender: RecordMender { RecordMender(rules: rules) { hasTime } }

    /// The laws that are broken, each once, with the shortest record that was seen to break it.
    public func violations() -> [LawViolation] { review().violations }

    /// Tries the laws, and tells how far.
    public func review() -> LawReview {
        var found = LawFindings()
        checkShape(&found)
        checkEmpty(&found)
        var generator = RecordGenerator(for: rules, seed: seed)
        let mender = mender
        var (accepted, tried) = (0, 0)
        // First, because it says most about what the others will take.
        let isGreatestTried = checkWork(&found)
        for number in 0..<records where hasTime {
            let isBeyond = number % 5 == 4
            let draft = generator.record(exceeding: isBeyond)
            meter.add(20 * draft.places.count)
            checkWording(of: draft, &found)
            let mended = mender.mended(draft, using: &generator)
            guard hasTime else { break }
            tried += 1
            guard let (record, tree) = mended else { continue }
            accepted += 1
            check(record, tree, isBeyond: isBeyond, SeededGenerator(seed: seed &+ UInt64(number)), &found)
        }
        if accepted * 2 < tried {
            found.add(.shapeAndValidatorAgree, "of \(tried) records only \(accepted) could be made acceptable")
        }
        return LawReview(
            violations: found.violations, tried: tried, records: records, isGreatestTried: isGreatestTried)
    }

    private func check(
        _ record: GeneratedRecord, _ tree: RecordTree, isBeyond: Bool, _ dice: SeededGenerator,
        _ found: inout LawFindings
    ) {
        var dice = dice
        let standing: Standing
        do {
            standing = try rules.standing(of: tree, explaining: .all)
        } catch {
            return found.addRefusal(error, .isDeterministic, "an accepted record has no standing", record)
        }
        // What is compared is as long as the record, and grades with figures and warnings.
        meter.add(
            standing.entries.count * (200 + tree.count / 8)
                + 50 * (standing.figures.count + standing.warnings.count))
        let snapshot = Snapshot(standing)
        checkOrder(record, snapshot, &dice, &found)
        checkScale(record, standing, &found)
        checkBounds(record, &dice, &found)
        checkTraces(of: standing, record, &found)
        checkRange(of: standing, isBeyond: isBeyond, record, &found)
        checkDeterminism(tree, snapshot, record, &found)
        checkWording(of: standing, record, &found)
    }

    /// Work is counted and not timed, so that the law holds or breaks on every machine alike.
    ///
    /// Returns whether the greatest record was tried.
    private func checkWork(_ found: inout LawFindings) -> Bool {
        guard let tree = greatestRecord() else {
            guard hasTime else { return false }
            found.add(.shapeAndValidatorAgree, "the greatest record could not be made acceptable")
            return true
        }
        do {
            let standing = try rules.standing(of: tree)
            if standing.steps > steps * tree.count {
                found.add(.staysInBounds, "\(tree.count) entries took \(standing.steps) steps")
            }
        } catch {
            found.addRefusal(error, .isDeterministic, "the greatest record has no standing")
        }
        return true
    }
}

/// The violations found so far: one a law, the one with the shortest record.
struct LawFindings {
    private var found: [Law: (violation: LawViolation, length: Int)] = [:]
    /// What was seen to be worded in every language.
    var complete: Set<Wording> = []

    mutating func add(
        _ law: Law, _ detail: String, _ record: GeneratedRecord? = nil, about subject: LawSubject? = nil
    ) {
        let json = record?.json ?? .null
        let length = json.bytes.count
        if let known = found[law], known.length <= length { return }
        let place = record?.places.first { $0.entry["id"]?.string == subject?.entry }
        let violation = LawViolation(
            law: law, detail: detail, figure: subject.flatMap { $0.isFigure ? $0.plainName : nil },
            kind: subject?.entry == nil ? nil : place?.entry.kindName, record: json)
        found[law] = (violation, length)
    }

    /// A record that the rules accept and then do not judge.
    mutating func addRefusal(
        _ faults: FaultList, _ law: Law, _ detail: String, _ record: GeneratedRecord? = nil
    ) {
        let isLong = faults.faults.contains { $0.code == .tooMuchWork }
        if isLong { add(.staysInBounds, "the record takes too many steps", record) } else { add(law, detail, record) }
    }

    /// In the order in which the laws are written down.
    var violations: [LawViolation] { Law.allCases.compactMap { found[$0]?.violation } }
}
