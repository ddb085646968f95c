import GradingKit
import GradingLaws
import SchemeHost

/// Runs the laws of grading over a built scheme, as it would run under the server.
struct SchemeLint {
    let program: String
    /// Address space, in MiB.
    let memory: Int
    /// The seed from which records are drawn, and how many are drawn for each preset.
    let seed: UInt64
    let count: Int
    let isConfined: Bool
    /// The folders that it may read, besides its own and the system's programs and libraries.
    let reads: [String]

    func run() throws {
        // A long deadline: a busy machine must not look like a broken law, and another law limits how much is computed.
        var limits = SchemeLimits()
        limits.deadline = .seconds(10)
        limits.memory = memory << 20
        limits.isConfined = isConfined
        limits.readable = reads
        let host = SchemeHost(
            program, limits: limits,
            report: { event in
                if case .complained(let line) = event { Console.complain(line) }
            })
        defer { host.close() }
        let scheme: InstalledScheme
        do {
            scheme = try InstalledScheme(host)
        } catch {
            throw Failure("\(program) cannot be used as a scheme: \(error)")
        }
        Console.say("\(scheme.identifier): \(scheme.title(.english))")
        var broken = 0
        var seen: Set<String> = []
        for preset in scheme.presets.map(Optional.some) + [nil] { broken += try check(scheme, preset, besides: &seen) }
        guard broken == 0 else {
            throw Failure("\(broken) of the laws of grading are broken. --seed \(seed) --count \(count) repeats this.")
        }
    }

    /// Checks one preset, or the defaults; returns how many laws it breaks. Rules that were already checked under
    /// another name are skipped.
    private func check(_ scheme: InstalledScheme, _ preset: String?, besides seen: inout Set<String>) throws -> Int {
        let name = preset.map { "preset \($0)" } ?? "defaults"
        let rules: Rulebook
        do {
            rules = try scheme.rulebook(preset: preset)
        } catch {
            let faults = error.faults.map { "  \($0.path): \($0.code)" }.joined(separator: "\n")
            throw Failure("Its own scheme refuses these rules: \(name)\n\(faults)")
        }
        guard seen.insert(rules.configuration.text).inserted else { return 0 }
        Console.say(name)
        let laws = LawSuite(rules, seed: seed, records: count)
        for record in laws.samples() { try ask(rules, about: record) }
        let violations = laws.violations()
        for law in Law.allCases {
            guard let violation = violations.first(where: { $0.law == law }) else {
                Console.say("  kept    \(law.statement)")
                continue
            }
            Console.say("  broken  \(law.statement)\n          \(law.explanation)\n          seen: \(violation.detail)")
            if !violation.record.isNull { Console.say("          with: \(violation.record.text)") }
        }
        tellMountable(rules, laws)
        return violations.count
    }

    /// Reports which kinds of entries a class can grade; no law requires any.
    private func tellMountable(_ rules: Rulebook, _ laws: LawSuite) {
        guard rules.takesGiven else {
            return Console.say("  no classes: the scheme does not take given figures (GradingKit/WIRE.md)")
        }
        for kind in rules.shape.kinds.dropFirst().map(\.kind) {
            guard let found = laws.counterexample(toMounting: kind) else {
                Console.say("  a class can grade entries of kind \(kind)")
                continue
            }
            Console.say("  no class can grade entries of kind \(kind)\n          seen: \(found.detail)")
            Console.say("          with: \(found.record.text)")
        }
    }

    /// Throws if the scheme gives no answer at all, because then no law can be checked. A refusal of the record is an
    /// answer.
    private func ask(_ rules: Rulebook, about record: JSON) throws {
        do throws(FaultList) {
            let tree = try rules.calculation(
                fields: record["fields"] ?? .null, entries: record["entries"] ?? .null, newID: { EntryID("new") })
            _ = try rules.standing(of: tree, explaining: .all)
        } catch {
            guard error.isNotComputable else { return }
            let why = error.faults.first?.arguments["detail"]?.string ?? ""
            throw Failure("\(program) gave no answer that can be used: \(why)\n  asked about: \(record.text)")
        }
    }
}

extension Law {
    /// What to look for in a scheme that breaks the law.
    fileprivate var explanation: String {
        switch self {
        case .emptyIsUndefined: "Nothing graded is no grade: a mean without terms must stay undefined, not become 0."
        case .orderIsIrrelevant: "Decide between equals by identifiers, never by position."
        case .scaleIsIrrelevant: "5 of 10 and 50 of 100 are one result: divide points by their maximum before weighing."
        case .shapeAndValidatorAgree: "What the shape admits must not be refused as out of range; say it in the shape."
        case .tracesReevaluate: "Compute with quantities alone, so that the explanation holds every step."
        case .gradesCountOnce: "A grade that counts nothing must still be there as skipped, dropped or superseded."
        case .floorBelowCeiling: "A better grade must never make a figure worse; check drop rules and which is best."
        case .currentInRange: "What is skipped now must count between its worst and best in floor and ceiling."
        case .isDeterministic: "No clock, no chance, no memory of earlier records."
        case .codesAreWorded: "Every code needs its words in every language, with the arguments they mention."
        case .namesAreUnique: "Clients find a figure by its name: give each of them one of its own."
        case .staysInBounds: "Look at an entry a few times, not at all of its siblings for each of them."
        }
    }
}
