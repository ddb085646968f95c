public import GradingKit
public import Shared

/// A row of the table of changes: one version of a record, who made it, and what it was.
public struct ChangeRow: Sendable, Equatable {
    /// The tenant.
    public let institution: InstitutionID
    /// The record.
    public let record: RecordID
    /// The full view's version that the change made.
    public let fullVersion: Version
    /// The released view's version; `nil` when the student's view stayed as it was.
    public let releasedVersion: Version?
    /// When.
    public let at: Timestamp
    /// Who.
    public let account: AccountID
    /// From where.
    public let source: String
    /// What it was.
    public let change: ChangeDescription
    /// What the student's history says instead; `nil` when it says the same, or nothing.
    public let releasedChange: ChangeDescription?
    /// The build that computed the figures, where the scheme runs in a process of its own.
    public let executable: SchemeExecutable?

    /// A row as it is stored.
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

    /// What is hashed by digest only, so that it can be erased.
    public func particulars(_ values: inout HashedValues) {
        Self.append(change, to: &values)
        if let releasedChange { Self.append(releasedChange, to: &values) }
    }

    /// What is hashed into the chain itself.
    public func metadata(_ values: inout HashedValues) {
        values.append("change")
        values.append(institution.text)
        values.append(record.text)
        values.append(fullVersion)
        values.append(releasedVersion)
        values.append(Int(at.microseconds))
        values.append(account.text)
        values.append(source)
        // Rows of built-in schemes are hashed as they always were.
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
    /// What one view's history tells of the change.
    public func description(_ view: RecordView) -> ChangeDescription {
        view == .full ? change : releasedChange ?? change
    }

    /// The version that the change made of one view; `nil` when it left that view as it was.
    public func version(_ view: RecordView) -> Version? { view == .full ? fullVersion : releasedVersion }

    /// The row of an amendment, which keeps the released description only if that view changed and says something else.
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
