import GradingKit
import GradingLaws
import Records
import Regulations
import Shared

/// Prints `name=microseconds` lines: what the exact engine costs, and where the time of one grade goes.
///
///     KernelBenchmark [--quick] [NAME…]
@main
struct KernelBenchmark {
    private let stopwatch: Stopwatch
    private let samples: Samples
    /// What is measured; empty for everything.
    private let names: Set<String>

    static func main() throws {
        let isQuick = CommandLine.arguments.contains("--quick")
        let benchmark = KernelBenchmark(
            stopwatch: Stopwatch(rounds: isQuick ? 4 : 9, seconds: isQuick ? 0.02 : 0.1), samples: try Samples(),
            names: Set(CommandLine.arguments.dropFirst().filter { $0 != "--quick" }))
        benchmark.means()
        try benchmark.records()
        try benchmark.oneGrade()
        try benchmark.regulations()
    }

    private func report(_ name: String, _ work: () throws -> Void) rethrows {
        guard names.isEmpty || names.contains(name) else { return }
        print("\(name)=\(try stopwatch.microseconds(work))")
    }

    /// A weighted mean of 40 grades, exactly and in binary floating point.
    private func means() {
        let grades = (0..<40).map { Exact($0 * 37 % 2_001, over: 100) ?? .zero }
        let weights = (0..<40).map { Exact($0 % 9 + 1) }
        report("mean_exact") { keep(ExactSum.mean(of: grades, weightedBy: weights)) }
        let binaryGrades = (0..<40).map { Double($0 * 37 % 2_001) / 100 }
        let binaryWeights = (0..<40).map { Double($0 % 9 + 1) }
        report("mean_double") { keep(binaryMean(of: binaryGrades, weightedBy: binaryWeights)) }
    }

    @inline(never)
    private func binaryMean(of values: [Double], weightedBy weights: [Double]) -> Double? {
        var (total, sum) = (0.0, 0.0)
        for (value, weight) in zip(values, weights) {
            total += value * weight
            sum += weight
        }
        return sum == 0 ? nil : total / sum
    }

    /// Whole records through their schemes, without explanations.
    private func records() throws {
        let (flat, open) = (try samples.flatUnits(40), try samples.openUnits(40))
        let courses = try samples.courses(40)
        try report("flat_units") { keep(try samples.iut.standing(of: flat)) }
        try report("courses") { keep(try samples.chalkboard.standing(of: courses)) }
        let graded = try samples.openUnits(40, allGraded: true)
        try report("one_assumption") { keep(try samples.iut.standing(of: graded)) }
        try report("three_assumptions") { keep(try samples.iut.standing(of: open)) }
        let proposed = try Samples.chalkboard(compareOn: "exact")
        let comparison = RulebookComparison(from: samples.chalkboard, to: proposed)
        try report("rehearsal") { keep(try comparison.changes(from: courses, to: courses)) }
    }

    /// Documents against the schemes in code that say the same, on the same records and in turn; and what it takes to read and
    /// to prove a document.
    private func regulations() throws {
        let names = ["document_outcome", "document_course", "document_courses"]
        guard self.names.isEmpty || !self.names.isDisjoint(with: names + ["document_read", "document_check", "laws"])
        else {
            return
        }
        let samples = try RegulationSamples()
        for (name, pair) in zip(names, [samples.units, samples.course, samples.courses]) {
            let found = try stopwatch.ratio(
                of: { keep(try pair.document.standing(of: pair.records.document)) },
                to: { keep(try pair.scheme.standing(of: pair.records.scheme)) })
            print("\(name)=\(found.ratio)\n\(name)_us=\(found.microseconds)\n\(name)_code_us=\(found.other)")
        }
        report("document_read") { keep(Regulation(samples.document)) }
        report("document_check") {
            let regulation = Regulation(samples.long)
            keep((regulation, regulation.workedExamples()))
        }
        let rules = samples.units.document
        report("laws") { keep(LawSuite(rules, records: 200).violations()) }
    }

    /// The steps of the main job on the sample year, as the store's writer takes them: on a record that it wrote a
    /// moment ago, so that it need not read it, nor write all of it again.
    private func oneGrade() throws {
        let rules = samples.iut
        var next = 0
        let newID = {
            next += 1
            return EntryID("01a1fe60-b4be-7442-af3b-8f279a8e\(next)")
        }
        guard let tree = try rules.template("sample", newID: newID), let entry = tree.entries.first?.children.first
        else { return }
        let recordRules = RecordRules(
            rules: rules, programVersion: 1, language: .english, memory: RecordTreeCache(), newID: { EntryID("unused") }
        )
        let head = RecordHead(
            id: RecordID("01a1fe60-b4ba-7687-a288-dbccc64eaac6"), institution: InstitutionID("demo"),
            program: ProgramID("01a1fe60-acbb-774a-9583-729b3ddd907b"), programVersion: 1, student: nil,
            createdAt: Timestamp(microseconds: 0))
        let content = try recordRules.creation(tree, head: head).full
        var snapshot = RecordSnapshot(
            head: head, epoch: Epoch("k"), fullVersion: 1, releasedVersion: 1, full: content, released: nil)
        let change = RecordChange.patch(entry.id, ["fields": .object(["grade": .number("12.5")])])

        try report("read") { keep(try rules.storedRecord(content.tree)) }
        try report("validate") {
            keep(try rules.validate([change], of: tree, at: nil, by: .student, newID: newID))
        }
        try report("evaluate") { keep(try rules.standing(of: tree)) }
        let standing = try rules.standing(of: tree)
        report("write_standing") { keep(standing.json(of: nil, in: .english)) }
        let written = tree.stored(as: head.id.text, of: head.program.text).tree
        let changed = try rules.validate([change], of: written, at: nil, by: .student, newID: newID).tree
        report("write_tree") { keep(changed.stored(as: head.id.text, of: head.program.text)) }
        let edit = RecordEdit([change], answer: .patched(entry.id))
        try report("amendment") {
            let amendment = try recordRules.amendment(of: snapshot, by: edit, view: .released)
            snapshot = RecordSnapshot(
                head: head, epoch: Epoch("k"), fullVersion: 1, releasedVersion: 1, full: amendment.full, released: nil)
        }
        let amendment = try recordRules.amendment(of: snapshot, by: edit, view: .released)
        report("answer") { keep(amendment.answer(Revision(epoch: Epoch("k"), version: 2))) }
    }
}
