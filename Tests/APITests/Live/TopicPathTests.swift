import Live
import Shared
import Testing

@testable import API

@Suite struct TopicPathTests {
    @Test(arguments: [
        (Topic.standing(RecordID("R"), .released), "/v1/records/R/standing"),
        (.standing(RecordID("R"), .staff), "/v1/records/R/standing"),
        (.record(RecordID("R.1_-"), .released), "/v1/records/R.1_-"), (.record(RecordID("R"), .staff), "/v1/records/R"),
        (.program(ProgramID("P")), "/v1/programs/P"), (.cohort(ProgramID("P")), "/v1/programs/P/cohort"),
        (.records(AccountID("A")), "/v1/records"), (.shared(RecordID("R")), "/v1/records/R/shared"),
        (.taughtClass(ClassID("C")), "/v1/classes/C"), (.row(EnrolmentID("E")), "/v1/rows/E"),
        (.grid(ClassID("C")), "/v1/classes/C/rows"),
        (.grid(ClassID("C"), GroupID("G")), "/v1/classes/C/rows?group=G"),
    ])
    func `a document above the limit is read at the topic's path`(topic: Topic, path: String) {
        #expect(topic.path == path)
    }
}
