@testable import GradingKit
@testable import GradingLaws
import Synchronization
import Testing

/// Each law is broken on purpose by a scheme that is otherwise good, so that none of them is vacuous.
@Suite struct LawSuiteTests {
    private func laws<Difference: Toyness>(
        brokenBy difference: Difference.Type, steps: Int = 200
    ) throws -> [LawViolation] {
        let rules = try InstalledScheme(Toy<Difference>.self).rulebook()
        return LawSuite(rules, records: 60, steps: steps).violations()
    }

    @Test func `a good scheme breaks no law`() throws {
        enum Good: Toyness {}
        #expect(try laws(brokenBy: Good.self).map(\.description) == [])
    }

    @Test func `nothing is not zero`() throws {
        enum Zero: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                record.children(Item.kind).mean(of: \.percent).or(0)
            }
        }
        let broken = try laws(brokenBy: Zero.self)
        #expect(broken.map(\.law) == [.emptyIsUndefined])
        #expect(broken.first?.description == "an empty record is undefined: “Grade” is 0")
    }

    @Test func `the first entry is no better than the last`() throws {
        enum First: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                var isFirst = true
                return record.children(Item.kind).keeping { _ in
                    defer { isFirst = false }
                    return isFirst
                }.mean(of: \.percent)
            }
        }
        let broken = try laws(brokenBy: First.self)
        #expect(broken.map(\.law) == [.orderIsIrrelevant])
        let finding = try #require(broken.first?.finding)
        #expect(finding.english == "“Grade”: 100 instead of no value")
        #expect(finding.french == "« Grade » : 100 (attendu : aucune valeur)")
        #expect(finding.chinese == "“Grade”：100（应为：无数值）")
    }

    @Test func `points without their maximum say nothing`() throws {
        enum Points: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                let items = record.children(Item.kind)
                return items.isEmpty ? .undefined(.noGrades) : items.sum { $0[Item.points] }
            }
        }
        let broken = try laws(brokenBy: Points.self)
        #expect(broken.map(\.law) == [.scaleIsIrrelevant])
        #expect(broken.first?.detail == "“Grade”, ceiling: 2 instead of 1")
    }

    @Test func `a total that says it counts points is one`() throws {
        enum Counting: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                let label = Presentation(
                    LocalizedText(verbatim: "Total"), FigureRule(.halfUp, scale: 2, compareOn: .displayed))
                registrar.calculate("total", label.countingPoints()) { record in
                    record.children(Item.kind).sum { $0[Item.points] }
                }
            }
        }
        #expect(try laws(brokenBy: Counting.self).map(\.description) == [])
    }

    @Test func `a validator does not refuse what the shape admits`() throws {
        enum Narrow: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                registrar.validate(Item.kind) { item, faults in
                    if let weight = item[Item.weight], weight > 9 { faults.add(.outOfRange, at: item, Item.weight) }
                }
            }
        }
        #expect(try laws(brokenBy: Narrow.self).map(\.law) == [.shapeAndValidatorAgree])
    }

    @Test func `a validator that refuses everything agrees with no shape`() throws {
        enum Stubborn: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                registrar.validate(.record) { record, faults in
                    if !record.children(Item.kind).isEmpty { faults.add(.entryLimit, at: record, ["limit": 0]) }
                    faults.add(.outOfRange, at: record)
                }
            }
        }
        #expect(try laws(brokenBy: Stubborn.self).map(\.law) == [.shapeAndValidatorAgree])
    }

    @Test func `a template fits its own scheme`() throws {
        enum Misfit: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                registrar.template("sample", LocalizedText(verbatim: "Sample"), entries: [["kind": "item"]])
            }
        }
        let broken = try laws(brokenBy: Misfit.self)
        #expect(broken.map(\.detail) == ["the checks refuse the template “sample”"])
    }

    @Test func `a grade counts once`() throws {
        enum Twice: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                let mean = record.children(Item.kind).mean(of: \.percent)
                return (mean + mean) / 2
            }
        }
        #expect(try laws(brokenBy: Twice.self).map(\.law) == [.gradesCountOnce])
    }

    @Test func `an explanation that gives another value is found out`() throws {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .exact)
        let figure = StandingFigure(
            name: "grade", current: .value(3), floor: .value(3), ceiling: .value(3),
            presentation: Presentation(LocalizedText(verbatim: "Grade"), rule))
        let recording = TraceRecording()
        func sum(_ terms: Exact...) throws -> Trace {
            try #require(recording.trace(.sum, .value(3), terms.compactMap { recording.trace(.constant, .value($0)) }))
        }
        #expect(try LawSuite.contradiction(of: sum(1, 2), with: figure) == nil)
        #expect(
            try LawSuite.contradiction(of: sum(1, 3), with: figure) == "grade is value(3), its trace gives value(4)")
    }

    @Test func `no grade is lost`() throws {
        enum Forgetful: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                record.children(Item.kind).min { $0.id < $1.id }?.percent ?? .undefined(.noGrades)
            }
        }
        #expect(try laws(brokenBy: Forgetful.self).map(\.law) == [.gradesCountOnce])
    }

    @Test func `better grades make no worse figure`() throws {
        enum Upside: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                100 - record.children(Item.kind).mean(of: \.percent)
            }
        }
        let broken = try laws(brokenBy: Upside.self).map(\.law)
        #expect(broken.contains(.floorBelowCeiling))
    }

    @Test func `what is not graded yet does not raise the figure above its best`() throws {
        enum Generous: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                let items = record.children(Item.kind)
                let bonus = Exact(items.count { !$0[Item.points].isDefined } * 1000)
                return items.mean(of: \.percent) + Quantity(bonus)
            }
        }
        #expect(try laws(brokenBy: Generous.self).map(\.law) == [.currentInRange])
    }

    @Test func `chance has no part in it`() throws {
        enum Moody: Toyness {
            static let calls = Atomic(0)
            static func grade(_ record: GradedEntry) -> Quantity {
                let mood = calls.add(1, ordering: .relaxed).newValue
                return record.children(Item.kind).mean(of: \.percent) + Quantity(Exact(mood))
            }
        }
        #expect(try laws(brokenBy: Moody.self).map(\.law).contains(.isDeterministic))
    }

    @Test func `every code is worded`() throws {
        enum Speechless: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                registrar.warn(Item.kind) { item, warnings in warnings.add("unheard_of", at: item) }
            }
        }
        #expect(try laws(brokenBy: Speechless.self).map(\.detail) == ["unheard_of has no wording"])
    }

    @Test func `wording gets every argument it mentions`() throws {
        enum Vague: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                registrar.words(["odd": LocalizedText(verbatim: "{thing} is odd")])
                registrar.warn(Item.kind) { item, warnings in warnings.add("odd", at: item) }
            }
        }
        #expect(try laws(brokenBy: Vague.self).map(\.detail) == ["odd lacks an argument: {thing} is odd"])
    }

    @Test func `the greatest record costs a few steps for each entry`() throws {
        enum Thorough: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                let items = record.children(Item.kind)
                return items.mean { item in
                    let rest = items.keeping { $0.percent.isDefined }
                    return rest.isEmpty ? .undefined(.noGrades) : item.percent
                }
            }
        }
        enum Good: Toyness {}
        #expect(try laws(brokenBy: Thorough.self, steps: 10).map(\.law) == [.staysInBounds])
        #expect(try laws(brokenBy: Good.self, steps: 10).isEmpty)
    }

    @Test func `figures of one entry have names of their own`() throws {
        enum Twins: Toyness {
            static func register(in registrar: inout SchemeRegistrar) {
                let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
                let label = Presentation(LocalizedText(verbatim: "Grade"), rule)
                registrar.calculate("grade", label) { grade($0) }
                registrar.decide("share", of: Item.kind, LocalizedText(verbatim: "Share")) { _ in nil }
                registrar.calculate("share", of: Item.kind, label) { $0.percent }
                for _ in 0..<2 { registrar.calculate(eachOf: "term", label) { _ in [] } }
            }
        }
        let rules = try InstalledScheme(Toy<Twins>.self).rulebook()
        #expect(rules.clashingNames == ["grade of the record", "share of item", "term of the record's families"])
        #expect(try laws(brokenBy: Twins.self).map(\.law).contains(.namesAreUnique))
    }

    /// A rule that is wrong at one value only, which a hundred random records would hardly meet.
    @Test func `records lie at the bounds of bands`() throws {
        enum Edge: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                let mean = record.children(Item.kind).mean(of: \.percent)
                return mean.value == Exact(737, over: 10) ? 0 : mean
            }
            static func register(in registrar: inout SchemeRegistrar) {
                let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
                let bands = Bands([Band("good", from: Exact(737, over: 10) ?? 0), Band("bad", from: 0)], judging: rule)
                registrar.calculate(
                    "shown", Presentation(LocalizedText(verbatim: "Shown"), rule).lettered(by: bands)
                ) { record in record.figure("grade") }
            }
        }
        let rules = try InstalledScheme(Toy<Edge>.self).rulebook()
        let broken = LawSuite(rules, records: 60).violations().map(\.law)
        #expect(broken.contains(.currentInRange))
    }

    @Test func `the same seed finds the same record`() throws {
        enum Zero: Toyness {
            static func grade(_ record: GradedEntry) -> Quantity {
                record.children(Item.kind).mean(of: { $0[Item.points] })
            }
        }
        let runs = try (0..<2).map { _ in try laws(brokenBy: Zero.self).map(\.record) }
        #expect(runs[0] == runs[1])
        #expect(runs[0].allSatisfy { $0["entries"]?.array?.isEmpty == false })
    }
}
