import GradingKit
import RegulationLibrary
import Regulations
import Testing

/// Documents that the tests write down or read.
enum Document {
    /// A document of the repository.
    static func shipped(_ name: String) throws -> String {
        let document = try #require(RegulationLibrary.documents.first { $0.name == name })
        return String(decoding: document.text, as: UTF8.self)
    }

    /// What most documents of the tests begin with: units of subjects out of 20, and categories of items.
    static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        scale german worst 5 best 1 step 0.1
        rounding averages half up, 2 decimals, judged as shown
        rounding whole half up, 0 decimals, judged exactly
        bands letters in percent judged by averages worth gp
            A 90 4
            B 50 3
            F 0
        bands steep in mark
            good 10
            bad 0
        setting bar in mark = 10 from 0 to 20 "Bar"
        setting strict = no "Strict"
        setting rules = lp one of lp, dut "Rules"
        entry unit statuses excused, pending, transfer
            title text
            weight number in weight from 0
            core yes/no optional
        entry subject in unit statuses excused, absent, pending
            title text
            weight number in weight from 0
            grade grade in mark
            low grade in german
            code text optional
            kind_of one of paper, exams optional
            balance number optional
        entry category statuses excused
            title text
            share number in weight optional from 0
        entry item in category
            title text optional
            score grade out of max to any
            max number above 0
            percent grade in percent
        """

    /// A document of one block: the heading and some declarations.
    static func text(_ rules: String, heading: String = heading) -> String {
        "# Article one\n\nProse.\n\n```rules\n\(heading)\n\(rules)\n```\n"
    }

    static func regulation(_ rules: String) -> Regulation { Regulation(Array(text(rules).utf8)) }

    /// What is wrong with some declarations, as `code: message`.
    static func faults(_ rules: String, heading: String = heading, in language: Language = .english) -> [String] {
        Regulation(Array(text(rules, heading: heading).utf8)).faults.map { "\($0.code): \($0.message(in: language))" }
    }
}
