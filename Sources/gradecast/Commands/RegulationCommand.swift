import GradingKit
import GradingLaws
import RegulationLibrary
import Regulations

/// Checks regulations that are written as documents.
struct RegulationCommand: Command {
    static let name = "regulation"
    static let summary = "check, test, read back, begin, fill and compare regulations written as a document"
    static let usage = """
        gradecast regulation check FILE [--language en|fr|zh]
        gradecast regulation test FILE [--seed N] [--count N]
        gradecast regulation words [FILE] [--language en|fr|zh]
        gradecast regulation new NAME --from DOCUMENT
        gradecast regulation diff FILE FILE
        gradecast regulation table FILE NAME SHEET [--to FILE] [--language en|fr|zh]

        check names what is wrong with a document, each fault as line:column: code: message, and ends with status 1 when
        there is any. What is allowed but surprises is a warning, which changes nothing. A hint names entries that no class can
        grade, and what would have to be written for that.

        test also works the document's examples and runs the laws of grading, under its settings and each of its
        presets. It judges --count records for each (200), drawn from --seed (1): the same seed draws the same records.

        words reads the figures, outcomes and checks of a document back in words, article by article, to be compared with
        what the regulations say. A document with faults is refused. Without FILE it lists the words of the language, by
        which nothing may be called.

        new writes NAME.md, a copy of a document that ships, as regulations of that name to begin with. Without --from it
        lists these documents.

        diff shows the lines in which two documents differ, article by article, and what the second one makes of the
        first one's examples that the first does not. Without any difference it prints nothing.

        table shows what becomes of the table NAME when the cells of SHEET take its place: text with tabs, semicolons or
        commas between the cells, the first line naming the columns and the first cell of each other line its row. It says
        how the sheet was read and names each cell that cannot stand there; --to writes the document with the table.
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        stop.endAtOnce()
        let verb = arguments.word()
        if verb == "new" { return try begin(&arguments) }
        if verb == "diff" { return try compare(&arguments) }
        if verb == "table" { return try RegulationTableCommand.run(&arguments) }
        let file = arguments.word()
        if verb == "words", file == nil {
            try arguments.finish()
            return Console.say(Regulation.reservedWords.joined(separator: "\n"))
        }
        guard let file, let verb, ["check", "test", "words"].contains(verb) else {
            throw UsageError(
                "regulation takes check, test, words, new, diff or table, and what it is to read.", of: name)
        }
        let tag = try arguments.option("--language") ?? "en"
        let seed = try verb == "test" ? arguments.option("--seed") ?? "1" : "1"
        let count = try verb == "test" ? arguments.option("--count") ?? "200" : "200"
        try arguments.finish()
        guard let language = Language(tag: tag) else { throw UsageError("--language takes en, fr or zh.", of: name) }
        guard let seed = UInt64(seed) else { throw UsageError("--seed takes a whole number from 0.", of: name) }
        guard let count = Int(count), (1...1_000_000).contains(count) else {
            throw UsageError("--count takes 1 to 1000000 records.", of: name)
        }
        let text = try Files.contents(of: file, isRequired: true) ?? []
        let regulation = Regulation(text)
        if verb == "words" { return try read(regulation, in: language) }
        try tell(regulation.faults, in: language)
        if verb == "check" {
            tellClasses(of: regulation, in: language)
            try tellLaws(of: regulation, in: language)
        }
        if verb == "test" { try test(text, regulation, seed: seed, count: count) }
    }

    /// Writes a copy of a shipped document, under another name.
    private static func begin(_ arguments: inout Arguments) throws {
        let own = arguments.word()
        let source = try arguments.option("--from")
        try arguments.finish()
        let known = RegulationLibrary.documents.map(\.name)
        guard let source else {
            for document in RegulationLibrary.documents {
                let title = Regulation(document.text).title.map { " — \($0(.english))" } ?? ""
                Console.say(document.name + title)
            }
            return
        }
        guard let own else { throw UsageError("regulation new takes a name.", of: name) }
        guard let document = RegulationLibrary.documents.first(where: { $0.name == source }) else {
            throw UsageError("--from takes one of \(known.joined(separator: ", ")).", of: name)
        }
        guard let text = Regulation(document.text).text(named: own) else {
            throw UsageError("A name has up to 64 letters, digits and _, and is no word of the language.", of: name)
        }
        try Files.write(text, to: own + ".md")
        Console.say("\(own).md holds regulations to begin with. Next: gradecast regulation test \(own).md")
    }

    private static func compare(_ arguments: inout Arguments) throws {
        guard let before = arguments.word(), let after = arguments.word() else {
            throw UsageError("regulation diff takes two files.", of: name)
        }
        try arguments.finish()
        let texts = try [before, after].map { try Files.contents(of: $0, isRequired: true) ?? [] }
        let difference = RegulationDifference(from: texts[0], to: texts[1])
        for line in difference.lines() { Console.say(line) }
        for (file, text) in zip([before, after], texts) where Regulation(text).rulebook == nil {
            Console.complain("\(file) has faults, so no examples are compared.")
        }
        let examples = try difference.examples()
        if !examples.isEmpty { Console.say("Examples of \(before):") }
        for line in examples { Console.say("  " + line) }
    }

    /// Prints the rules of a document in words.
    private static func read(_ regulation: Regulation, in language: Language) throws {
        guard regulation.rulebook != nil else { return try tell(regulation.faults, in: language) }
        var article: String?
        for sentence in regulation.words(in: language) {
            if sentence.article != article {
                Console.say((article == nil ? "" : "\n") + sentence.article)
                article = sentence.article
            }
            for line in sentence.text.split(separator: "\n") { Console.say("  \(line)") }
        }
    }

    private static func tell(_ faults: [RegulationFault], in language: Language) throws {
        for fault in faults {
            let sort = fault.isWarning ? "warning: " : ""
            Console.say("\(fault.line):\(fault.column): \(sort)\(fault.code): \(fault.message(in: language))")
        }
        let errors = faults.count { !$0.isWarning }
        if errors > 0 { throw Failure(errors == 1 ? "1 fault" : "\(errors) faults") }
    }

    /// Tells which entries no class can grade. No document has to let one.
    private static func tellClasses(of regulation: Regulation, in language: Language) {
        for root in RegulationClasses(regulation, work: RegulationDesk.work).roots {
            guard let message = root.message?(language) else { continue }
            let article = root.place.flatMap { $0.article.isEmpty ? nil : " (\($0.article))" } ?? ""
            Console.say(
                "\(root.place.map { "\($0.line):\($0.column): " } ?? "")hint: not_mountable: \(message)\(article)")
        }
    }

    /// Checks the laws as the editor does, and reports those that are broken.
    private static func tellLaws(of regulation: Regulation, in language: Language) throws {
        guard let rules = regulation.rulebook else { return }
        let broken = RegulationDesk.laws(of: rules).violations
        for violation in broken {
            let place = regulation.place(of: violation)
            let message = rules.catalog.message(violation.fault, in: language)
            let article = place.flatMap { $0.article.isEmpty ? nil : " (\($0.article))" } ?? ""
            Console.say("\(place.map { "\($0.line):\($0.column): " } ?? "")law_broken: \(message)\(article)")
            if !violation.record.isNull { Console.say("  with: \(violation.record.text)") }
        }
        if !broken.isEmpty { throw Failure(broken.count == 1 ? "1 law is broken" : "\(broken.count) laws are broken") }
    }

    private static func test(_ text: [UInt8], _ regulation: Regulation, seed: UInt64, count: Int) throws {
        var broken = examples(regulation)
        for preset in [nil] + regulation.presets.map({ Optional($0) }) {
            guard let rules = preset == nil ? regulation.rulebook : Regulation(text, preset: preset).rulebook else {
                throw Failure("The preset \(preset ?? "") makes no rules.")
            }
            Console.say(preset.map { "preset \($0)" } ?? "settings as they stand")
            let violations = LawSuite(rules, seed: seed, records: count).violations()
            for law in Law.allCases {
                guard let violation = violations.first(where: { $0.law == law }) else {
                    Console.say("  kept    \(law.statement)")
                    continue
                }
                Console.say("  broken  \(law.statement)\n          seen: \(violation.detail)")
                if !violation.record.isNull { Console.say("          with: \(violation.record.text)") }
            }
            broken += violations.count
        }
        if broken > 0 { throw Failure(broken == 1 ? "1 failure" : "\(broken) failures") }
    }

    /// Works the examples and reports each; returns how many have an unexpected outcome.
    private static func examples(_ regulation: Regulation) -> Int {
        let results = regulation.workedExamples()
        for result in results {
            Console.say((result.differences.isEmpty ? "as expected  " : "different    ") + result.name)
            for difference in result.differences {
                Console.say("  line \(difference.line): \(difference.text(.english))")
            }
        }
        return results.count { !$0.differences.isEmpty }
    }
}
