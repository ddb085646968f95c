import GradingKit
import Records
import Shared
import Testing

/// Courses with a grade, each passed or not.
private struct Passing: GradingScheme {
    struct Configuration: SchemeConfiguration {
        static func describe(_ form: inout SettingsForm<Self>) {}
    }

    static let identifier: SchemeIdentifier = "passing"
    static let title = LocalizedText(verbatim: "Passing")
    static let summary = LocalizedText(verbatim: "Courses with a grade.")
    static let course: Kind = "course"
    static let grade = Field<Exact>("grade")
    static let points = Figure("points")

    init(configuration: Configuration) {}

    var shape: RecordShape {
        let grade = FieldShape.number(Self.grade, LocalizedText(verbatim: "Grade")).optional().asGrade(best: 20)
        return RecordShape(kinds: [
            KindShape(Self.course, LocalizedText(verbatim: "Course"), fields: [grade])
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        registrar.words(["below": LocalizedText(verbatim: "Below")])
        registrar.calculate(
            Self.points, of: Self.course, Presentation(LocalizedText(verbatim: "Points"), rule)
        ) { $0[Self.grade] }
        let bar = Bar(10, judging: rule)
        registrar.decide("passed", of: Self.course, LocalizedText(verbatim: "Passed")) {
            $0.figure(Self.points).reaches(bar, orReason: "below")
        }
    }
}

/// What a jury decides of an entry that stands for a row of a class.
@Suite struct DecisionTests {
    private static let course = EntryID("c")
    private let rules: RecordRules
    private let head = RecordHead(
        id: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
        student: AccountID("s"), createdAt: Timestamp(microseconds: 0))

    init() throws {
        rules = RecordRules(
            rules: try InstalledScheme(Passing.self).rulebook(), programVersion: 1, language: .english,
            newID: { EntryID("new") })
    }

    private func snapshot(_ amendment: Amendment, version: Int) -> RecordSnapshot {
        RecordSnapshot(
            head: head, epoch: Epoch("e"), fullVersion: version, releasedVersion: version, full: amendment.full,
            released: amendment.released)
    }

    /// The entry with the grade that the class gives.
    private func link(_ grade: Int) throws -> LinkChange {
        let entries: JSON = [
            ["id": "c", "kind": "course", "fields": ["grade": .number(String(grade))]]
        ]
        let part = try rules.rules.storedRecord(fields: .null, entries: entries)
        let given = Given(
            link: ClassLink(classID: "k", enrolment: "e"), try rules.rules.given(of: Self.course, in: part))
        return .put(Self.course, of: part, as: given, parent: nil)
    }

    private func give(_ state: JSON, in snapshot: RecordSnapshot) throws -> Amendment {
        let members: JSONObject = ["given": ["outcomes": ["passed": state]], "reason": "Appeal"]
        return try rules.amendment(
            of: snapshot, by: RecordEdit([.patch(Self.course, members)], answer: .whole), view: .full,
            giving: GivingAuthor(account: "A", time: "2026-07-03T10:00:00Z"))
    }

    private func undo(_ change: Amendment, in snapshot: RecordSnapshot) throws -> Amendment {
        let item = HistoryItem(
            version: 2, at: Timestamp(microseconds: 1), account: AccountID("s"), displayName: "S",
            change: change.change)
        return try rules.amendment(
            of: snapshot, by: Undo(of: item).edit(by: rules, view: .full), view: .full,
            giving: GivingAuthor(account: "A", time: "2026-07-04T10:00:00Z"))
    }

    private func outcome(_ content: RecordContent) throws -> String? {
        try JSON.parse(content.standing)["entries"]?["c"]?["outcomes"]?["passed"]?["state"]?.string
    }

    @Test func `is taken back although the class has given other figures since, which stay`() throws {
        let failed = snapshot(try rules.creation(byClass: [link(8)], head: head), version: 1)
        #expect(try outcome(failed.full) == "unmet")
        let decided = try give("met", in: failed)
        #expect(try outcome(decided.full) == "met")
        let later = try rules.amendment(
            of: snapshot(decided, version: 2), byClass: [link(9)], reason: "k")
        #expect(try outcome(later.full) == "met")
        let undone = try undo(decided, in: snapshot(later, version: 3))
        #expect(try outcome(undone.full) == "unmet")
        let expected = try rules.creation(byClass: [link(9)], head: head)
        #expect(undone.full.standing == expected.full.standing)
    }

    @Test func `is not taken back where another decision stands by now`() throws {
        let failed = snapshot(try rules.creation(byClass: [link(8)], head: head), version: 1)
        let decided = try give("met", in: failed)
        let other = try give("unmet", in: snapshot(decided, version: 2))
        #expect(throws: Undo.Superseded.self) { try undo(decided, in: snapshot(other, version: 3)) }
    }
}
