import GradingKit
import Records
import SQLite
import Shared

extension ChangeRow {
    /// The columns that ``init(_:firstColumn:)`` reads, in order.
    static let columns = """
        institution, record, full_version, released_version, at, account, source, \
        operation, entry, before, after, figures, reason, \
        released_operation, released_entry, released_before, released_after, released_figures, released_reason, \
        executable
        """

    init(_ row: borrowing Row, firstColumn first: Int32 = 0) {
        self.init(
            institution: InstitutionID(row.text(first)), record: RecordID(row.text(first + 1)),
            fullVersion: row.integer(first + 2), releasedVersion: row.optionalInteger(first + 3),
            at: Timestamp(microseconds: Int64(row.integer(first + 4))), account: AccountID(row.text(first + 5)),
            source: row.text(first + 6), change: ChangeDescription(row, firstColumn: first + 7),
            releasedChange: row.isNull(first + 13) ? nil : ChangeDescription(row, firstColumn: first + 13),
            executable: row.optionalText(first + 19).map { SchemeExecutable(text: $0) })
    }
}

extension ChangeDescription {
    /// Reads six columns: operation, entry, before, after, figures, reason. Erased figures become an empty object.
    init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            operation: row.text(first), entry: row.optionalText(first + 1), before: row.optionalBytes(first + 2),
            after: row.optionalBytes(first + 3), figures: row.optionalBytes(first + 4) ?? Array("{}".utf8),
            reason: row.optionalText(first + 5))
    }
}

extension AppendedChange {
    /// Appends the change to its record's trail; returns the new end of the trail.
    func insert(on connection: Connection) throws -> TrailEnd {
        let (change, releasedChange) = (row.change, row.releasedChange)
        try connection.run(
            """
            INSERT INTO changes (
                previous, institution, record, full_version, released_version, at, account, source,
                operation, entry, before, after, figures, reason,
                released_operation, released_entry, released_before, released_after, released_figures, released_reason,
                executable, digest, chain)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            binding: [
                .integer(previous), .text(row.institution.text), .text(row.record.text), .integer(row.fullVersion),
                .integer(row.releasedVersion),
                .integer(row.at.microseconds), .text(row.account.text), .text(row.source),
                .text(change.operation), .text(change.entry), .utf8(change.before), .utf8(change.after),
                .utf8(change.figures), .text(change.reason),
                .text(releasedChange?.operation), .text(releasedChange?.entry), .utf8(releasedChange?.before),
                .utf8(releasedChange?.after), .utf8(releasedChange?.figures), .text(releasedChange?.reason),
                .text(row.executable?.text),
                .blob(seal.digest), .blob(seal.link),
            ])
        return TrailEnd(change: connection.lastInsertedRow, link: seal.link)
    }
}
