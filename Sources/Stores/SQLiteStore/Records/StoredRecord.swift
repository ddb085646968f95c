import Records
import SQLite
import Shared

/// A record's row, and what only this store needs of it.
struct StoredRecord {
    /// The row's place in the table, for one transaction.
    let place: Int
    let row: RecordRow

    /// The columns that ``init(_:epoch:)`` reads, in its order.
    static let columns = """
        rowid, institution, id, program, program_version, student, created_at, full_version, released_version, last_change, chain, \
        tree, standing, released_tree, released_standing
        """

    init(_ row: borrowing Row, epoch: Epoch) {
        place = row.integer(0)
        self.row = RecordRow(
            snapshot: RecordSnapshot(
                head: RecordHead(row, firstColumn: 1), epoch: epoch, fullVersion: row.integer(7),
                releasedVersion: row.integer(8), full: RecordContent(tree: row.bytes(11), standing: row.bytes(12)),
                released: row.isNull(13) ? nil : RecordContent(tree: row.bytes(13), standing: row.bytes(14))),
            end: TrailEnd(change: row.integer(9), link: row.bytes(10)))
    }

    /// The record with that identifier; `nil` when there is none.
    static func find(_ id: RecordID, epoch: Epoch, on connection: Connection) throws -> StoredRecord? {
        try connection.first("SELECT \(columns) FROM records WHERE id = ?", .text(id.text)) { row in
            StoredRecord(row, epoch: epoch)
        }
    }
}

extension RecordHead {
    /// The columns that a head is read from.
    static let columns = "institution, id, program, program_version, student, created_at"

    init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            id: RecordID(row.text(first + 1)), institution: InstitutionID(row.text(first)),
            program: ProgramID(row.text(first + 2)), programVersion: row.integer(first + 3),
            student: row.optionalText(first + 4).map { AccountID($0) },
            createdAt: Timestamp(microseconds: Int64(row.integer(first + 5))))
    }
}
