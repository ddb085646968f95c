import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

extension ClassRoutes {
    static let input = RequestForm(
        "ClassInput",
        example: [
            "title": "Algorithms", "root": "course",
            "fields": ["title": "Algorithms", "quarter": 1, "year": 2027, "credits": 4],
            "lines": [
                ["op": "add", "kind": "category", "in": "#0", "fields": ["category": "exams", "weight": 60]],
                ["op": "add", "kind": "item", "in": "#1", "fields": ["title": "Midterm", "max": 100]],
            ],
        ]
    ) {
        (
            title: $0.line("title", max: ClassLimits.title, required: true), term: $0.text("term"),
            teacher: $0.text("teacher"),
            copyOf: $0.text("copyOf"), root: $0.text("root", required: !$0.has("copyOf")),
            fields: $0.object("fields", as: .object),
            lines: $0.array("lines", of: .structureChange)
        )
    }
    static let changes = RequestForm("StructureChanges", example: .structureChanges) {
        (
            changes: $0.array("changes", of: .structureChange, required: true),
            seen: $0.integer("s", in: 1...Int.max - 1), reason: $0.line("reason", max: 500)
        )
    }
    static let rowPatch = RequestForm("RowPatch", example: .rowPatch) {
        (cells: $0.json("cells", required: true, as: .cellPatches), reason: $0.line("reason", max: 500))
    }
    static let cellsInput = RequestForm("CellsInput", example: .cellsInput) {
        (cells: $0.json("cells", required: true, as: .cellChanges), reason: $0.line("reason", max: 500))
    }
    static let posting = RequestForm(
        "PostInput", example: ["lines": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11"]]
    ) {
        (lines: $0.texts("lines", most: ClassLimits.lines, required: true), hide: $0.flag("hide"))
    }
    static let undo = RequestForm("UndoAct", example: ["v": 812]) {
        $0.integer("v", in: 1...Int.max - 1, required: true)
    }
    static let enrolment = RequestForm(
        "EnrolmentInput", example: ["student": "0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11"]
    ) {
        (
            student: $0.text("student", required: true), record: $0.text("record"), section: $0.text("section"),
            from: $0.day("from"), earlier: $0.choice("earlier", of: EarlierWork.self), replaces: $0.text("replaces")
        )
    }
    static let transfer = RequestForm(
        "TransferInput",
        example: [
            "enrolment": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c12", "to": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c14",
        ]
    ) {
        (
            enrolment: $0.text("enrolment", required: true), to: $0.text("to", required: true),
            section: $0.text("section"), earlier: $0.choice("earlier", of: EarlierWork.self)
        )
    }
    static let mode = Parameter<CellMode>(
        .query, "mode", "`all` or nothing; or `each` that is accepted, with every fault by its place.",
        as: .choice(of: CellMode.self)
    ) { text in
        guard let text else { return .all }
        guard let mode = CellMode(rawValue: text) else { throw Problem.malformed("mode must be all or each") }
        return mode
    }
    /// What becomes of the entry in the record of a student who leaves.
    enum Keep: String, CaseIterable, Sendable {
        case removed = "false"
        case kept = "true"
        case withdrawn
    }

    static let keep = Parameter<Keep>(
        .query, "keep",
        "`true` leaves the entry in the student's record as it stands, `withdrawn` with that status; without it, it goes.",
        as: .choice(of: Keep.self)
    ) { text in
        guard let text else { return .removed }
        guard let keep = Keep(rawValue: text) else { throw Problem.malformed("keep must be true, false or withdrawn") }
        return keep
    }
}

extension SignedInCall {
    /// The class that the path names.
    var taughtClass: ClassID { ClassID(self["class"]) }
    /// The enrolment that the path names.
    var enrolment: EnrolmentID { EnrolmentID(self["enrolment"]) }
}

extension Form {
    /// A day of the calendar.
    fileprivate mutating func day(_ name: String) -> CalendarDay? {
        parse(name, text(name, as: JSONSchema.text.described("`YYYY-MM-DD`."))) { text throws(FaultList) in
            guard let day = CalendarDay(text: text) else { throw FaultList([Fault("day_invalid")]) }
            return day
        }
    }
}
