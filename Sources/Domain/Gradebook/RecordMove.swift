public import Classes
public import GradingKit
public import Records
public import Shared

/// The move of a record, with the rows of its classes, to another version of its program.
///
/// It is decided away from the store's threads. The store carries it out only if the record and its rows have not changed
/// since.
public struct RecordMove: Sendable {
    /// The record and the rows from which the move was decided.
    public let linked: LinkedRecord
    /// The change of the record.
    public let amendment: Amendment
    /// One act for each row. It changes nothing in the row, but lets its class tell all who follow the row that another
    /// version judges it.
    public let acts: [(taught: ClassID, plan: ActPlan)]

    /// Decides the move of a record to the version of these rules.
    ///
    /// If the student has left a class, the entry for it keeps the figures that the class gave it.
    ///
    /// - Parameters:
    ///   - judgesClosed: whether figures and letters of closed classes may change.
    ///   - former: the book of a row's class under the rules that judge the record now; `nil` if they refuse the
    ///     structure.
    ///   - books: the same under `rules`.
    /// - Throws: `RecordUnreadable` if the record does not fit these rules; `FaultList` with the faults of the record
    ///   or of a row, `rules_unusable` if the rules refuse the structure of a class, or `class_closed` if something of
    ///   a closed class would change.
    public init(
        _ linked: LinkedRecord, to rules: RecordRules, judgingClosed judgesClosed: Bool,
        former: (ClassSnapshot) -> ClassBook?, books: (ClassSnapshot) throws(FaultList) -> ClassBook
    ) throws {
        let version = linked.snapshot.head.programVersion
        self.linked = linked
        amendment = try rules.move(linked.snapshot, linking: linked.links(judgedBy: books))
        if !judgesClosed,
            try linked.changesClosed(by: amendment, under: rules.rules)
                || linked.changesInsideClosed(from: former, to: books)
        {
            throw FaultList([Fault(.classClosed)])
        }
        acts = linked.rows.values.map { row in
            var plan = ActPlan(LedgerLine.moved)
            plan.rows = [row.enrolled]
            plan.lines = [.judging(row.enrolled.enrolment.id, from: version, to: rules.programVersion)]
            return (row.snapshot.head.id, plan)
        }.sorted { $0.taught < $1.taught }
    }
}

extension LinkedRecord {
    /// Judges the rows by other books, and returns the given figures of their entries.
    ///
    /// - Throws: `FaultList` with the faults of the first row that is refused.
    public func links(
        judgedBy books: (ClassSnapshot) throws(FaultList) -> ClassBook
    ) throws(FaultList) -> [LinkChange] {
        var changes: [LinkChange] = []
        for (entry, row) in rows.sorted(by: { $0.key < $1.key }) {
            let book: ClassBook
            do {
                book = try books(row.snapshot)
            } catch {
                throw FaultList([
                    Fault(.rulesUnusable, ["code": .string(error.faults.first?.code.text ?? "")])
                ])
            }
            let judged = try book.judged(row.enrolled)
            try FaultList(judged.faults.map { ClassBook.placed($0) }).check()
            changes.append(.put(entry, of: judged.part, as: judged.given, parent: nil))
        }
        return changes
    }

    /// Whether an entry has the figures of the row for which it stands.
    ///
    /// - Throws: `FaultList` for a row that the rules refuse, `RecordUnreadable`, `StoreError.moved`.
    public func says(
        _ row: MarkedRow, at entry: EntryID, under rules: RecordRules, by book: ClassBook
    ) throws -> Bool {
        let tree = try rules.visibleTree(of: snapshot, view: .full)
        let judged = try book.judged(row.enrolled)
        let put = LinkChange.put(entry, of: judged.part, as: judged.given, parent: nil)
        return try rules.rules.validate(links: [put], of: tree).tree.entry(entry) == tree.entry(entry)
    }

    /// Returns whether an amendment changes the standing of a closed class's entry in either view.
    fileprivate func changesClosed(by amendment: Amendment, under rules: Rulebook) throws -> Bool {
        let closed = rows.filter { $0.value.snapshot.head.state == .closed }
        if closed.isEmpty { return false }
        func differ(_ before: RecordContent, _ after: RecordContent) throws -> Bool {
            let (old, new) = (try JSON.parse(before.standing)["entries"], try JSON.parse(after.standing)["entries"])
            // Under another name a figure is still the same.
            return closed.contains { entry, row in
                old?[entry.text].map { rules.named($0, of: row.snapshot.structure.root.kind) } != new?[entry.text]
            }
        }
        if try differ(snapshot.full, amendment.full) { return true }
        return try differ(snapshot.content(.released), amendment.released ?? amendment.full)
    }

    /// Returns whether other rules change the lines of a closed class in either view.
    fileprivate func changesInsideClosed(
        from former: (ClassSnapshot) -> ClassBook?, to books: (ClassSnapshot) throws(FaultList) -> ClassBook
    ) throws -> Bool {
        try rows.values.contains { row in
            guard row.snapshot.head.state == .closed, let before = former(row.snapshot) else { return false }
            let after = try books(row.snapshot)
            let comparison = RowComparison(from: before.rules.rules, to: after.rules.rules)
            return try [.full, .released].contains { view in
                try !comparison.changes(in: row.enrolled, view, from: before, to: after).changes.isEmpty
            }
        }
    }
}
