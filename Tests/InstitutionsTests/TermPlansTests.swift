import GradingKit
import Institutions
import Shared
import Testing

@Suite struct TermPlansTests {
    private static let act = AuditContext(by: AccountID("r"), from: "127.0.0.1", at: Timestamp(microseconds: 0))

    private func term(
        _ id: String, _ kind: Term.Kind, in parent: String? = nil, _ days: ClosedRange<Int>
    ) -> Term {
        Term(
            id: TermID(id), institution: InstitutionID("i"), kind: kind, parent: parent.map { TermID($0) }, title: id,
            first: CalendarDay(days: days.lowerBound), last: CalendarDay(days: days.upperBound))
    }

    private var terms: [Term] {
        [
            term("year", .year, 0...360), term("autumn", .term, in: "year", 0...100),
            term("spring", .term, in: "year", 101...200), term("first", .period, in: "autumn", 0...50),
        ]
    }

    private func faults(_ work: () throws -> Void) -> [String] {
        do {
            try work()
            return []
        } catch let list as FaultList {
            return list.faults.map { "\($0.code) \($0.path)" }
        } catch {
            return ["\(error)"]
        }
    }

    private func making(_ term: Term) -> [String] {
        faults { _ = try TermPlans.creation(of: term, among: terms, by: Self.act) }
    }

    @Test func `terms stand in years, and periods in terms or years`() {
        #expect(making(term("new", .year, 400...500)) == [])
        #expect(making(term("new", .term, 400...500)) == [])
        #expect(making(term("new", .period, in: "year", 300...310)) == [])
        #expect(making(term("new", .period, in: "spring", 101...110)) == [])
        #expect(making(term("new", .year, in: "year", 0...1)) == ["term_misplaced /parent"])
        #expect(making(term("new", .period, 0...1)) == ["term_misplaced /parent"])
        #expect(making(term("new", .term, in: "autumn", 0...1)) == ["term_misplaced /parent"])
        #expect(making(term("new", .period, in: "elsewhere", 0...1)) == ["term_unknown /parent"])
    }

    @Test func `days lie within those of the term above, and belong to one period at most`() {
        #expect(making(term("new", .term, in: "year", 350...361)) == ["days_outside /from"])
        #expect(making(term("new", .period, in: "autumn", 50...60)) == ["periods_overlap /from"])
        // Periods of a year share no days with those of its terms.
        #expect(making(term("new", .period, in: "year", 40...60)) == ["periods_overlap /from"])
        #expect(making(term("new", .period, in: "autumn", 51...100)) == [])
        let changing = { (id: String, days: ClosedRange<Int>) in
            faults {
                _ = try TermPlans.change(of: TermID(id), among: terms, by: Self.act) { term in
                    var term = term
                    (term.first, term.last) = (CalendarDay(days: days.lowerBound), CalendarDay(days: days.upperBound))
                    return term
                }
            }
        }
        #expect(changing("autumn", 0...40) == ["days_outside /from"])
        #expect(changing("autumn", 0...50) == [])
        #expect(changing("first", 20...100) == [])
    }

    @Test func `the last day is not before the first`() {
        let reversed = Term(
            id: TermID("new"), institution: InstitutionID("i"), kind: .year, parent: nil, title: "new",
            first: CalendarDay(days: 2), last: CalendarDay(days: 1))
        #expect(making(reversed) == ["days_reversed /until"])
    }

    @Test func `what holds others, or to which classes belong, is not removed`() {
        let removing = { (id: String, used: Set<TermID>) in
            faults { _ = try TermPlans.removal(of: TermID(id), among: terms, used: used, by: Self.act) }
        }
        #expect(removing("autumn", []) == ["term_in_use "])
        #expect(removing("spring", [TermID("spring")]) == ["term_in_use "])
        #expect(removing("spring", []) == [])
    }

    @Test func `an institution has a limited number of terms`() {
        let many = (0..<Term.limit).map { term("t\($0)", .term, 0...1) }
        #expect(
            faults { _ = try TermPlans.creation(of: term("new", .term, 0...1), among: many, by: Self.act) }
                == ["term_limit "])
    }
}
