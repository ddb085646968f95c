import GradingKit
import HTTP
import Records
import Storage

/// The names of the people in a record. They are looked up at each request, because names change and accounts go,
/// whereas the record's document is the same bytes for every reader of a version.
struct RecordPeople: Sendable {
    let desk: RecordDesk

    func response(to permit: RecordPermit) async throws -> Response {
        let student = permit.head.student
        let names = try await desk.names(of: [student])
        return .json { writer in
            writer.object { writer in
                writer.member("student") { writer in
                    guard let student else { return writer.null() }
                    Self.write(student, names[student], to: &writer)
                }
            }
        }
    }

    private static func write(_ account: AccountID, _ name: String?, to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", account.text)
            $0.member("displayName", name)
        }
    }
}
