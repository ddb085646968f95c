import Classes
import DataStore
import Gradebook
import Shared

extension StoreLaw {
    /// What those rely on who work with a group of a class.
    static let groups: [StoreLaw] = [
        StoreLaw("groups, their students, and graders who are limited to them are kept") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            let labs = ClassGroup(GroupID("monday"), in: "Labs", title: "Monday")
            let teams = ClassGroup(GroupID("one"), in: "Teams", title: "One")
            for group in [teams, labs] {
                _ = try await store.act(in: SampleClass.id, .rows([]), by: context) {
                    try book.makeGroup(group, in: $0)
                }
            }
            try expect(try await room.snapshot().groups, is: [labs, teams], "the groups, set by set")
            let (told, version) = (place.told.count, try await room.snapshot().version)
            let bob = EnrolmentID("e-bob")
            _ = try await store.act(in: SampleClass.id, .rows([bob]), by: context) {
                try book.regroup(labs.id, joining: [bob], leaving: [], in: $0)
            }
            let news = ClassNews(SampleClass.id, version: version + 1, rows: [bob])
            try expect(place.told(after: told), is: [.classChanged(news)], "what was told")
            let row = try required(try await store.row(bob, of: SampleClass.id))
            try expect(row.enrolment.groups, is: GroupPlaces([labs.id]), "the student's groups")
            let grader = ClassStaff(AccountID("eve"), as: .grader, groups: [labs.id])
            _ = try await store.act(in: SampleClass.id, .rows([]), by: context) {
                try book.appoint(grader, among: [Sample.teacher], in: $0)
            }
            try expect(try await room.snapshot().member(AccountID("eve")), is: grader, "the grader")
            _ = try await store.act(in: SampleClass.id, .rows([bob]), by: context) {
                try book.regroup(labs.id, joining: [], leaving: [bob], in: $0)
            }
            let after = try required(try await store.row(bob, of: SampleClass.id))
            try expect(after.enrolment.groups, is: GroupPlaces([], left: [labs.id]), "what the student left")
            let before = place.told.count
            _ = try await store.act(in: SampleClass.id, .rows([]), by: context) {
                try book.deleteGroup(teams.id, in: $0)
            }
            try expect(
                place.told(after: before).contains(.classAudienceChanged(SampleClass.id, rows: [])),
                "that rights are looked at again")
            try expect(try await room.snapshot().groups, is: [labs], "the groups that are left")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("an act that rests on other groups than there are by now begins again") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            let group = ClassGroup(GroupID("monday"), in: "Labs", title: "Monday")
            let make: @Sendable (ActGround) throws -> ActDecision<ClassGroup> = { try book.makeGroup(group, in: $0) }
            let stale = try required(try await store.ground(of: SampleClass.id, .rows([])))
            _ = try await store.act(in: SampleClass.id, .rows([]), by: context, make)
            try await expect(.moved, "the same group once more") {
                try await store.act(on: stale, by: context, make(stale), keeping: { _ in nil }, again: make)
            }
        },
    ]
}
