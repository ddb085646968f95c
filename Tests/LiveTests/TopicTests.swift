import Live
import Shared
import Testing

@Suite struct TopicTests {
    static let table: [(String, Topic)] = [
        ("standing/R", .standing(RecordID("R"), .released)),
        ("standing/R/staff", .standing(RecordID("R"), .staff)),
        ("record/R.1_-", .record(RecordID("R.1_-"), .released)),
        ("record/R/staff", .record(RecordID("R"), .staff)),
        ("program/P", .program(ProgramID("P"))),
        ("cohort/P", .cohort(ProgramID("P"))),
        ("records/A", .records(AccountID("A"))),
        ("shared/R", .shared(RecordID("R"))),
        ("feed/A", .feed(AccountID("A"))),
        ("class/C", .taughtClass(ClassID("C"))),
        ("row/E", .row(EnrolmentID("E"))),
        ("grid/C", .grid(ClassID("C"))),
        ("grid/C/G", .grid(ClassID("C"), GroupID("G"))),
    ]

    @Test(arguments: table)
    func `a topic is read as it is written`(text: String, topic: Topic) throws {
        #expect(try Topic(text: text) == topic)
        #expect(topic.description == text)
    }

    @Test(arguments: [
        "", "standing/é", "standing/R?", "standing R", "standing/R\n", "standing/%41",
        String(repeating: "a", count: 129),
    ])
    func `what breaks the grammar is malformed`(text: String) {
        #expect(throws: TopicFault.malformed) { try Topic(text: text) }
    }

    @Test(arguments: [
        "standing", "standing/", "standing/R/", "standing/R/student", "standing/R/staff/x", "program/P/staff",
        "grid/C/", "grid/C/G/x",
        "accounts", "accounts/A", "grades/R", "Standing/R", "/", "//", "/R", "records", "feeds/A", ".",
        String(repeating: "a", count: 128),
    ])
    func `what is well-formed but names nothing is unknown`(text: String) {
        #expect(throws: TopicFault.unknown) { try Topic(text: text) }
    }

    @Test func `an id may be as long as a topic allows`() throws {
        let text = "record/" + String(repeating: "x", count: 121)
        #expect(try Topic(text: text).description == text)
    }
}
