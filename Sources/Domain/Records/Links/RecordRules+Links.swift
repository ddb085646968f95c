public import GradingKit
import Shared

extension RecordRules {
    /// What a class makes of a record: entries that stand for rows are put in, given other figures, or taken out.
    ///
    /// - Parameter reason: names the class and the number of its act.
    /// - Throws: `FaultList` with what the record's rules say of those entries, `EntryNotFound`, `RecordUnreadable`, or
    ///   `StoreError.moved` when the record is judged by another version by now.
    public func amendment(
        of snapshot: RecordSnapshot, byClass changes: [LinkChange], reason: String?
    ) throws -> Amendment {
        guard snapshot.head.programVersion == programVersion else { throw StoreError.moved }
        let change = try rules.validate(links: changes, of: try fullTree(of: snapshot))
        let edit = RecordEdit([], answer: .none, operation: ChangeDescription.classAct, reason: reason)
        return try amendment(from: try fullTree(of: snapshot), to: change, in: snapshot, by: edit, view: .full)
    }

    /// A new record that holds such entries alone.
    public func creation(byClass changes: [LinkChange], head: RecordHead) throws -> Amendment {
        let change = try rules.validate(links: changes, of: rules.emptyRecord)
        return try creation(change.tree, head: head)
    }
}
