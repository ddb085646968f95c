import Classes
public import GradingKit
public import Shared

/// What a request asks for one cell.
public struct CellChange: Sendable, Equatable {
    /// What the author saw there: the value and the status.
    public struct Seen: Sendable, Equatable {
        /// The value; `null` for none.
        public let value: JSON
        /// The status; `nil` for an ordinary or ungraded one.
        public let status: String?

        /// What the author saw.
        public init(value: JSON, status: String? = nil) {
            self.value = value
            self.status = status
        }
    }

    /// Whose row.
    public let enrolment: EnrolmentID
    /// In which line.
    public let line: LineID
    /// The result; `null` takes it out, and `nil` leaves it.
    public var value: JSON?
    /// The status, `missing` for missing work; `null` takes it away, and `nil` leaves it.
    public var status: JSON?
    /// By how many minutes the work was late; `null` for work in time, and `nil` leaves it.
    public var late: JSON?
    /// The author's mark where two people mark; `null` takes it out, and `nil` leaves it.
    public var mark: JSON?
    /// Values of fields that are per student, key by key; `null` clears one.
    public var fields = JSONObject()
    /// Whether the result is kept from the student; `nil` leaves it.
    public var isHeldBack: Bool?
    /// The condition; `nil` for none.
    public var seen: Seen?
    /// The delay that the author saw, in minutes, 0 for work in time; `nil` for whichever.
    public var seenDelay: Int?
    /// The structure that the author saw; `nil` for whichever.
    public var structure: Int?
    /// What an undo puts back, and what has to stand there for that.
    private(set) var restoration: Restoration?

    struct Restoration: Sendable, Equatable {
        let old: ClassCell
        let new: ClassCell
    }

    /// Puts back what stood in a cell, where it still holds what was written over it.
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
    /// A part of a cell that a change may set by itself.
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
    func knows(_ part: Part) -> Bool { seen != nil || part == .delay && seenDelay != nil }
}

/// A cell of a class: whose row, and the number of the line.
public struct CellPlace: Sendable, Hashable {
    /// Whose row.
    public let enrolment: EnrolmentID
    /// The number of the line.
    public let line: Int

    /// A cell.
    public init(_ enrolment: EnrolmentID, _ line: Int) {
        self.enrolment = enrolment
        self.line = line
    }
}

/// Who put what stands in a cell there, and when.
public struct CellAuthor: Sendable, Equatable {
    /// The account that entered it; `nil` where the server did by itself.
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
    /// What a change makes of a cell.
    ///
    /// - Parameter marker: who enters; `nil` where a result is put in the place of marks, by two people or by an undo.
    /// - Throws: `cell_conflict`, `line_changed`, or what is wrong with a value, below the change's own place.
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
        if let value = change.value { take(value, for: gradeField, at: "/value") }
        if let fault = marking(&changed, from: cell, change, by: marker) { faults.add(fault) }
        // What stood for a result that did not come goes when it comes.
        if change.value != nil || change.mark != nil, changed.values[gradeField] != nil { changed.isMissing = false }
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
            } else if status.string == ClassCell.missing {
                (changed.status, changed.isMissing) = (nil, true)
                if changed.values[gradeField] != nil { faults.add(Fault(.resultEntered, at: "/status")) }
            } else if let known = status.string.flatMap({ Status(rawValue: $0) }), kind.statuses.contains(known) {
                (changed.status, changed.isMissing) = (known, false)
            } else {
                faults.add(Fault(.outOfRange, at: "/status", .allowing(["graded"] + statuses)))
            }
        }
        if let late = change.late { setDelay(of: &changed, to: late, &faults) }
        if let isHeldBack = change.isHeldBack { changed.isHeldBack = isHeldBack }
        try faults.check()
        // What is asked for stands there already.
        if changed == cell { return cell }
        if let structure = change.structure, structure < line.since { throw FaultList([Fault(.lineChanged)]) }
        if let seen = change.seen, !holds(seen, in: cell) { throw FaultList([conflict(cell, change)]) }
        if let delay = change.seenDelay, delay != cell.late ?? 0 { throw FaultList([conflict(cell, change)]) }
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
        CellChange.Seen(value: (named(cell).values[gradeField] ?? .none).json, status: cell.statusWord)
    }

    private func holds(_ seen: CellChange.Seen, in cell: ClassCell) -> Bool {
        guard case .success(let value)? = kind.value(seen.value, of: gradeField) else { return false }
        return (cell.values[gradeField] ?? .none) == value && cell.statusWord == seen.status
    }

    /// Both values: the other one's stands in the fault, the own one in the request. Who entered the other one is looked up
    /// where the fault is answered.
    private func conflict(_ cell: ClassCell, _ change: CellChange) -> Fault {
        var arguments: JSONObject = [
            "row": .string(change.enrolment.text), "line": .string(change.line.text),
            "value": (cell.values[gradeField] ?? .none).json,
        ]
        if let status = cell.statusWord { arguments["status"] = .string(status) }
        if change.seenDelay != nil { arguments["late"] = .number(String(cell.late ?? 0)) }
        return Fault(.cellConflict, arguments)
    }
}
