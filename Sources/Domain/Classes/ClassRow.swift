public import GradingKit
public import Shared

/// One student in one class.
public struct Enrolment: Sendable, Equatable {
    /// The enrolment.
    public let id: EnrolmentID
    /// The class.
    public let classID: ClassID
    /// The student; `nil` after the account was deleted.
    public let student: AccountID?
    /// The student's record in the class's program.
    public let record: RecordID
    /// The entry of the record that stands for the row.
    public let entry: EntryID
    /// The section of the class; `nil` for none.
    public var section: SectionID?
    /// The groups of the class to which the student belongs or belonged.
    public var groups: GroupPlaces
    /// The student's first day in the class.
    public let since: CalendarDay
    /// Whether the student has left the class. The row stays, but takes no results.
    public var isWithdrawn: Bool
    /// The status of the record's entry since the student left; `nil` for none.
    public var leftAs: Status?

    /// A student in a class.
    public init(
        id: EnrolmentID, classID: ClassID, student: AccountID?, record: RecordID, entry: EntryID,
        section: SectionID? = nil, groups: GroupPlaces = GroupPlaces(), since: CalendarDay, isWithdrawn: Bool = false,
        leftAs: Status? = nil
    ) {
        self.id = id
        self.classID = classID
        self.student = student
        self.record = record
        self.entry = entry
        self.section = section
        self.groups = groups
        self.since = since
        self.isWithdrawn = isWithdrawn
        self.leftAs = leftAs
    }
}

/// The result of one student in one column.
public struct ClassCell: Sendable, Equatable {
    /// Values by field name: the grade, and other fields per student.
    public var values: [String: FieldValue]
    /// The status; `nil` for an ordinary, graded or still ungraded one.
    public var status: Status?
    /// Whether the result is kept from the student although its line shows results.
    public var isHeldBack: Bool
    /// Whether the work is missing: there is no result, and none is expected. Entering a result ends this.
    public var isMissing: Bool
    /// How many minutes late the work was; `nil` for work in time.
    public var late: Int?
    /// The marks of two people, the first mark first; empty if one person enters the result.
    public var marks: [CellMark]

    /// The word in place of a status for missing work.
    public static let missing = "missing"

    /// A cell.
    public init(
        _ values: [String: FieldValue] = [:], status: Status? = nil, isHeldBack: Bool = false,
        isMissing: Bool = false, late: Int? = nil, marks: [CellMark] = []
    ) {
        self.values = values.filter { $0.value != .none }
        self.status = status
        self.isHeldBack = isHeldBack
        self.isMissing = isMissing
        self.late = late
        self.marks = marks
    }

    /// Whether nothing was entered.
    public var isEmpty: Bool {
        values.isEmpty && status == nil && !isHeldBack && !isMissing && late == nil && marks.isEmpty
    }

    /// The status as a word, including that of missing work; `nil` for an ordinary result.
    public var statusWord: String? { isMissing ? Self.missing : status?.rawValue }
}

/// The cells of one enrolment, by the numbers of lines.
public struct ClassRow: Sendable, Equatable {
    /// The cells with content.
    public var cells: [Int: ClassCell]
    /// The figures of the total that people gave beside the computed ones.
    public var given: GivenValues
    /// The status of the total, which the root has unless it is a column; `nil` for none.
    public var status: Status?

    /// A row.
    public init(_ cells: [Int: ClassCell] = [:], given: GivenValues = GivenValues(), status: Status? = nil) {
        self.cells = cells.filter { !$0.value.isEmpty }
        self.given = given
        self.status = status
    }

    /// The cell in a column.
    public subscript(number: Int) -> ClassCell {
        get { cells[number] ?? ClassCell() }
        set { cells[number] = newValue.isEmpty ? nil : newValue }
    }
}

/// A student in a class with the row, at one moment.
public struct EnrolledRow: Sendable, Equatable {
    /// The student in the class.
    public var enrolment: Enrolment
    /// What the row holds.
    public var row: ClassRow
    /// The class's version at which it last changed.
    public let version: Version

    /// An enrolment and its row.
    public init(_ enrolment: Enrolment, _ row: ClassRow, version: Version) {
        self.enrolment = enrolment
        self.row = row
        self.version = version
    }
}

// MARK: - As it is stored

extension ClassCell {
    /// `{"values":{…},"status":…,"held":true,"late":90,"marks":[MARK]}`, without absent parts. Missing work has the
    /// status `missing`.
    public var json: JSON {
        var object = JSONObject()
        var list = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { list[name] = value.json }
        if !list.isEmpty { object["values"] = .object(list) }
        if let statusWord { object["status"] = .string(statusWord) }
        if isHeldBack { object["held"] = true }
        if let late { object["late"] = .number(String(late)) }
        if !marks.isEmpty { object["marks"] = .array(marks.map(\.json)) }
        return .object(object)
    }

    /// Reads the form of `json`; `nil` for anything else.
    public init?(_ json: JSON) {
        guard json.object != nil else { return nil }
        var values: [String: FieldValue] = [:]
        for member in json["values"]?.object ?? JSONObject() {
            guard let value = FieldValue(member.value) else { return nil }
            values[member.name] = value
        }
        let word = json["status"]?.string
        let isMissing = word == Self.missing
        var status: Status?
        if let word, !isMissing {
            guard let known = Status(rawValue: word) else { return nil }
            status = known
        }
        let list = json["marks"]?.array ?? []
        let marks = list.compactMap { CellMark($0) }
        guard marks.count == list.count else { return nil }
        self.init(
            values, status: status, isHeldBack: json["held"]?.bool ?? false, isMissing: isMissing,
            late: json["late"]?.integer, marks: marks)
    }
}

extension ClassRow {
    /// The cells by the numbers of their lines, given figures as `given`, and the status of the total as `status`.
    public var json: JSON {
        var object = JSONObject()
        for (number, cell) in cells.sorted(by: { $0.key < $1.key }) { object[String(number)] = cell.json }
        if !given.isEmpty { object["given"] = given.json }
        if let status { object["status"] = .string(status.rawValue) }
        return .object(object)
    }

    /// Reads the form of `json`; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let object = json.object else { return nil }
        var (cells, given, status) = ([Int: ClassCell](), GivenValues(), Status?.none)
        for member in object {
            if member.name == "given" {
                guard let read = GivenValues(member.value) else { return nil }
                given = read
                continue
            }
            if member.name == "status" {
                guard let read = member.value.string.flatMap({ Status(rawValue: $0) }) else { return nil }
                status = read
                continue
            }
            guard let number = Int(member.name), let cell = ClassCell(member.value) else { return nil }
            cells[number] = cell
        }
        self.init(cells, given: given, status: status)
    }
}
