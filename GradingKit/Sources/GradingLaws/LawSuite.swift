public import GradingKit

/// Runs the laws of grading over a rulebook, with records made of its shape's own values.
///
/// ```swift
/// let violations = try LawSuite.violations(of: InstalledScheme(MyScheme.self))
/// ```
///
/// The same seed makes the same records, so that violations can be reproduced.
public struct LawSuite {
    let rules: Rulebook
    let seed: UInt64
    let records: Int
    private let steps: Int
    /// Counts the suite's work; `start` is its count at the beginning, and `work` the most work of the suite, `nil` for
    /// no limit.
    let meter: WorkMeter
    private let start: Int
    private let work: Int?

    /// A run of the laws.
    ///
    /// - Parameters:
    ///   - seed: determines which records are made.
    ///   - records: the number of records.
    ///   - steps: the number of fields and figures that the standing of the greatest record may read for each entry.
    ///   - work: the most work of the whole suite in steps, the same on every machine, of about twenty nanoseconds;
    ///     `nil` tries all records whatever they cost. ``LawReview`` says what was not tried.
    ///   - meter: counts the work. Whatever `work` says, the suite stops once the meter is over.
    public init(
        _ rules: Rulebook, seed: UInt64 = 1, records: Int = 200, steps: Int = 200, work: Int? = nil,
        meter: WorkMeter = WorkMeter()
    ) {
        self.meter = meter
        start = meter.spent
        var metered = rules
        metered.meter = meter
        metered.explainsAlternatives = true
        // No law allows a record to take more.
        if work != nil { metered.mostSteps = min(rules.mostSteps, 2 * steps * RecordShape.greatestEntryCount) }
        self.rules = metered
        self.seed = seed
        self.records = records
        self.steps = steps
        self.work = work
    }

    /// Whether the suite may continue.
    var hasTime: Bool { (work.map { meter.spent - start < $0 } ?? true) && !meter.isOver }

    /// Returns the violations of a scheme under its defaults and each of its presets.
    ///
    /// - Throws: the faults of a preset that the scheme's own settings refuse.
    public static func violations(
        of scheme: InstalledScheme, seed: UInt64 = 1, records: Int = 200
    ) throws(FaultList) -> [LawViolation] {
        var found: [LawViolation] = []
        for preset in scheme.presets {
            found += LawSuite(try scheme.rulebook(preset: preset), seed: seed, records: records).violations()
        }
        return found
    }

    /// The records for the laws, before mending: the rules refuse some.
    public func samples() -> [JSON] {
        var generator = RecordGenerator(for: rules, seed: seed)
        return (0..<records).map { generator.record(exceeding: $0 % 5 == 4).json }
    }

    /// The greatest record that could be made acceptable; `nil` if there is none.
    public func greatestRecord() -> RecordTree? {
        var generator = RecordGenerator(for: rules, seed: seed)
        // Much may be wrong, and some faults show only after others are mended.
        return mender.mended(generator.record(.greatest), using: &generator, patience: 100)?.tree
    }

    var mender: RecordMender { RecordMender(rules: rules) { hasTime } }

    /// The broken laws, each once, with the shortest record that broke it.
    public func violations() -> [LawViolation] { review().violations }

    /// Tries the laws, and reports how far.
    public func review() -> LawReview {
        var found = LawFindings()
        checkShape(&found)
        checkEmpty(&found)
        var generator = RecordGenerator(for: rules, seed: seed)
        let mender = mender
        var (accepted, tried) = (0, 0)
        // First, because it predicts the cost of the others best.
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
            found.add(.shapeAndValidatorAgree, LawWords.fewAccepted(accepted, of: tried))
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
        // The cost of a comparison grows with the length of the record, and with its grades times its figures and
        // warnings.
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

    /// Counts work instead of measuring time, so that the law holds or breaks on every machine alike.
    ///
    /// Returns whether the greatest record was tried.
    private func checkWork(_ found: inout LawFindings) -> Bool {
        guard let tree = greatestRecord() else {
            guard hasTime else { return false }
            found.add(.shapeAndValidatorAgree, LawWords.greatestRefused)
            return true
        }
        do {
            let standing = try rules.standing(of: tree)
            if standing.steps > steps * tree.count {
                found.add(.staysInBounds, LawWords.manySteps(standing.steps, for: tree.count))
            }
        } catch {
            found.addRefusal(error, .isDeterministic, "the greatest record has no standing")
        }
        return true
    }
}

/// The violations found so far: for each law, the one with the shortest record.
struct LawFindings {
    private var found: [Law: (violation: LawViolation, length: Int)] = [:]
    /// The wordings found to be complete in every language.
    var complete: Set<Wording> = []

    mutating func add(
        _ law: Law, _ finding: String, _ record: GeneratedRecord? = nil, about subject: LawSubject? = nil
    ) {
        add(law, LocalizedText(verbatim: finding), record, about: subject)
    }

    mutating func add(
        _ law: Law, _ finding: LocalizedText, _ record: GeneratedRecord? = nil, about subject: LawSubject? = nil
    ) {
        let json = record?.json ?? .null
        let length = json.bytes.count
        if let known = found[law], known.length <= length { return }
        let place = record?.places.first { $0.entry["id"]?.string == subject?.entry }
        let violation = LawViolation(
            law: law, finding: finding, figure: subject?.plainName,
            kind: subject?.entry == nil ? nil : place?.entry.kindName, record: json)
        found[law] = (violation, length)
    }

    /// Adds a violation for a record that the rules accept and then do not judge.
    mutating func addRefusal(
        _ faults: FaultList, _ law: Law, _ detail: String, _ record: GeneratedRecord? = nil
    ) {
        let isLong = faults.faults.contains { $0.code == .tooMuchWork }
        if isLong { add(.staysInBounds, LawWords.tooMuchWork, record) } else { add(law, detail, record) }
    }

    /// The violations in the order of the laws.
    var violations: [LawViolation] { Law.allCases.compactMap { found[$0]?.violation } }
}
