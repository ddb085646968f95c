public import Institutions
public import Records
import Shared

/// What a caller may do with one record. Before a write it rests on what was so under some access versions, with which the
/// store compares its own inside the write.
public struct RecordPermit: Sendable {
    /// The record's identity.
    public let head: RecordHead
    /// The program that the record belongs to.
    public let program: Program
    /// What the caller sees of the record.
    public let view: RecordView
    /// The rules by which the record is judged.
    let recordRules: RecordRules
    /// The access versions under which it was given.
    let access: AccessVersions

    /// Who is noted as the author of what a caller enters: staff in the records of others.
    func author(_ caller: AccountID) -> AccountID? { view == .full && head.student != caller ? caller : nil }
}
