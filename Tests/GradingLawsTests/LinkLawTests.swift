import GradingKit
import GradingLaws
import Testing

/// Which kinds can be the root of a class.
@Suite struct LinkLawTests {
    private static let folder: Kind = "folder"
    private static let work: Kind = "work"
    private static let title = Field<String>("title")
    private static let grade = Field<Exact>("grade")
    private static let rule = FigureRule(.halfUp, scale: 2, compareOn: .exact)

    private static func label(_ text: String) -> LocalizedText { LocalizedText(verbatim: text) }

    /// Folders of works, with the mean of each folder and what `register` adds.
    private func rules(_ register: (inout SchemeRegistrar) -> Void) -> Rulebook {
        let work = KindShape(
            Self.work, Self.label("Work"), statuses: [.absent, .pending],
            fields: [.number(Self.grade, Self.label("Grade")).optional().atLeast(0).atMost(20).asGrade(best: 20)])
        let folder = KindShape(
            Self.folder, Self.label("Folder"), fields: [.text(Self.title, Self.label("Title"))], children: [work])
        return Rulebook(scheme: "folders", configuration: .null, shape: RecordShape(kinds: [folder])) { registrar in
            registrar.calculate("mean", of: Self.folder, Presentation(Self.label("Mean"), Self.rule)) { folder in
                folder.children(Self.work).mean { $0[Self.grade] }
            }
            register(&registrar)
        }
    }

    @Test func `a kind whose figures say all that others ask may be the root`() throws {
        let laws = LawSuite(
            rules { registrar in
                registrar.calculate("total", Presentation(Self.label("Total"), Self.rule)) { record in
                    record.children(Self.folder).mean { $0.figure("mean") }
                }
                registrar.decide("final", Self.label("Final")) { record in
                    record.awaitsGradeInside ? .pending(because: DecisionReason(.pendingGrade)) : .met
                }
            })
        #expect(laws.mountableKinds() == [Self.folder, Self.work])
    }

    @Test func `one into which others look is not mountable, and the counter-example shows what changes`() throws {
        let laws = LawSuite(
            rules { registrar in
                registrar.calculate("best", Presentation(Self.label("Best"), Self.rule)) { record in
                    record.inside(Self.work).greatest { $0[Self.grade] }
                }
            })
        let found = try #require(laws.counterexample(toMounting: Self.folder))
        #expect(found.kind == Self.folder)
        #expect(found.detail == "“Best”: no value instead of 18")
        #expect(found.record["entries"]?.array?.isEmpty == false)
        #expect(laws.mountableKinds() == [Self.work])
    }

    @Test func `a grade that is awaited is asked of links as of what they stand for`() throws {
        let laws = LawSuite(
            rules { registrar in
                registrar.decide("final", Self.label("Final")) { record in
                    let awaits = record.inside(Self.work).contains(where: \.awaitsGrade)
                    return awaits ? .pending(because: DecisionReason(.pendingGrade)) : .met
                }
            })
        #expect(laws.counterexample(toMounting: Self.folder)?.detail == "“Final”: met (final) instead of open (final)")
    }
}
