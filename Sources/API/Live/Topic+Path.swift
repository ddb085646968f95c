import Live
import Shared

extension Topic {
    /// The path of the GET that answers the same document. It replaces a document above the limit.
    var path: String {
        switch self {
        case .standing(let record, _): "/v1/records/\(record.text)/standing"
        case .record(let record, _): "/v1/records/\(record.text)"
        case .program(let program): "/v1/programs/\(program.text)"
        case .cohort(let program): "/v1/programs/\(program.text)/cohort"
        case .records: "/v1/records"
        case .shared(let record): "/v1/records/\(record.text)/shared"
        case .feed: "/v1/feed"
        case .taughtClass(let id): "/v1/classes/\(id.text)"
        case .row(let enrolment): "/v1/rows/\(enrolment.text)"
        case .grid(let id, let group): "/v1/classes/\(id.text)/rows" + (group.map { "?group=\($0.text)" } ?? "")
        }
    }
}
