import GradingKit
import Testing

/// Rulebooks whose rules are data, and what their formulas may do with entries.
@Suite struct RulebookFromDataTests {
    private static let part: Kind = "part"
    private static let piece: Kind = "piece"
    private static let grade = Field<Exact>("grade")
    private static let rank = Field<Exact>("rank")
    private static let isFixed = Field<Bool>("fixed")

    /// Parts with pieces in them, each graded out of 20, and one figure over them.
    private func rules(
        _ formula: @escaping @Sendable (GradedEntry) -> Quantity,
        refusing holds: (@Sendable (GradedEntry) -> Bool)? = nil
    ) -> Rulebook {
        func label(_ text: String) -> LocalizedText { LocalizedText(verbatim: text) }
        let fields: [FieldShape] = [
            .number(Self.grade, label("Grade")).optional().atLeast(0).atMost(20).asGrade(best: 20),
            .number(Self.rank, label("Rank")).optional(), .flag(Self.isFixed, label("Fixed")).optional(),
        ]
        let piece = KindShape(Self.piece, label("Piece"), statuses: [.pending, .excused], fields: fields)
        let shape = RecordShape(kinds: [
            KindShape(Self.part, label("Part"), statuses: [.pending, .excused], fields: fields, children: [piece])
        ])
        return Rulebook(scheme: "data", configuration: ["bar": 10], shape: shape) { registrar in
            let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
            registrar.words(["uneven": label("Uneven")])
            registrar.calculate("figure", Presentation(label("Figure"), rule), formula)
            if let holds { registrar.refuse(Self.part, as: "uneven", unless: holds) }
        }
    }

    private func part(
        _ id: String, _ grade: JSON, rank: JSON = .null, fixed: Bool = false, status: JSON = .null,
        _ pieces: [JSON] = []
    ) -> JSON {
        [
            "id": .string(id), "kind": .string(id.utf8.count > 1 ? "piece" : "part"), "status": status,
            "fields": ["grade": grade, "rank": rank, "fixed": .bool(fixed)], "children": .array(pieces),
        ]
    }

    private func standing(_ rules: Rulebook, _ entries: [JSON]) throws -> Standing {
        let record = try rules.calculation(fields: .null, entries: .array(entries), newID: { EntryID("new") })
        return try rules.standing(of: record, explaining: .all)
    }

    /// The figure, once its explanation has been seen to give it.
    private func value(
        _ entries: [JSON], _ formula: @escaping @Sendable (GradedEntry) -> Quantity
    ) throws -> Quantity.State {
        let standing = try standing(rules(formula), entries)
        let figure = try #require(standing.figure("figure"))
        let trace = try #require(standing.traces.first).trace
        #expect(trace.reevaluated() == figure.current)
        return figure.current
    }

    private let four: [(String, Int)] = [("a", 12), ("b", 8), ("c", 15), ("d", 8)]

    private var parts: [JSON] { four.map { part($0.0, .number(String($0.1))) } }

    @Test func `a rulebook of data judges records like one of a scheme`() throws {
        let rules = rules({ $0.children(Self.part).mean { $0[Self.grade] } })
        #expect(rules.configuration == ["bar": 10])
        #expect(try standing(rules, parts).figure("figure")?.display == "10.75")
        #expect(throws: FaultList.self) { try standing(rules, [part("a", 21)]) }
    }

    @Test func `the least, the greatest and the middle value`() throws {
        let open = parts + [part("e", .null), part("f", 1, status: "excused")]
        #expect(try value(open) { $0.children(Self.part).least { $0[Self.grade] } } == .value(8))
        #expect(try value(open) { $0.children(Self.part).greatest { $0[Self.grade] } } == .value(15))
        #expect(try value(open) { $0.children(Self.part).median { $0[Self.grade] } } == .value(10))
        #expect(try value(parts + [part("e", 11)]) { $0.children(Self.part).median { $0[Self.grade] } } == .value(11))
        #expect(try value([]) { $0.children(Self.part).median { $0[Self.grade] } } == .undefined(.noGrades))
    }

    @Test func `the most frequent value, of equally frequent ones the better`() throws {
        #expect(try value(parts) { $0.children(Self.part).mode { $0[Self.grade] } } == .value(8))
        let even = [part("a", 12), part("b", 8), part("c", .null), part("d", 3, status: "excused")]
        #expect(try value(even) { $0.children(Self.part).mode { $0[Self.grade] } } == .value(12))
        #expect(try value(even) { $0.children(Self.part).mode(of: { $0[Self.grade] }, better: .lower) } == .value(8))
        #expect(try value([]) { $0.children(Self.part).mode { $0[Self.grade] } } == .undefined(.noGrades))
    }

    @Test func `the best up to an amount, of the last as much as is needed`() throws {
        func best(_ limit: Exact, of entries: [JSON]) throws -> Quantity.State {
            try value(entries) { record in
                record.children(Self.part).mean(
                    of: { $0[Self.grade] }, best: limit, of: { $0[Self.rank] },
                    by: [RankKey { $0[Self.grade] }])
            }
        }
        let three = [part("a", 10, rank: 6), part("b", 14, rank: 6), part("c", 8, rank: 6)]
        #expect(try best(10, of: three) == .value(try #require(Exact(ratio: "62/5"))))
        #expect(try best(12, of: three) == .value(12))
        #expect(try best(100, of: three) == .value(try #require(Exact(ratio: "32/3"))))
        // What has no grade, no amount, or is excused takes no part of it.
        let others = [part("d", .null, rank: 6), part("e", 20), part("f", 20, rank: 0)]
        #expect(try best(12, of: three + others + [part("g", 20, rank: 6, status: "excused")]) == .value(12))
        #expect(try best(0, of: three) == .undefined(.noGrades))
        #expect(try best(-1, of: three) == .undefined(.noGrades))
    }

    @Test func `a curve is read off the lines between its points, and holds beyond them`() throws {
        let curve = try #require(
            Curve([Curve.Point(from: 0, to: 4), Curve.Point(from: 10, to: 2), Curve.Point(from: 20, to: 2)]))
        #expect(!curve.rises)
        let read = try value([part("a", 5), part("b", 20)]) { record in
            record.children(Self.part).sum { curve($0[Self.grade]) }
        }
        #expect(read == .value(5))
        #expect([-1, 21].map { curve(Exact($0)) } == [4, 2])
        func point(_ from: Int, _ to: Int) -> Curve.Point { Curve.Point(from: Exact(from), to: Exact(to)) }
        #expect(
            Curve([]) == nil && Curve([point(1, 1), point(1, 2)]) == nil && Curve([point(2, 1), point(1, 2)]) == nil)
        #expect(Curve([point(0, 0), point(1, 2), point(2, 1)]) == nil)
        #expect(Curve((0...Curve.most).map { point($0, $0) }) == nil)
    }

    @Test func `the greater of two quantities`() throws {
        let entries = [part("a", 12, rank: 14), part("b", 9, rank: 3)]
        let sum = try value(entries) { $0.children(Self.part).sum { .max($0[Self.grade], $0[Self.rank]) } }
        #expect(sum == .value(23))
        #expect(
            try value([part("a", 12)]) { $0.children(Self.part).sum { .max($0[Self.grade], $0[Self.rank]) } }
                == .undefined(.missingField))
    }

    @Test func `the best are kept, and equals told apart by entry id`() throws {
        let kept = try value(parts) { record in
            record.children(Self.part).keeping(best: 3, by: { $0[Self.grade] }).mean { $0[Self.grade] }
        }
        #expect(kept == .value(try #require(Exact(35, over: 3))))
        func seconds(_ entries: [JSON]) throws -> Quantity.State {
            try value(entries) { record in
                let keys = [RankKey { $0[Self.grade] }]
                return record.children(Self.part).keeping(best: 3, by: keys).sum { $0.id.text == "d" ? 1 : 0 }
            }
        }
        #expect(try seconds(parts) == .value(1))
        #expect(try seconds(parts.reversed()) == .value(1))
    }

    @Test(arguments: [9, 63, 64, 65, 90], [Trace.Usage.dropped, .superseded])
    func `what rules take out one after the other counts nothing`(count: Int, usage: Trace.Usage) throws {
        let grades = (0..<count).map { $0 % 21 }
        // A part's name is one character.
        let entries = grades.enumerated().map { place, grade in
            part(String(decoding: [0x21 + UInt8(place)], as: UTF8.self), .number(String(grade)))
        }
        let kept = grades.filter { $0.isMultiple(of: 2) && $0 > 4 }
        @Sendable func left(_ record: GradedEntry) -> GradedEntries {
            record.children(Self.part).keeping { ($0[Self.grade].value?.integer ?? 1).isMultiple(of: 2) }
                .keeping(as: usage) { ($0[Self.grade].value ?? .zero) > 4 }
        }
        let sum = Quantity.State.value(Exact(kept.reduce(0, +)))
        #expect(try value(entries) { left($0).sum { $0[Self.grade] } } == sum)
        #expect(try value(entries) { left($0).reduce(0) { $0 + $1[Self.grade] } } == sum)
    }

    @Test func `the worst are dropped by several keys, but none that is spared`() throws {
        let entries = [
            part("a", 8, rank: 1), part("b", 8, rank: 2), part("c", 15), part("d", 3, fixed: true), part("e", .null),
        ]
        func sum(_ count: Int) throws -> Quantity.State {
            try value(entries) { record in
                let keys = [RankKey { $0[Self.grade] }, RankKey({ $0[Self.rank] }, better: .lower)]
                return record.children(Self.part).dropping(worst: count, by: keys, sparing: { $0[Self.isFixed] })
                    .keeping { $0[Self.grade].isDefined }.sum { $0[Self.grade] * 100 + $0[Self.rank].or(0) }
            }
        }
        // Of the two that are equal the second key drops b; d is spared, and e has nothing to be dropped.
        #expect(try sum(1) == .value(2601))
        #expect(try sum(2) == .value(1800))
        #expect(try sum(9) == .value(300))
    }

    @Test func `the best are dropped`() throws {
        let rest = try value(parts) { record in
            record.children(Self.part).dropping(best: 1, by: [RankKey { $0[Self.grade] }]).sum { $0[Self.grade] }
        }
        #expect(rest == .value(28))
    }

    @Test func `of those that compete the best counts, the greater id of equals`() throws {
        let entries = [part("a", 8, rank: 1), part("c", 8, rank: 1), part("b", 9, rank: 2), part("d", .null, rank: 2)]
        let sum = try value(entries) { record in
            record.children(Self.part).superseding(by: { $0[Self.rank].value }, best: [RankKey { $0[Self.grade] }])
                .sum { $0[Self.grade] + ($0.id.text == "c" ? 100 : 0) }
        }
        #expect(sum == .value(117))
    }

    @Test func `everything of a kind inside, at whatever depth`() throws {
        let entries = [part("a", 1, [part("aa", 2), part("ab", 3)]), part("b", 4, [part("ba", 5)])]
        #expect(try value(entries) { $0.inside(Self.piece).sum { $0[Self.grade] } } == .value(10))
        #expect(try value(entries) { $0.inside(Self.part).sum { $0[Self.grade] } } == .value(5))
        #expect(try value(entries) { $0.inside("none").sum { $0[Self.grade] } } == .value(0))
    }

    @Test func `an entry awaits a grade when something in it does`() throws {
        let waiting = part("a", 1, [part("aa", .null, status: "pending")])
        let counted = try value([waiting, part("b", 1)]) { record in
            record.children(Self.part).sum { $0.awaitsGradeInside ? 1 : $0.awaitsGrade ? 10 : 0 }
        }
        #expect(counted == .value(1))
    }

    @Test func `a condition on what is recorded refuses the entry that breaks it`() throws {
        let rules = rules({ _ in 0 }, refusing: { part in part.children(Self.piece).sum { $0[Self.grade] }.value == 5 })
        func faults(_ entries: [JSON]) -> [String] {
            do {
                _ = try rules.calculation(fields: .null, entries: .array(entries), newID: { EntryID("new") })
                return []
            } catch {
                return error.faults.map { "\($0.code) \($0.path)" }
            }
        }
        #expect(faults([part("a", 1, [part("aa", 2), part("ab", 3)])]) == [])
        #expect(faults([part("a", 1, [part("aa", 2), part("ab", 3)]), part("b", 1)]) == ["uneven /entries/1"])
        #expect(
            faults([part("a", 1, [part("aa", "x")])]) == [
                "uneven /entries/0", "not_a_number /entries/0/children/0/fields/grade",
            ])
    }
}
