import Records
public import Shared

/// The students of some records, by account and displayed name, for staff who may see them.
public struct RecordOwners: Sendable {
    /// The student of a record.
    public struct Owner: Sendable {
        /// The account.
        public let student: AccountID
        /// `nil` for an account that is gone.
        public let displayName: String?
    }

    private let owners: [RecordID: Owner]

    /// No names for any record.
    init() { owners = [:] }

    /// Looks up the students of records, and their names, together.
    init(of records: [RecordID], browser: any RecordBrowser, service: RecordService) async throws {
        let students = try await browser.students(of: records).compactMapValues(\.self)
        let names = try await service.names(of: Array(students.values))
        owners = students.mapValues { Owner(student: $0, displayName: names[$0]) }
    }

    /// The student of a record; `nil` for a record that is gone or has none.
    public subscript(record: RecordID) -> Owner? { owners[record] }
}
