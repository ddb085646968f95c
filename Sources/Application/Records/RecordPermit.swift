import GradingKit
public import Institutions
public import Records
import Shared

/// The right to do something with one record. For a write, it holds the access versions on which it rests; the store
/// compares them with its own inside the transaction.
public struct RecordPermit: Sendable {
    /// The record's identity.
    public let head: RecordHead
    /// The program that the record belongs to.
    public let program: Program
    /// The part of the record that the caller sees.
    public let view: RecordView
    /// The rules by which the record is judged.
    let recordRules: RecordRules
    /// The access versions under which the permit was granted.
    let access: AccessVersions
    /// Whether the caller may give figures and outcomes.
    let mayGive: Bool

    /// Returns the author to note beside what a caller enters: the caller, if staff enter into another person's record.
    func author(_ caller: AccountID) -> AccountID? { view == .full && head.student != caller ? caller : nil }

    /// Returns the author to note beside figures and outcomes that a caller gives now; `nil` if the caller may give none.
    func giving(_ context: AccountContext) -> GivingAuthor? {
        mayGive ? GivingAuthor(account: context.account.text, time: context.now.description) : nil
    }
}
