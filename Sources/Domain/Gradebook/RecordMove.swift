public import Classes
public import GradingKit
public import Records
public import Shared

/// What becomes of a record, and of the rows of its classes, when the rules of another version judge them from now on.
///
/// Decided away from the store's threads; the store carries it out only while the record and its rows are still those
/// that it was decided from.
public struct RecordMove: Sendable {
    /// The record and the rows from which the move was decided.
    public let linked: LinkedRecord
    /// What becomes of the record.
    public let amendment: Amendment
    /// One act for each row: the row stays as it is, and its class tells whoever follows it of the new judgement.
    public let acts: [(taught: ClassID, plan: ActPlan)]

    /// Decides the move of a record to the version of these rules.
    ///
    /// Entries of students who have left a class keep the figures that they were given.
    ///
    /// - Parameters:
    ///   - judgesClosed: whether the record may say other things than now of rows of closed classes: figures, letters.
    ///   - books: the book of a row's class under `rules`.
    /// - Throws: `RecordUnreadable` if the record does not fit these rules; `FaultList` with what they refuse: in the
    ///   record, in a row, in the structure of a class (`rules_unusable`), or `class_closed` if the record would say
    ///   something else of a row whose class is closed.
    public init(
        _ linked: LinkedRecord, to rules: RecordRules, judgingClosed judgesClosed: Bool,
        books: (ClassSnapshot) throws(FaultList) -> ClassBook
    ) throws {
        let version = linked.snapshot.head.programVersion
        self.linked = linked
        amendment = try rules.move(linked.snapshot, linking: linked.links(judgedBy: books))
        if !judgesClosed, try linked.changesClosed(by: amendment) { throw FaultList([Fault(.classClosed)]) }
        acts = linked.rows.values.map { row in
            var plan = ActPlan(LedgerLine.moved)
            plan.rows = [row.enrolled]
            plan.lines = [.judging(row.enrolled.enrolment.id, from: version, to: rules.programVersion)]
            return (row.snapshot.head.id, plan)
        }.sorted { $0.taught < $1.taught }
    }
}

extension LinkedRecord {
    /// Judges the rows by other books: what the entries that stand for them are given.
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

    /// Whether an amendment changes what the record says of the row of a closed class, in either view.
    fileprivate func changesClosed(by amendment: Amendment) throws -> Bool {
        let entries = rows.filter { $0.value.snapshot.head.state == .closed }.map(\.key.text)
        if entries.isEmpty { return false }
        func differ(_ before: RecordContent, _ after: RecordContent) throws -> Bool {
            let (old, new) = (try JSON.parse(before.standing)["entries"], try JSON.parse(after.standing)["entries"])
            return entries.contains { old?[$0] != new?[$0] }
        }
        if try differ(snapshot.full, amendment.full) { return true }
        return try differ(snapshot.content(.released), amendment.released ?? amendment.full)
    }
}
