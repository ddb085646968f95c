import Database
import GradingKit
import Records
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
    ///
    /// - Parameter number: the change's number; `nil` if the file numbers it.
    func insert(on connection: Connection, as number: Int?) throws -> TrailEnd {
        let (told, released) = (row.change, row.releasedChange)
        try connection.run(
            """
            INSERT INTO changes (
                seq, previous, institution, record, full_version, released_version, at, account, source,
                operation, entry, before, after, figures, reason,
                released_operation, released_entry, released_before, released_after, released_figures, released_reason,
                executable, digest, chain)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            binding: [
                .integer(number), .integer(previous), .text(row.institution.text), .text(row.record.text),
                .integer(row.fullVersion),
                .integer(row.releasedVersion),
                .integer(row.at.microseconds), .text(row.account.text), .text(row.source),
                .text(told.operation), .text(told.entry), .utf8(told.before), .utf8(told.after),
                .utf8(told.figures), .text(told.reason),
                .text(released?.operation), .text(released?.entry), .utf8(released?.before),
                .utf8(released?.after), .utf8(released?.figures), .text(released?.reason),
                .text(row.executable?.text),
                .blob(seal.digest), .blob(seal.link),
            ])
        return TrailEnd(change: number ?? connection.numberOfLastRow, link: seal.link)
    }
}
