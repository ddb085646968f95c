import Database
public import People
public import Shared

extension RelationalStore: PeopleStore {
    /// Returns how a record is shared; `nil` if it is not shared.
    public func shared(_ record: RecordID) async throws -> SharedRecord? {
        try await read { try $0.shared(record) }
    }

    /// Returns how some records are shared; records that are not shared are left out.
    public func shared(_ records: [RecordID]) async throws -> [SharedRecord] {
        guard !records.isEmpty else { return [] }
        return try await read { connection in try records.compactMap { try connection.shared($0) } }
    }

    /// Returns the records that an account shares, in order.
    public func shared(by owner: AccountID) async throws -> [SharedRecord] {
        try await read { connection in
            try connection.all(
                "SELECT \(SharedRecord.columns) FROM shared_records WHERE owner = ? ORDER BY record", .text(owner.text)
            ) { SharedRecord($0) }
        }
    }

    /// Changes how a record is shared.
    public func changeSharing(
        of record: RecordID, _ plan: @escaping @Sendable (SharingRows?) throws -> PeoplePlan<SharedRecord?>
    ) async throws -> SharedRecord? {
        try await write { transaction in
            try transaction.apply(plan(try transaction.connection.sharingRows(of: record)))
        }
    }
}

extension Connection {
    fileprivate func shared(_ record: RecordID) throws -> SharedRecord? {
        try first("SELECT \(SharedRecord.columns) FROM shared_records WHERE record = ?", .text(record.text)) {
            SharedRecord($0)
        }
    }

    fileprivate func sharingRows(of record: RecordID) throws -> SharingRows? {
        let shared = try shared(record)
        return try first(
            """
            SELECT institution, student, institutions.sharing = 'allowed' FROM records
            JOIN institutions ON institutions.id = records.institution WHERE records.id = ?
            """, .text(record.text)
        ) { row in
            SharingRows(
                record: record, institution: InstitutionID(row.text(0)),
                student: row.optionalText(1).map { AccountID($0) }, isAllowed: row.boolean(2), shared: shared)
        }
    }

    fileprivate func sharedRecords(where condition: String, _ value: String) throws -> [RecordID] {
        try all("SELECT record FROM shared_records WHERE \(condition) = ?", .text(value)) { RecordID($0.text(0)) }
    }
}

extension WriteTransaction {
    func apply<Value>(_ plan: PeoplePlan<Value>) throws -> Value { try apply(plan) { try apply($0) } }

    private func apply(_ change: PeopleRowChange) throws {
        switch change {
        case .setShared(let shared):
            try connection.run(
                """
                INSERT INTO shared_records (\(SharedRecord.columns)) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (record) DO UPDATE SET institution = excluded.institution, owner = excluded.owner,
                what = excluded.what, audiences = excluded.audiences, since = excluded.since
                """,
                .text(shared.record.text), .text(shared.institution.text), .text(shared.owner.text),
                .text(shared.sharing.what.rawValue), .text(shared.sharing.audiencesText),
                .integer(shared.since.microseconds))
        case .removeShared(let record):
            try connection.run("DELETE FROM shared_records WHERE record = ?", .text(record.text))
        case .announceShared(let owner): try announceShared(by: owner)
        case .relation(let change): try apply(change)
        case .insertAnnouncement(let announcement):
            try connection.run(
                "INSERT INTO announcements (id, institution, text, at) VALUES (?, ?, ?, ?)", .text(announcement.id),
                .text(announcement.institution.text), .text(announcement.text),
                .integer(announcement.at.microseconds))
        case .removeAnnouncement(let id): try connection.run("DELETE FROM announcements WHERE id = ?", .text(id))
        }
    }

    /// Announces every record that an account shares, because readers' access depends on the account.
    func announceShared(by owner: AccountID) throws {
        for record in try connection.sharedRecords(where: "owner", owner.text) { post(.sharingChanged(record)) }
    }

    /// Ends all sharing of an institution's records.
    func endSharing(in institution: InstitutionID) throws {
        let records = try connection.sharedRecords(where: "institution", institution.text)
        try connection.run("DELETE FROM shared_records WHERE institution = ?", .text(institution.text))
        for record in records { post(.sharingChanged(record)) }
    }
}

extension SharedRecord {
    static let columns = "record, institution, owner, what, audiences, since"

    init(_ row: borrowing Row) {
        // Unknown values lead to less sharing rather than more.
        let sharing = RecordSharing(
            what: RecordSharing.Extent(rawValue: row.text(3)) ?? .headline,
            with: Set(row.text(4).split(separator: " ").compactMap { RecordSharing.Audience(rawValue: String($0)) }))
        self.init(
            record: RecordID(row.text(0)), institution: InstitutionID(row.text(1)), owner: AccountID(row.text(2)),
            sharing: sharing, since: Timestamp(microseconds: Int64(row.integer(5))))
    }
}

extension RecordSharing {
    fileprivate var audiencesText: String { with.map(\.rawValue).sorted().joined(separator: " ") }
}
