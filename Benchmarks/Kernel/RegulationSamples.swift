import GradingKit
import GradingLaws
import IUT
import RegulationLibrary
import Regulations
import RoseHulman

/// Schemes in code and the documents of the library that say the same, with records that both judge.
struct RegulationSamples {
    /// A scheme in code, the document, and a record as each reads it.
    struct Pair {
        let scheme: Rulebook
        let document: Rulebook
        let records: (scheme: RecordTree, document: RecordTree)
    }

    /// Units of four subjects and a diploma with five conditions.
    let units: Pair
    /// One course of categories and items.
    let course: Pair
    /// Eight of them.
    let courses: Pair
    /// A document of the library.
    let document: [UInt8]
    /// One of 2,000 lines, with its examples.
    let long: [UInt8]

    init() throws {
        document = try Self.library("iut")
        long = Self.document(ofArticles: 200)
        let (iut, rose) = (try InstalledScheme(IUT.self).rulebook(), try InstalledScheme(RoseHulman.self).rulebook())
        let written = (try Self.rules(document), try Self.rules(Self.library("rose-hulman")))
        units = try Self.pair(iut, written.0, Self.units(7))
        course = try Self.pair(rose, written.1, Self.courses(1))
        courses = try Self.pair(rose, written.1, Self.courses(8))
    }

    private static func library(_ name: String) throws -> [UInt8] {
        guard let found = RegulationLibrary.documents.first(where: { $0.name == name }) else {
            throw Missing(name: name)
        }
        return Array(found.text)
    }

    private static func rules(_ text: [UInt8]) throws -> Rulebook {
        guard let rules = Regulation(text).rulebook else { throw Missing(name: "rules") }
        return rules
    }

    private struct Missing: Error { let name: String }

    private static func pair(_ scheme: Rulebook, _ document: Rulebook, _ entries: [String]) throws -> Pair {
        let json = try JSON.parse("[\(entries.joined(separator: ","))]")
        func tree(_ rules: Rulebook) throws -> RecordTree {
            var next = 0
            return try rules.calculation(
                fields: .null, entries: json,
                newID: {
                    next += 1
                    return EntryID("01a1fe60-b4be-7442-af3b-\(next)")
                })
        }
        return Pair(scheme: scheme, document: document, records: (try tree(scheme), try tree(document)))
    }

    private static func units(_ count: Int) -> [String] {
        (0..<count).map { number in
            let subjects = (0..<4).map { subject in
                let grade = (number * 4 + subject) % 9 == 0 ? "null" : "\((number * 7 + subject * 3) % 12 + 8).5"
                return """
                    {"kind":"subject","fields":{"title":"Subject \(subject)","weight":\(subject + 1),"grade":\(grade)}}
                    """
            }
            return """
                {"kind":"unit","fields":{"title":"Unit \(number)","weight":\(number % 4 + 3),\
                "professional":\(number % 2 == 0)},"children":[\(subjects.joined(separator: ","))]}
                """
        }
    }

    /// Courses of three categories with seventeen items together.
    private static func courses(_ count: Int) -> [String] {
        (0..<count).map { number in
            let categories = [("assignments", 20, 8), ("quizzes", 20, 6), ("exams", 60, 3)].map { name, weight, items in
                let list = (0..<items).map { item in
                    let grade = (number + item) % 7 == 6 ? "null" : "\((number * 13 + item * 11) % 41 + 60)"
                    return #"{"kind":"item","fields":{"title":"Item \#(item)","weight":1,"grade":\#(grade)}}"#
                }
                return """
                    {"kind":"category","fields":{"category":"\(name)","weight":\(weight)},\
                    "children":[\(list.joined(separator: ","))]}
                    """
            }
            return """
                {"kind":"course","fields":{"title":"Course \(number)","quarter":1,"year":\(2018 + number),"credits":4},\
                "children":[\(categories.joined(separator: ","))]}
                """
        }
    }

    /// A document of ten lines an article: prose, a figure, and to every tenth article a worked example.
    private static func document(ofArticles count: Int) -> [UInt8] {
        var text = """
            # Regulations

            ```rules
            regulation long "Long" language 1
            scale mark "/20" worst 0 best 20 step 0.01
            rounding averages half up, 2 decimals, judged as shown
            entry unit "Unit" at most 20 statuses excused, absent
                title text
                weight number in weight from 0 starts at 1
                code text optional
                grade grade in mark
            ```

            """
        for number in 0..<count {
            text += """

                ## Article \(number)
                The average of this article is the mean of the units by their weights.
                A unit without a grade does not count.

                ```rules
                figure average\(number) in mark "Average \(number)" shown by averages
                    = min(20, mean of grade over unit where weight > \(number % 3) weighted by weight otherwise 0)
                \(number % 10 == 0 ? example(number) : "outcome reached\(number)\n    needs average\(number) reaches 10 else too_low")
                ```

                """
        }
        return Array(text.utf8)
    }

    private static func example(_ number: Int) -> String {
        """
        example example\(number) "Example \(number)"
            unit "A" weight 3 grade 12
            unit "B" weight 3 grade 8
            expect average\(number) = 10
        """
    }
}
