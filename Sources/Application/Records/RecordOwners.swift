import Records
public import Shared

/// The students of some records, by account and display name, for staff who may see them.
public struct RecordOwners: Sendable {
    /// The student of a record.
    public struct Owner: Sendable {
        /// The student's account.
        public let student: AccountID
        /// The display name; `nil` for an account that no longer exists.
        public let displayName: String?
    }

    private let owners: [RecordID: Owner]

    /// Creates an empty collection.
    public init() { owners = [:] }

    /// Looks up the students of records and their names, in one batch.
    init(of records: [RecordID], browser: any RecordBrowser, service: RecordService) async throws {
        let students = try await browser.students(of: records).compactMapValues(\.self)
        let names = try await service.names(of: Array(students.values))
        owners = students.mapValues { Owner(student: $0, displayName: names[$0]) }
    }

    /// The student of a record; `nil` for a record that does not exist or has no student.
    public subscript(record: RecordID) -> Owner? { owners[record] }
}
