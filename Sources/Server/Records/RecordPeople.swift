import GradingKit
import HTTP
import Records
import Shared

/// The names of the people in a record. They are looked up at each request, because names change and accounts go,
/// whereas the record's document is the same bytes for every reader of a version.
struct RecordPeople: Sendable {
    let desk: RecordService
    let calculations: Calculations

    func response(
        to permit: RecordPermit, _ snapshot: RecordSnapshot, for call: SignedInCall
    ) async throws -> Response {
        let student = permit.head.student
        let (book, view) = (permit.book, permit.view)
        let cost = CalculationCost(of: .reading, about: snapshot.content(view).tree)
        let authors = try await calculations.perform(cost, for: call.call, by: book.rules) {
            try book.visibleTree(of: snapshot, view: view).authors
        }
        let staff = authors.sorted().map { AccountID($0) }
        let names = try await desk.names(of: staff + [student])
        return .json { writer in
            writer.object { writer in
                writer.member("student") { writer in
                    guard let student else { return writer.null() }
                    Self.write(student, names[student], to: &writer)
                }
                writer.member("staff") { writer in
                    writer.array { for account in staff { Self.write(account, names[account], to: &$0) } }
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
