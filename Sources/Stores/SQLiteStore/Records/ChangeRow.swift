import GradingKit
import Records
import SQLite
import Shared

/// A row of the table of changes: one version of a record, who made it, and what it was.
struct ChangeRow {
    let institution: InstitutionID
    let record: RecordID
    let fullVersion: Version
    /// `nil` when the student's view stayed as it was.
    let releasedVersion: Version?
    let at: Timestamp
    let account: AccountID
    let source: String
    let change: ChangeDescription
    /// What the student's history says instead; `nil` when it says the same, or nothing.
    let releasedChange: ChangeDescription?
    /// The build that computed the figures, where the scheme runs in a process of its own.
    let executable: SchemeExecutable?

    /// What is hashed by digest only, so that it can be erased.
    var particulars: HashedText {
        var text = HashedText()
        Self.append(change, to: &text)
        if let releasedChange { Self.append(releasedChange, to: &text) }
        return text
    }

    /// What is hashed into the chain itself.
    var metadata: HashedText {
        var text = HashedText()
        text.append("change")
        text.append(institution.text)
        text.append(record.text)
        text.append(fullVersion)
        text.append(releasedVersion)
        text.append(Int(at.microseconds))
        text.append(account.text)
        text.append(source)
        // Rows of built-in schemes are hashed as they always were.
        if let executable { text.append(executable.text) }
        return text
    }

    private static func append(_ change: ChangeDescription, to text: inout HashedText) {
        text.append(change.operation)
        text.append(change.entry)
        text.append(change.before)
        text.append(change.after)
        text.append(change.figures)
        text.append(change.reason)
    }

    /// Appends the row to a record's trail; answers where the trail ends now. A trail without an end begins here.
    func insert(after end: TrailEnd?, chain: AuditChain, on connection: Connection) throws -> TrailEnd {
        let digest = chain.digest(particulars)
        let link = chain.link(after: end?.link ?? AuditChain.origin, digest: digest, metadata)
        try connection.run(
            """
            INSERT INTO changes (
                previous, institution, record, full_version, released_version, at, account, source,
                operation, entry, before, after, figures, reason,
                released_operation, released_entry, released_before, released_after, released_figures, released_reason,
                executable, digest, chain)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(end?.change), .text(institution.text), .text(record.text), .integer(fullVersion),
            .integer(releasedVersion),
            .integer(at.microseconds), .text(account.text), .text(source),
            .text(change.operation), .text(change.entry), .utf8(change.before), .utf8(change.after),
            .utf8(change.figures), .text(change.reason),
            .text(releasedChange?.operation), .text(releasedChange?.entry), .utf8(releasedChange?.before),
            .utf8(releasedChange?.after), .utf8(releasedChange?.figures), .text(releasedChange?.reason),
            .text(executable?.text),
            .blob(digest), .blob(link))
        return TrailEnd(change: connection.lastInsertedRow, link: link)
    }
}

extension ChangeRow {
    /// The columns that ``init(_:firstColumn:)`` reads, in its order.
    static let columns = """
        institution, record, full_version, released_version, at, account, source, \
        operation, entry, before, after, figures, reason, \
        released_operation, released_entry, released_before, released_after, released_figures, released_reason, \
        executable
        """

    init(_ row: borrowing Row, firstColumn first: Int32 = 0) {
        institution = InstitutionID(row.text(first))
        record = RecordID(row.text(first + 1))
        fullVersion = row.integer(first + 2)
        releasedVersion = row.optionalInteger(first + 3)
        at = Timestamp(microseconds: Int64(row.integer(first + 4)))
        account = AccountID(row.text(first + 5))
        source = row.text(first + 6)
        change = ChangeDescription(row, firstColumn: first + 7)
        releasedChange = row.isNull(first + 13) ? nil : ChangeDescription(row, firstColumn: first + 13)
        executable = row.optionalText(first + 19).map { SchemeExecutable(text: $0) }
    }
}

extension ChangeDescription {
    /// Six columns: operation, entry, before, after, figures, reason. Erased figures read as an empty object.
    init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            operation: row.text(first), entry: row.optionalText(first + 1), before: row.optionalBytes(first + 2),
            after: row.optionalBytes(first + 3), figures: row.optionalBytes(first + 4) ?? Array("{}".utf8),
            reason: row.optionalText(first + 5))
    }
}
