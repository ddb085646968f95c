public import GradingKit
import Shared

/// The rows of classes for which entries of one record stand, each put together as a record of its own.
public struct ClassParts: Sendable {
    /// The most entries of a record with its rows.
    public static let greatestAssembly = 2_000

    private let trees: [EntryID: RecordTree]

    /// No row.
    public init() { trees = [:] }

    /// Rows by the entries that stand for them, as staff see them.
    public init(_ trees: [EntryID: RecordTree]) { self.trees = trees }

    /// Whether there is none.
    public var isEmpty: Bool { trees.isEmpty }

    /// The record with its rows, as one view shows them.
    func assembled(in record: RecordTree, view: RecordView) throws(FaultList) -> RecordTree {
        let count = trees.values.reduce(record.count) { $0 + $1.count }
        guard count <= Self.greatestAssembly else {
            throw FaultList([Fault(.entryLimit, ["limit": .number(String(Self.greatestAssembly))])])
        }
        return record.assembled(links: view == .full ? trees : trees.mapValues(\.released))
    }
}

extension RecordRules {
    /// The entries of a record that stand for rows of classes.
    public func links(in snapshot: RecordSnapshot) throws -> [(entry: EntryID, link: ClassLink)] {
        guard snapshot.holdsLinks else { return [] }
        return try fullTree(of: snapshot).links
    }

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
