import Database
public import Records
public import Shared

extension RelationalStore: RecordStore {
    /// Stores a new record as version 1 of both views.
    public func create(
        _ head: RecordHead, as amendment: Amendment, by context: WriteContext
    ) async throws -> WriteOutcome {
        try await write { try $0.create(head, as: amendment, by: context) }
    }

    /// Applies `change` to the record's current state, on the writer's thread.
    public func amend(
        _ record: RecordID, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome {
        var reach: Set = [WriteSubject.record(record)]
        if let key = context.idempotency?.key { reach.insert(.answer(context.account, key: key)) }
        return try await write(within: .only(reach), on: WriteGround(record, context)) {
            try $0.amend(record, by: context, change)
        }
    }

    /// Deletes the record but keeps its audit trail.
    public func delete(_ record: RecordID, by context: WriteContext) async throws {
        // Whether the student can still be found by other records is decided from them.
        try await write(within: .everything, on: WriteGround(record, context)) {
            try $0.delete(record, by: context)
        }
    }

    /// Returns the access versions of an account, an institution and a program.
    public func accessVersions(
        of account: AccountID, in institution: InstitutionID, _ program: ProgramID
    ) async throws -> AccessVersions {
        try await read { connection in
            AccessVersions(
                account: try connection.accessVersion(of: .account(account)),
                institution: try connection.accessVersion(of: .institution(institution)),
                program: try connection.accessVersion(of: .program(program)))
        }
    }

    /// Returns the record's current state; `nil` if it does not exist.
    public func snapshot(of record: RecordID) async throws -> RecordSnapshot? {
        if let known = recent[record] { return known.snapshot }
        let moment = recent.moment
        let found = try await read { [epoch] in try RecordRow.find(record, epoch: epoch, on: $0) }
        if let found { recent.keep(found, readSince: moment) }
        return found?.snapshot
    }

    /// Returns the record's current state without its documents; `nil` if it does not exist.
    public func outline(of record: RecordID) async throws -> RecordOutline? {
        if let known = recent[record] { return known.snapshot.outline }
        return try await read { [epoch] connection in
            let sql = "SELECT \(RecordOutline.columns) FROM records WHERE id = ?"
            return try connection.first(sql, .text(record.text)) { RecordOutline($0, epoch: epoch) }
        }
    }

    /// Returns the records of a student, of a program, of both, or all records, oldest first, after `cursor`.
    public func records(
        student: AccountID?, program: ProgramID?, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordSnapshot] {
        let after = SQLValue.text(cursor?.text ?? "")
        let limit = SQLValue.integer(max(0, limit))
        let select = "SELECT \(RecordRow.columns) FROM records WHERE"
        let end = "id > ? ORDER BY id LIMIT ?"
        return try await read { [epoch] connection in
            func find(_ condition: String, _ values: [SQLValue]) throws -> [RecordSnapshot] {
                try connection.all("\(select) \(condition) \(end)", values + [after, limit]) { row in
                    RecordRow(row, epoch: epoch).snapshot
                }
            }
            switch (student, program) {
            case (let student?, let program?):
                return try find("student = ? AND program = ? AND", [.text(student.text), .text(program.text)])
            case (let student?, nil): return try find("student = ? AND", [.text(student.text)])
            case (nil, let program?): return try find("program = ? AND", [.text(program.text)])
            case (nil, nil): return try find("", [])
            }
        }
    }

    /// Returns the history of one view, newest first, below version `before`.
    public func history(
        of record: RecordID, view: RecordView, before version: Version?, limit: Int
    ) async throws -> [HistoryItem] {
        try await read { connection in
            try History(record: record, view: view).page(below: version, limit: limit, on: connection)
        }
    }

    /// Returns the released versions of a student's records, the oldest `limit` of them.
    public func releasedVersions(of student: AccountID, limit: Int) async throws -> [RecordID: Version] {
        try await read { connection in
            let found = try connection.all(
                "SELECT id, released_version FROM records WHERE student = ? ORDER BY id LIMIT ?", .text(student.text),
                .integer(max(0, limit))
            ) { (RecordID($0.text(0)), $0.integer(1)) }
            return Dictionary(found) { first, _ in first }
        }
    }

    /// Returns the current versions of many records at once, with their epoch.
    public func versions(of records: [RecordID]) async throws -> CurrentVersions {
        try await read { [epoch] connection in
            CurrentVersions(
                epoch: try StoreIdentity.read(from: connection) ?? epoch,
                items: try connection.currentVersions(of: records))
        }
    }
}

extension Connection {
    /// Returns the versions of records: from a file one by one, from a server all at once, which saves round trips.
    fileprivate func currentVersions(of records: [RecordID]) throws -> [CurrentVersions.Item] {
        switch dialect {
        case .sqlite:
            let sql = "SELECT full_version, released_version FROM records WHERE id = ?"
            return try records.compactMap { record in
                try first(sql, .text(record.text)) {
                    CurrentVersions.Item(record: record, full: $0.integer(0), released: $0.integer(1))
                }
            }
        case .postgreSQL:
            guard !records.isEmpty else { return [] }
            let sql = """
                SELECT id, full_version, released_version FROM records WHERE id = ANY (string_to_array(?, ' '))
                """
            let found = try all(sql, .text(records.map(\.text).joined(separator: " "))) {
                CurrentVersions.Item(record: RecordID($0.text(0)), full: $0.integer(1), released: $0.integer(2))
            }
            let items = Dictionary(found.map { ($0.record, $0) }) { first, _ in first }
            return records.compactMap { items[$0] }
        }
    }
}
