import Database
import Records
import Shared

extension RecordRow {
    /// The columns that ``init(_:epoch:)`` reads, in order.
    static let columns = """
        institution, id, program, program_version, student, created_at, full_version, released_version, last_change, chain, \
        tree, standing, released_tree, released_standing
        """

    init(_ row: borrowing Row, epoch: Epoch, firstColumn first: Int32 = 0) {
        func content(at column: Int32) -> RecordContent {
            RecordContent(tree: row.bytes(column), standing: row.bytes(column + 1))
        }
        self.init(
            snapshot: RecordSnapshot(
                head: RecordHead(row, firstColumn: first), epoch: epoch, fullVersion: row.integer(first + 6),
                releasedVersion: row.integer(first + 7), full: content(at: first + 10),
                released: row.isNull(first + 12) ? nil : content(at: first + 12)),
            end: TrailEnd(change: row.integer(first + 8), link: row.bytes(first + 9)))
    }

    /// Returns the record with that identifier; `nil` if it does not exist.
    static func find(_ id: RecordID, epoch: Epoch, on connection: Connection) throws -> RecordRow? {
        try connection.first("SELECT \(columns) FROM records WHERE id = ?", .text(id.text)) { row in
            RecordRow(row, epoch: epoch)
        }
    }
}

extension RecordOutline {
    /// The columns that ``init(_:epoch:)`` reads, in order. They precede the documents in the row, so no document is
    /// read.
    static let columns = "\(RecordHead.columns), full_version, released_version"

    init(_ row: borrowing Row, epoch: Epoch) {
        self.init(
            head: RecordHead(row, firstColumn: 0), epoch: epoch, fullVersion: row.integer(6),
            releasedVersion: row.integer(7))
    }
}

extension RecordHead {
    /// The columns of a head, in order.
    static let columns = "institution, id, program, program_version, student, created_at"

    init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            id: RecordID(row.text(first + 1)), institution: InstitutionID(row.text(first)),
            program: ProgramID(row.text(first + 2)), programVersion: row.integer(first + 3),
            student: row.optionalText(first + 4).map { AccountID($0) },
            createdAt: Timestamp(microseconds: Int64(row.integer(first + 5))))
    }
}
