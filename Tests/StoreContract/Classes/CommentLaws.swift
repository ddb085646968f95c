import Accounts
import Classes
import DataStore
import Gradebook
import GradingKit
import Shared

extension SampleClass {
    /// Has the teacher, or another author, write about a cell.
    func comment(
        _ id: String, on line: Int, of name: String, for audience: CellComment.Audience = .student,
        by account: AccountID = Sample.teacher
    ) async throws {
        let (book, enrolment) = (try book(), EnrolmentID("e-\(name)"))
        let request = CommentRequest(
            id: CommentID(id), on: enrolment, LineID("l\(line)"), by: account, at: Sample.now, for: audience,
            "About \(name)")
        _ = try await place.data.gradebook.act(
            in: Self.id, .cell(enrolment, line: line), by: context(by: account)
        ) { try book.comment(request, in: $0) }
    }
}

extension StoreLaw {
    /// What those rely on who read and write comments.
    static let comments: [StoreLaw] = [
        StoreLaw("comments are kept by cell, read from the newest on, counted with the rows, and deleted once") {
            place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            let store = place.data.gradebook
            let (told, version) = (place.told.count, try await room.snapshot().version)
            try await room.comment("one", on: 2, of: "ada")
            try await room.comment("two", on: 2, of: "ada", for: .staff)
            try await room.comment("three", on: 3, of: "ada")
            func ids(_ list: CommentList, before number: Int? = nil, limit: Int = 10) async throws -> [String] {
                try await store.comments(list, before: number, limit: limit).map(\.comment.id.text)
            }
            let ada = EnrolmentID("e-ada")
            func row(_ lines: Int..., isStudent: Bool = false) -> CommentList {
                .row(ada, lines: lines, isStudent: isStudent)
            }
            try expect(try await ids(row(2, 3)), is: ["three", "two", "one"], "the comments on the row")
            try expect(try await ids(row(2)), is: ["two", "one"], "those on one cell")
            try expect(try await ids(row(2, 3, isStudent: true)), is: ["three", "one"], "those to the student")
            try expect(try await ids(row()), is: [], "those on no line")
            let newest = try await store.comments(row(2, 3), before: nil, limit: 1).first
            try expect(try await ids(row(2, 3), before: newest?.number, limit: 1), is: ["two"], "the next page")
            let found = try required(try await store.comment(CommentID("two"))?.comment)
            try expect(found.text, is: "About ada", "the text")
            try expect(found.audience, is: .staff, "who reads it")
            let counts = try await store.commentCounts(of: ada)
            try expect(counts[2]?.all, is: 2, "how many there are")
            try expect(counts[2]?.forStudent, is: 1, "how many are to the student")
            let grid = try await store.grid(of: SampleClass.id, since: version, after: 0, limit: 10)
            try expect(grid?.rows.map(\.comments), is: [[2: 2, 3: 1]], "the counts of the row that changed")
            let news = ClassNews(SampleClass.id, version: version + 1, rows: [ada], isRestated: false)
            try expect(place.told(after: told).first, is: .classChanged(news), "what was told")
            let (book, context) = (try room.book(), try await room.context())
            let delete: @Sendable (ActGround) throws -> ActDecision<CellComment> = {
                try book.deleteComment(CommentID("one"), in: $0)
            }
            let ground = try required(try await store.ground(of: SampleClass.id, .cell(ada, line: 2)))
            try expect(ground.comments.map(\.id.text), is: ["one", "two"], "the comments of the ground")
            try expect(ground.comments.map(\.text), is: ["", ""], "their texts")
            _ = try await store.act(on: ground, by: context, delete(ground), keeping: { _ in nil }, again: delete)
            try await expect(.notFound, "a second deletion") {
                try await store.act(on: ground, by: context, delete(ground), keeping: { _ in nil }, again: delete)
            }
            try expect(try await ids(row(2)), is: ["two"], "what is left")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("the comments about a deleted account go, and those that it wrote stay without its name") { place in
            let room = SampleClass(place: place)
            for name in ["ada", "bob"] { try await place.make(name) }
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            try await room.comment("about-ada", on: 2, of: "ada")
            try await room.comment("by-ada", on: 2, of: "bob", by: AccountID("ada"))
            let store = place.data.gradebook
            func ids(_ list: CommentList) async throws -> [String] {
                try await store.comments(list, before: nil, limit: 10).map(\.comment.id.text)
            }
            try expect(try await ids(.written(by: AccountID("ada"))), is: ["by-ada"], "what ada wrote")
            try expect(try await ids(.about(AccountID("ada"))), is: ["about-ada"], "what is to ada")
            try await place.data.accounts.delete(AccountID("ada")) { _ in Sample.entry("account.deleted", of: "ada") }
            try expect(try await store.comment(CommentID("about-ada")) == nil, "the comment about ada is gone")
            let kept = try required(try await store.comment(CommentID("by-ada"))?.comment)
            try expect(kept.account, is: nil, "who wrote what is left")
            try expect(kept.text, is: "About bob", "what is left")
        },
    ]
}
