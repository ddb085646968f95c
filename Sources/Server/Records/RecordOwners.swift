import Records
import Shared

/// Whose some records are, by account and displayed name, for staff who may see it.
struct RecordOwners: Sendable {
    /// The student of a record.
    struct Owner: Sendable {
        let student: AccountID
        /// `nil` for an account that is gone.
        let displayName: String?
    }

    private let owners: [RecordID: Owner]

    /// No names for any record.
    init() { owners = [:] }

    /// Looks up the students of records, and their names, together.
    init(of records: [RecordID], browser: any RecordBrowser, desk: RecordService) async throws {
        let students = try await browser.students(of: records).compactMapValues(\.self)
        let names = try await desk.names(of: Array(students.values))
        owners = students.mapValues { Owner(student: $0, displayName: names[$0]) }
    }

    /// The student of a record; `nil` for a record that is gone or has none.
    subscript(record: RecordID) -> Owner? { owners[record] }
}
