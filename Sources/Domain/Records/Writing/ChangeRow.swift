public import GradingKit
public import Shared

/// A row of the table of changes: a version of a record, its author and its content.
public struct ChangeRow: Sendable, Equatable {
    /// The institution that the record belongs to.
    public let institution: InstitutionID
    /// The record.
    public let record: RecordID
    /// The version of the full view that the change created.
    public let fullVersion: Version
    /// The version of the released view; `nil` if that view did not change.
    public let releasedVersion: Version?
    /// When the change was made.
    public let at: Timestamp
    /// The account that made the change.
    public let account: AccountID
    /// The source of the request.
    public let source: String
    /// What changed.
    public let change: ChangeDescription
    /// The description in the student's history; `nil` if it is the same, or if that view did not change.
    public let releasedChange: ChangeDescription?
    /// The build that computed the figures, if the scheme runs in a process of its own; otherwise `nil`.
    public let executable: SchemeExecutable?

    /// Creates a row as it is stored.
    public init(
        institution: InstitutionID, record: RecordID, fullVersion: Version, releasedVersion: Version?, at: Timestamp,
        account: AccountID, source: String, change: ChangeDescription, releasedChange: ChangeDescription?,
        executable: SchemeExecutable?
    ) {
        self.institution = institution
        self.record = record
        self.fullVersion = fullVersion
        self.releasedVersion = releasedVersion
        self.at = at
        self.account = account
        self.source = source
        self.change = change
        self.releasedChange = releasedChange
        self.executable = executable
    }

    /// Appends the values that enter the chain only as a digest, so that they can be erased.
    public func particulars(_ values: inout HashedValues) {
        Self.append(change, to: &values)
        if let releasedChange { Self.append(releasedChange, to: &values) }
    }

    /// Appends the values that enter the chain itself.
    public func metadata(_ values: inout HashedValues) {
        values.append("change")
        values.append(institution.text)
        values.append(record.text)
        values.append(fullVersion)
        values.append(releasedVersion)
        values.append(Int(at.microseconds))
        values.append(account.text)
        values.append(source)
        // Rows of built-in schemes keep the hash they always had.
        if let executable { values.append(executable.text) }
    }

    private static func append(_ change: ChangeDescription, to values: inout HashedValues) {
        values.append(change.operation)
        values.append(change.entry)
        values.append(change.before)
        values.append(change.after)
        values.append(change.figures)
        values.append(change.reason)
    }
}

extension ChangeRow {
    /// Returns the description of the change in one view's history.
    public func description(_ view: RecordView) -> ChangeDescription {
        view == .full ? change : releasedChange ?? change
    }

    /// Returns the version of one view that the change created; `nil` if that view did not change.
    public func version(_ view: RecordView) -> Version? { view == .full ? fullVersion : releasedVersion }

    /// Creates the row of an amendment. Keeps the released description only if that view changed and its description
    /// differs.
    init(
        head: RecordHead, versions: (full: Version, released: Version?), _ amendment: Amendment,
        by context: WriteContext
    ) {
        let (change, releasedChange) = (amendment.change, amendment.releasedChange)
        self.init(
            institution: head.institution, record: head.id, fullVersion: versions.full,
            releasedVersion: versions.released, at: context.at, account: context.account, source: context.source,
            change: change,
            releasedChange: versions.released == nil || releasedChange == change ? nil : releasedChange,
            executable: amendment.executable)
    }
}
