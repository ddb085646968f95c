public import Classes
import GradingKit
public import Shared

/// A person who enters results when two people mark the same work.
public struct Marker: Sendable, Equatable {
    /// The account.
    let account: AccountID
    /// Whether the person decides if two others do not agree.
    let decides: Bool
    /// Whether this is a person. Behind software may be the person who marked already.
    let isPerson: Bool

    /// Creates a marker.
    ///
    /// - Parameters:
    ///   - decides: whether the person is a teacher of the class or a registrar.
    ///   - isPerson: whether it is a person and no service account.
    public init(_ account: AccountID, decides: Bool, isPerson: Bool = true) {
        self.account = account
        self.decides = decides
        self.isPerson = isPerson
    }
}

extension ClassBook.Column {
    /// Applies a change's marks, and returns their faults.
    func marking(
        _ changed: inout ClassCell, from cell: ClassCell, _ change: CellChange, by marker: Marker?
    ) -> Fault? {
        guard let double = line.marking.double else {
            // In a line that had two markers, the next result removes the marks.
            if change.value != nil { changed.marks = [] }
            return change.mark == nil ? nil : Fault(.unknownField, at: "/mark")
        }
        if let mark = change.mark {
            guard let marker else { return Fault(.unknownField, at: "/mark") }
            guard change.value == nil else { return Fault(.unknownField, at: "/value") }
            guard marker.isPerson else { return Fault(.needsTwoMarks, at: "/mark") }
            return put(mark, by: marker.account, in: &changed, double)
        }
        guard change.value != nil, let gradeField, let marker else { return nil }
        let isDecided = changed.values[gradeField] != nil
        if changed.values[gradeField] == cell.values[gradeField] { return nil }
        guard marker.decides, marker.isPerson, cell.marks.count == CellMark.most,
            !cell.marks.contains(where: { $0.account == marker.account })
        else { return Fault(.needsTwoMarks, at: "/value") }
        if !isDecided { changed.values[gradeField] = result(of: cell.marks, double) }
        return nil
    }

    /// A fault for a second grade, such as that of a resit, in a cell of two markers that has no result yet: it would
    /// count instead of what both have to agree on.
    func besideMarks(in cell: ClassCell, _ change: CellChange) -> Fault? {
        guard line.marking.double != nil, result(of: cell) == nil,
            let grade = change.fields.first(where: { member in
                !member.value.isNull && kind.fields.contains { $0.name == member.name && $0.isGrade }
            })
        else { return nil }
        return Fault(.needsTwoMarks, at: "/fields" + JSONPointer.step(grade.name))
    }

    private func put(
        _ mark: JSON, by account: AccountID, in cell: inout ClassCell, _ double: DoubleMarking
    ) -> Fault? {
        guard let gradeField else { return Fault(.unknownField, at: "/mark") }
        let before = cell.marks
        switch kind.value(mark, of: gradeField) {
        case .success(.none)?: cell.marks.removeAll { $0.account == account }
        case .success(let value)?:
            if let place = cell.marks.firstIndex(where: { $0.account == account }) {
                cell.marks[place] = CellMark(value, by: account)
            } else if cell.marks.count < CellMark.most {
                cell.marks.append(CellMark(value, by: account))
            } else {
                return Fault(.markedTwice, at: "/mark")
            }
        case .failure(let fault)?: return fault.prefixed("/mark")
        case nil: return Fault(.unknownField, at: "/mark")
        }
        // A decision stays until a mark changes.
        if cell.marks != before { cell.values[gradeField] = result(of: cell.marks, double) }
        return nil
    }

    /// The result of two marks; `nil` if one is missing or they do not agree. A mean with more digits than a result may
    /// have is rounded half up.
    private func result(of marks: [CellMark], _ double: DoubleMarking) -> FieldValue? {
        guard marks.count == CellMark.most, case .number(let one) = marks[0].value,
            case .number(let other) = marks[1].value, let result = double.result(of: one, other), let gradeField,
            let grade
        else { return nil }
        for decimals in stride(from: grade.decimals, through: 0, by: -1) {
            let text = Rounding.halfUp.text(result, scale: decimals)
            if case .success(let value)? = kind.value(.string(text), of: gradeField), value != .none { return value }
        }
        return nil
    }

    /// Whether two people have marked the work and no result counts yet.
    public func isUnagreed(_ cell: ClassCell) -> Bool {
        line.marking.double != nil && cell.marks.count == CellMark.most && result(of: cell) == nil
    }
}

extension ClassBook {
    /// The faults of a mark under the rules, as if it were the only result of a row.
    func check(_ mark: FieldValue, in column: Column, of enrolled: EnrolledRow) throws(FaultList) {
        guard let field = column.gradeField else { return }
        let alone = ClassRow([column.line.number: ClassCell([field: mark])])
        let part = part(of: EnrolledRow(enrolled.enrolment, alone, version: enrolled.version))
        let faults = try wrong(in: part).filter { $0.entry?.text == column.line.id.text }
        try FaultList(faults.map { Fault($0.code, at: "/mark", $0.arguments) }).check()
    }

    /// The faults of lines with two markers and without numeric results, and of columns that take no results to mark
    /// under codes.
    static func misplacedMarkings(of structure: ClassStructure, _ columns: [Int: Column]) -> [Fault] {
        structure.lines.filter { line in
            let column = columns[line.number]
            return line.marking.double != nil && column?.holdsNumbers != true
                || line.marking == .anonymous && column.map { $0.gradeField == nil } == true
        }.map {
            Fault(.markingMisplaced, at: "/lines" + JSONPointer.step($0.id.text) + "/marking")
        }
    }
}
