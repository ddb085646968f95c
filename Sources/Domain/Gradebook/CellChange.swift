import Classes
public import GradingKit
public import Shared

/// The requested change of one cell.
public struct CellChange: Sendable, Equatable {
    /// The value and status that the author saw.
    public struct Seen: Sendable, Equatable {
        /// The value; `null` for none.
        public let value: JSON
        /// The status; `nil` for an ordinary or ungraded one.
        public let status: String?

        /// Creates a condition.
        public init(value: JSON, status: String? = nil) {
            self.value = value
            self.status = status
        }
    }

    /// The enrolment of the row.
    public let enrolment: EnrolmentID
    /// The line.
    public let line: LineID
    /// The result; `null` removes it, and `nil` leaves it unchanged.
    public var value: JSON?
    /// The status, `missing` for missing work; `null` removes it, and `nil` leaves it unchanged.
    public var status: JSON?
    /// How many minutes late the work was; `null` for work in time, and `nil` leaves it unchanged.
    public var late: JSON?
    /// The author's mark, if two people mark; `null` removes it, and `nil` leaves it unchanged.
    public var mark: JSON?
    /// Values of fields per student, key by key; `null` clears one.
    public var fields = JSONObject()
    /// Whether the result is kept from the student; `nil` leaves it unchanged.
    public var isHeldBack: Bool?
    /// The condition; `nil` for none.
    public var seen: Seen?
    /// The delay that the author saw, in minutes, 0 for work in time; `nil` for any.
    public var seenDelay: Int?
    /// The values that the author saw in fields per student, `null` for none; the others are no condition.
    public var seenFields = JSONObject()
    /// The structure that the author saw; `nil` for any.
    public var structure: Int?
    /// The content that an undo restores, and the content that it expects.
    private(set) var restoration: Restoration?

    struct Restoration: Sendable, Equatable {
        let old: ClassCell
        let new: ClassCell
    }

    /// Restores the earlier content of a cell, if the cell still has the content that replaced it.
    init(_ enrolment: EnrolmentID, _ line: LineID, restoring old: ClassCell, over new: ClassCell) {
        self.init(enrolment, line)
        restoration = Restoration(old: old, new: new)
    }

    /// A change of one cell.
    public init(
        _ enrolment: EnrolmentID, _ line: LineID, value: JSON? = nil, status: JSON? = nil, seen: Seen? = nil,
        structure: Int? = nil
    ) {
        self.enrolment = enrolment
        self.line = line
        self.value = value
        self.status = status
        self.seen = seen
        self.structure = structure
    }
}

extension CellChange {
    /// A part of a cell that a change can set separately.
    enum Part: Hashable {
        case value
        case status
        case delay
        case mark
        case hold
        case field(String)
    }

    /// The parts that the change sets.
    var parts: [Part] {
        let set: [(part: Part, isSet: Bool)] = [
            (.value, value != nil), (.status, status != nil), (.delay, late != nil), (.mark, mark != nil),
            (.hold, isHeldBack != nil),
        ]
        return set.filter(\.isSet).map(\.part) + fields.map { .field($0.name) }
    }

    /// Whether the change says what its author saw in a part.
    func knows(_ part: Part) -> Bool {
        switch part {
        case .field(let name): seenFields[name] != nil
        case .delay: seen != nil || seenDelay != nil
        case .value, .status, .mark, .hold: seen != nil
        }
    }
}

/// A cell of a class, by its row and the number of its line.
public struct CellPlace: Sendable, Hashable {
    /// The enrolment of the row.
    public let enrolment: EnrolmentID
    /// The number of the line.
    public let line: Int

    /// A cell.
    public init(_ enrolment: EnrolmentID, _ line: Int) {
        self.enrolment = enrolment
        self.line = line
    }
}

/// Who entered the content of a cell, and when.
public struct CellAuthor: Sendable, Equatable {
    /// The account that entered it; `nil` if the server did so automatically.
    public let account: AccountID?
    /// When it was entered.
    public let at: Timestamp

    /// Creates an author.
    public init(account: AccountID?, at: Timestamp) {
        self.account = account
        self.at = at
    }
}

extension ClassBook.Column {
    /// Returns a cell after a change.
    ///
    /// - Parameter marker: the person who enters; `nil` if a result replaces marks, by two people or by an undo.
    /// - Throws: `cell_conflict`, `line_changed`, or the faults of a value, below the change's own place.
    func cell(_ cell: ClassCell, after change: CellChange, by marker: Marker? = nil) throws(FaultList) -> ClassCell {
        if let restoration = change.restoration {
            if cell != restoration.old, cell != restoration.new { throw FaultList([conflict(cell, change)]) }
            return restoration.old
        }
        let cell = named(cell)
        var (changed, faults) = (cell, FaultList())
        func take(_ json: JSON, for field: String, at path: String) {
            switch kind.value(json, of: field) {
            case .success(let value)?: changed.values[field] = value == .none ? nil : value
            case .failure(let fault)?: faults.add(fault.prefixed(path))
            case nil: faults.add(Fault(.unknownField, at: path))
            }
        }
        if let value = change.value {
            if let gradeField {
                take(value, for: gradeField, at: "/value")
            } else {
                faults.add(.unknownField, at: "/value")
            }
        }
        if let fault = marking(&changed, from: cell, change, by: marker) { faults.add(fault) }
        if let fault = besideMarks(in: changed, change) { faults.add(fault) }
        // Work with a result is not missing any more.
        if change.value != nil || change.mark != nil, result(of: changed) != nil { changed.isMissing = false }
        for member in change.fields {
            let path = "/fields" + JSONPointer.step(member.name)
            guard let field = kind.fields.first(where: { $0.name == member.name }), field.name != gradeField,
                holds(field)
            else {
                faults.add(Fault(.unknownField, at: path))
                continue
            }
            take(member.value, for: member.name, at: path)
        }
        if let status = change.status {
            if status.isNull || status == "graded" {
                (changed.status, changed.isMissing) = (nil, false)
            } else if status.string == ClassCell.missing, gradeField != nil {
                (changed.status, changed.isMissing) = (nil, true)
                if result(of: changed) != nil { faults.add(Fault(.resultEntered, at: "/status")) }
            } else if let known = status.string.flatMap({ Status(rawValue: $0) }), statuses.contains(known.rawValue) {
                (changed.status, changed.isMissing) = (known, false)
            } else {
                faults.add(Fault(.outOfRange, at: "/status", .allowing(["graded"] + statuses)))
            }
        }
        if let late = change.late { setDelay(of: &changed, to: late, &faults) }
        if let isHeldBack = change.isHeldBack { changed.isHeldBack = isHeldBack }
        try faults.check()
        // The cell has the requested content already.
        if changed == cell { return cell }
        if let structure = change.structure, structure < line.since { throw FaultList([Fault(.lineChanged)]) }
        if let seen = change.seen, !holds(seen, in: cell) { throw FaultList([conflict(cell, change)]) }
        if let delay = change.seenDelay, delay != cell.late ?? 0 { throw FaultList([conflict(cell, change)]) }
        if !holds(change.seenFields, in: cell) { throw FaultList([conflict(cell, change)]) }
        return changed
    }

    private func setDelay(of cell: inout ClassCell, to late: JSON, _ faults: inout FaultList) {
        guard takesDelay else { return faults.add(Fault(.unknownField, at: "/late")) }
        guard !late.isNull, late.integer != 0 else { return cell.late = nil }
        guard let minutes = late.integer, (1...WorkPolicy.greatestDelay).contains(minutes) else {
            let range: JSONObject = ["min": 0, "max": .number(String(WorkPolicy.greatestDelay))]
            return faults.add(Fault(.outOfRange, at: "/late", range))
        }
        cell.late = minutes
    }

    /// Returns what a person sees in a cell.
    func seen(_ cell: ClassCell) -> CellChange.Seen {
        CellChange.Seen(value: (result(of: cell) ?? .none).json, status: cell.statusWord)
    }

    private func holds(_ seen: CellChange.Seen, in cell: ClassCell) -> Bool {
        guard let gradeField else { return seen.value.isNull && seen.status == nil }
        guard case .success(let value)? = kind.value(seen.value, of: gradeField) else { return false }
        return (result(of: cell) ?? .none) == value && cell.statusWord == seen.status
    }

    private func holds(_ seen: JSONObject, in cell: ClassCell) -> Bool {
        seen.allSatisfy { member in
            guard case .success(let value)? = kind.value(member.value, of: member.name) else { return false }
            return self.value(of: member.name, in: cell) == value
        }
    }

    /// What a cell has in one of its fields per student, in the field names of this version.
    func value(of field: String, in cell: ClassCell) -> FieldValue { named(cell).values[field] ?? .none }

    /// A conflict: the fault has the other person's value, and the request the author's own. Who entered the other one
    /// is looked up when the fault is answered.
    private func conflict(_ cell: ClassCell, _ change: CellChange) -> Fault {
        var arguments: JSONObject = [
            "row": .string(change.enrolment.text), "line": .string(change.line.text),
            "value": (result(of: cell) ?? .none).json,
        ]
        if let status = cell.statusWord { arguments["status"] = .string(status) }
        if change.seenDelay != nil { arguments["late"] = .number(String(cell.late ?? 0)) }
        if !change.seenFields.isEmpty {
            var fields = JSONObject()
            for member in change.seenFields { fields[member.name] = value(of: member.name, in: cell).json }
            arguments["fields"] = .object(fields)
        }
        return Fault(.cellConflict, arguments)
    }
}
