import Live
import Shared
import Testing

@Suite struct TopicTests {
    static let table: [(String, Topic, String)] = [
        ("standing/R", .standing(RecordID("R"), .released), "/v1/records/R/standing"),
        ("standing/R/staff", .standing(RecordID("R"), .staff), "/v1/records/R/standing"),
        ("record/R.1_-", .record(RecordID("R.1_-"), .released), "/v1/records/R.1_-"),
        ("record/R/staff", .record(RecordID("R"), .staff), "/v1/records/R"),
        ("program/P", .program(ProgramID("P")), "/v1/programs/P"),
        ("cohort/P", .cohort(ProgramID("P")), "/v1/programs/P/cohort"),
        ("records/A", .records(AccountID("A")), "/v1/records"),
    ]

    @Test(arguments: table)
    func `a topic is read as it is written`(text: String, topic: Topic, path: String) throws {
        #expect(try Topic(text: text) == topic)
        #expect(topic.description == text)
        #expect(topic.path == path)
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
        "accounts", "accounts/A", "grades/R", "Standing/R", "/", "//", "/R", "records", "feed/A", ".",
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
