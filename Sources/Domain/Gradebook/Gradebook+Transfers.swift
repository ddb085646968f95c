public import Classes
import GradingKit
import Records
public import Shared

/// What a student takes from one class to another.
public struct TravellingRow: Sendable {
    /// The record that had the row's entry.
    let record: RecordID
    /// The class that the student leaves.
    let title: String
    /// The cells with their columns.
    let cells: [(column: ClassBook.Column, cell: ClassCell)]
}

/// The result of a transfer.
public struct TransferAnswer: Sendable, Equatable {
    /// The student's enrolment in the new class.
    public let enrolment: Enrolment
    /// The lines of the old class whose results stay behind, because the new class has no similar line.
    public let left: [LineID]
}

extension Gradebook {
    /// Lets a student leave for another class, like a withdrawal whose entry is removed from the record.
    ///
    /// - Throws: `FaultList`: `enrolment_unknown`, `enrolment_ended`, `class_closed`, `about_oneself`.
    public func leave(
        _ id: EnrolmentID, for title: String, by account: AccountID, in ground: ActGround
    ) throws -> ActDecision<TravellingRow> {
        guard let row = ground.rows.first(where: { $0.enrolment.id == id }) else {
            throw FaultList([Fault(.enrolmentUnknown, at: "/enrolment")])
        }
        guard !row.enrolment.isWithdrawn, row.enrolment.student != nil else {
            throw FaultList([Fault(.enrolmentEnded, at: "/enrolment")])
        }
        let version = ground.records[row.enrolment.record]?.head.programVersion
        var books = ClassBooks(self, ground.snapshot.structure, of: ground.snapshot.head.id)
        let columns = try books.book(try version ?? newestRules().programVersion).columns
        let cells = row.row.cells.sorted { $0.key < $1.key }.compactMap { number, cell in
            columns[number].map { (column: $0, cell: cell) }
        }
        let (plan, _) = try withdraw(
            id, keepingEntry: false, reason: "transfer to \(title)", by: account, in: ground)
        return (
            plan, TravellingRow(record: row.enrolment.record, title: ground.snapshot.head.title, cells: cells)
        )
    }

    /// Puts a student from another class into this one. Results go to lines with the same key, kind and best result. If
    /// such a cell is not empty or is locked, the result stays behind.
    ///
    /// - Throws: as ``enrol(_:carrying:reason:in:at:)``.
    public func arrive(
        _ request: EnrolmentRequest, with travelling: TravellingRow, in ground: ActGround, at moment: Timestamp
    ) throws -> ActDecision<TransferAnswer> {
        let snapshot = ground.snapshot
        let version = ground.records[travelling.record]?.head.programVersion ?? request.programVersion
        var books = ClassBooks(self, snapshot.structure, of: snapshot.head.id)
        let columns = Dictionary(
            try books.book(version).columns.values.map { ($0.line.sharedKey, $0) },
            uniquingKeysWith: { first, _ in first })
        let held = ground.rows.first { $0.enrolment.student == request.student }?.row.cells ?? [:]
        var (cells, left) = ([Int: ClassCell](), [LineID]())
        for (column, cell) in travelling.cells {
            guard let own = columns[column.line.sharedKey], own.isLike(column), held[own.line.number] == nil,
                snapshot.calendar?.isLocked(own.line) != true
            else {
                left.append(column.line.id)
                continue
            }
            cells[own.line.number] = cell
        }
        let (plan, enrolment) = try enrol(
            request, carrying: cells, reason: "transfer from \(travelling.title)", in: ground, at: moment)
        return (plan, TransferAnswer(enrolment: enrolment, left: left))
    }
}

extension ClassBook.Column {
    /// Whether a result means the same in both columns.
    fileprivate func isLike(_ other: Self) -> Bool {
        kind.kind == other.kind.kind && gradeField == other.gradeField && best == other.best
            && line.marking == other.line.marking
    }
}
