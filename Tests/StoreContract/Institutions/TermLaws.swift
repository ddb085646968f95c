import Classes
import DataStore
import Gradebook
import Institutions
import Shared

extension StoreLaw {
    private static func term(_ id: String, _ kind: Term.Kind, in parent: String? = nil, isLocked: Bool = false) -> Term
    {
        Term(
            id: TermID(id), institution: InstitutionID("school"), kind: kind, parent: parent.map { TermID($0) },
            title: "Term \(id)", first: CalendarDay(days: 20_000), last: CalendarDay(days: 21_000), isLocked: isLocked)
    }

    static let terms: [StoreLaw] = [
        StoreLaw("years, terms and periods are kept whole, changed and removed") { place in
            let store = place.data.institutions
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            let all = [term("a", .year), term("b", .term, in: "a"), term("c", .period, in: "b", isLocked: true)]
            try await store.changeTerms(of: InstitutionID("school")) { _, _ in
                InstitutionPlan(all.map { .term(.put($0)) })
            }
            try expect(try await store.terms(of: InstitutionID("school")), is: all, "the terms")
            try expect(try await store.terms(of: InstitutionID("other")), is: [], "those of another institution")
            var changed = all[1]
            (changed.title, changed.isLocked) = ("Spring", true)
            try await store.changeTerms(of: InstitutionID("school")) { [changed] known, _ in
                try expect(known, is: all, "what a plan gets")
                return InstitutionPlan([.term(.put(changed)), .term(.remove(TermID("c"), of: InstitutionID("school")))])
            }
            try expect(try await store.terms(of: InstitutionID("school")), is: [all[0], changed], "the terms")
        },
        StoreLaw("a class has its term's calendar, follows it, and decides nothing by an older one") { place in
            let room = SampleClass(place: place)
            let (store, institutions) = (place.data.gradebook, place.data.institutions)
            try await place.makeInstitution()
            try await room.found()
            try await institutions.changeTerms(of: InstitutionID("school")) { _, _ in
                InstitutionPlan([.term(.put(term("a", .term))), .term(.put(term("b", .period, in: "a")))])
            }
            let book = try room.book()
            _ = try await store.act(in: SampleClass.id, .rows([]), by: room.context()) { ground in
                try book.settle(ClassPatch(term: .some(TermID("a"))), in: ground)
            }
            try expect(try await room.snapshot().head.term, is: TermID("a"), "the class's term")
            try expect(
                try await room.snapshot().calendar?.periods, is: [term("b", .period, in: "a")], "its periods")
            guard let before = try await store.marks(of: [SampleClass.id])[SampleClass.id],
                let ground = try await store.ground(of: SampleClass.id, .rows([]))
            else { throw Violation(description: "no class") }
            try await institutions.changeTerms(of: InstitutionID("school")) { _, used in
                try expect(used, is: [TermID("a")], "terms to which classes belong")
                return InstitutionPlan([.term(.put(term("b", .period, in: "a", isLocked: true)))])
            }
            let after = try await store.marks(of: [SampleClass.id])[SampleClass.id]
            try expect(after?.version, is: before.version, "the class's version")
            try expect((after?.restated ?? 0) > before.restated, is: true, "whether what the class says has changed")
            do {
                let decision = try book.settle(ClassPatch(title: "Sets"), in: ground)
                _ = try await store.act(
                    on: ground, by: room.context(), decision, keeping: { _ in nil },
                    again: { try book.settle(ClassPatch(title: "Sets"), in: $0) })
                throw Violation(description: "an act was decided by an older calendar")
            } catch StoreError.moved {}
        },
    ]
}
