import GradingKit
import RoseHulman
import SchemeTestKit
import Testing

/// Categories that drop results, and extra credit.
@Suite struct DropTests {
    @Test(arguments: [
        ("the lowest", "exams 100-1 [1@50, 1@90, 1@80]", "85 → 85.00"),
        ("the highest", "exams 100^1 [1@50, 1@90, 1@80]", "65 → 65.00"),
        ("both", "exams 100-1^1 [1@50, 1@90, 1@80]", "80 → 80.00"),
        ("one stays", "exams 100-3^3 [1@50, 1@90]", "90 → 90.00"),
        ("one stays of the highest", "exams 100^3 [1@50, 1@90]", "50 → 50.00"),
        ("not the lowest percentage, but what costs most", "exams 100-1 [80/100, 20/100, 1/20]", "135/2 → 67.50"),
        ("an absence goes like any other result", "exams 100-1 [1@0, 1@90]", "90 → 90.00"),
        ("of weight 0 nothing counts or goes", "exams 100-1 [0@10, 1@50, 1@90]", "90 → 90.00"),
        ("extra credit", "exams 100 [27/30, 116/140, 10/10, 5/5+]", "790/9 → 87.78"),
        ("extra credit before the exam", "exams 100 [27/30, —/140, 5/5+]", "1580/17 → 92.94"),
        ("extra credit makes up for what was lost, up to 100", "exams 100 [9/10, 5/5+]", "100 → 100.00"),
        ("what is above 100 by itself stays", "exams 100 [11/10, 5/5+]", "110 → 110.00"),
        ("extra credit never goes", "exams 100-1 [10/20, 20/20, 0/10+]", "100 → 100.00"),
        ("extra credit alone", "exams 100 [5/5+]", "(no_grades)"),
    ])
    func `what goes, and what extra credit adds`(name: String, course: String, grade: String) throws {
        let standing = try Trial(RoseHulman.self).standing([Transcript.course(course)])
        #expect(standing.reading("grade", of: "1") == grade, "\(name)")
    }

    @Test(arguments: [
        ("exams 100-1 [1@90, 1@10, 1@—]", "90 → 90.00", "50.00…95.00"),
        ("exams 100-1^1 [1@90, 1@10, 1@40, 1@—]", "40 → 40.00", "25.00…65.00"),
        ("exams 100 [27/30, —/140, 5/5+]", "1580/17 → 92.94", "18.82…100.00"),
        ("exams 100 [5/5+, —/10]", "(no_grades)", "0.00…100.00"),
        ("exams 100 [27/30, —/5+]", "90 → 90.00", "90.00…100.00"),
    ])
    func `what is still to come opens a range around it`(course: String, grade: String, range: String) throws {
        let standing = try Trial(RoseHulman.self).standing([Transcript.course(course)])
        #expect(standing.reading("grade", of: "1") == grade)
        #expect(standing.range("grade", of: "1") == range)
    }

    @Test func `what is dropped has no share of the course, and extra credit what it adds`() throws {
        let courses = [
            Transcript.course("exams 100-1 [1@50, 1@90, 1@80]"), Transcript.course("exams 100 [40/45, 50/55, 5/10+]"),
            Transcript.course("exams 100-1 [1@70, 1@70, 1@70]"),
        ]
        let standing = try Trial(RoseHulman.self).standing(courses)
        func shares(_ course: Int) -> [String] {
            (1...3).map { standing.display("effectiveWeight", of: "\(course).1.\($0)") }
        }
        #expect(shares(1) == ["—", "50.0", "50.0"])
        #expect(shares(2) == ["45.0", "55.0", "10.0"])
        #expect(shares(3) == ["—", "50.0", "50.0"])
    }

    @Test func `the explanation names what is dropped`() throws {
        let standing = try Trial(RoseHulman.self).standing(
            [Transcript.course("exams 100-1 [1@50, 1@90, 4/5+]")], explaining: .named(["percent@1.1"]))
        let traces = try JSON.parse(standing.json(of: nil, in: .english))["traces"]
        let dropped = traces?["nodes"]?.array?.filter { $0["state"] == "dropped" }
        #expect(dropped?.map { $0["entry"] } == ["1.1.1"])
    }

    @Test func `of equal results the explanation drops the one that has no share`() throws {
        let standing = try Trial(RoseHulman.self).standing(
            [Transcript.course("exams 100-1 [1@70, 1@70, 1@70]")], explaining: .named(["percent@1.1"]))
        let traces = try JSON.parse(standing.json(of: nil, in: .english))["traces"]
        let dropped = traces?["nodes"]?.array?.filter { $0["state"] == "dropped" }
        #expect(dropped?.map { $0["entry"]?.string } == ["1.1.1"])
    }

    @Test func `a goal knows what will go`() throws {
        let trial = try Trial(RoseHulman.self)
        let record = try trial.record([Transcript.course("exams 100-1 [40/100, 60/100, —/100]")])
        let answer = try trial.rules.answer(to: Goal("grade", of: EntryID("1"), reaches: .named("B")), in: record)
        #expect(answer.reading == "reachable 100")
    }

    @Test func `participation drops nothing`() throws {
        #expect(
            try Trial(RoseHulman.self).faults([Transcript.course("part 100-1^2@50")]) == [
                "unknown_field /entries/0/children/0/fields/dropHighest",
                "unknown_field /entries/0/children/0/fields/dropLowest",
            ])
    }

    /// All ways to leave out `count` of some items.
    private static func without(_ count: Int, _ items: [[Exact]]) -> [[[Exact]]] {
        guard count > 0, let first = items.first else { return count == 0 ? [items] : [] }
        return without(count - 1, Array(items.dropFirst()))
            + without(count, Array(items.dropFirst())).map { [first] + $0 }
    }

    @Test func `of all ways to drop both ends it is the best of the worst, and a better result never lowers it`() throws
    {
        let trial = try Trial(RoseHulman.self)
        var state: UInt64 = 20
        func draw(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        func grade(_ items: [[Int]], _ lowest: Int, _ highest: Int) throws -> Exact {
            let texts = items.map { "\($0[0])/\($0[1])" }.joined(separator: ", ")
            let course = Transcript.course("exams 100-\(lowest)^\(highest) [\(texts)]")
            let figure = try trial.standing([course]).entry(EntryID("1"))?.figures.first { $0.name == "grade" }
            guard case .value(let value)? = figure?.current else { throw FaultList([Fault("no_grade")]) }
            return value
        }
        for _ in 0..<60 {
            let (lowest, highest) = (draw(3), draw(3))
            var items = (0..<(lowest + highest + 1 + draw(3))).map { _ -> [Int] in
                let most = draw(40) + 1
                return [draw(UInt64(most) + 1), most]
            }
            let exact = items.map { [Exact($0[0]), Exact($0[1])] }
            func ratio(_ some: [[Exact]]) -> Exact {
                let (top, bottom) = (
                    some.reduce(Exact.zero) { $0 + $1[0] }, some.reduce(Exact.zero) { $0 + $1[1] }
                )
                return (top * 100 / bottom) ?? .zero
            }
            let found = try grade(items, lowest, highest)
            let worst = Self.without(lowest, exact).map { Self.without(highest, $0).map(ratio).min() ?? .zero }
            #expect(found == worst.max(), "\(items) -\(lowest)^\(highest)")
            let index = draw(UInt64(items.count))
            items[index][0] = items[index][1]
            #expect(try grade(items, lowest, highest) >= found, "\(items) -\(lowest)^\(highest)")
        }
    }
}
