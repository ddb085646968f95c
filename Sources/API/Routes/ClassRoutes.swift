import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// Classes: structure, rows, cells, roster and ledger.
struct ClassRoutes: RouteGroup {
    let classes: ClassService
    let writes: WriteRate

    private static let path = "/v1/classes/{class}"

    var routes: [Route] { founding + structure + cells + roster + ledger }

    private var founding: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/classes", "Make a class; its caller teaches it", scope: .resultsWrite,
                takes: .json(Self.input), answers: 201, .wrapped("class", .taughtClass), tells: [.location]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (title, root, fields, lines) = try await Self.input.read(call.json())
                let made = try await classes.found(
                    in: ProgramID(call["program"]), title: title ?? "", root: root ?? "",
                    fields: fields ?? JSONObject(),
                    lines: try lines.map { try StructureChange.list(.array($0), at: "/lines") } ?? [],
                    by: call.context)
                var response = Self.answer(made, .created)
                response.headers.set("Location", "/v1/classes/\(made.head.id)")
                return response
            },
            .signedIn(
                .get, "/v1/classes", "The classes that I teach", scope: .recordsRead, reads: .page,
                .list(of: .taughtClass)
            ) { call in
                let limit = try call.read(Query.limit)
                let taught = try await classes.taught(
                    after: call.read(Query.cursor).map { ClassID($0) }, limit: limit, for: call.context)
                return .list(taught, limit: limit, of: call, cursor: \.head.id.text) { $0.write(to: &$1) }
            },
            .signedIn(
                .get, Self.path, "A class with its structure and staff", scope: .recordsRead,
                .wrapped("class", .taughtClass)
            ) { call in
                Self.answer(try await classes.snapshot(call.taughtClass, for: call.context), .ok)
            },
        ]
    }

    private var structure: [Route] {
        [
            .signedIn(
                .post, Self.path + "/changes", "Change the structure; every row is judged by the new one",
                scope: .resultsWrite, takes: .json(Self.changes), .classAct
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (changes, reason) = try await Self.changes.read(call.json())
                let outcome = try await classes.change(
                    call.taughtClass, StructureChange.list(.array(changes ?? []), at: "/changes"), reason: reason,
                    by: call.context)
                return Self.answer(outcome, call)
            },
            .signedIn(
                .post, Self.path + "/post", "Show or hide the results of lines", scope: .resultsWrite,
                takes: .json(Self.posting), .classAct
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (lines, hide) = try await Self.posting.read(call.json())
                return Self.answer(
                    try await classes.post(
                        call.taughtClass, (lines ?? []).map { LineID($0) }, hide: hide ?? false, by: call.context), call
                )
            },
        ]
    }

    private var cells: [Route] {
        [
            .signedIn(
                .get, Self.path + "/rows", "The rows, or those that changed after a version", scope: .recordsRead,
                reads: [Self.since], .classRows
            ) { call in
                .json(
                    bytes: try await classes.rows(call.taughtClass, since: call.read(Self.since), for: call.context))
            },
            .signedIn(
                .get, Self.path + "/rows/{enrolment}",
                "One row as a part of a record, with its standing; for its student as it is released",
                scope: .recordsRead, .classRowDocument, refuses: [.notComputable]
            ) { call in
                .json(bytes: try await classes.row(call.enrolment, of: call.taughtClass, for: call.context))
            },
            .signedIn(
                .patch, Self.path + "/rows/{enrolment}", "Enter results of one student, all or nothing",
                scope: .resultsWrite, takes: .json(Self.rowPatch), .classAct,
                refuses: [.cellConflict, .lineChanged]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (cells, reason) = try await Self.rowPatch.read(call.json())
                let changes = try CellChange.row(cells ?? .null, of: call.enrolment, at: "/cells")
                return Self.answer(
                    try await classes.enter(
                        call.taughtClass, row: call.enrolment, changes, reason: reason,
                        by: call.context), call)
            },
            .signedIn(
                .post, Self.path + "/cells", "Enter results of many cells as one act", scope: .resultsWrite,
                reads: [Self.mode], takes: .json(Self.cellsInput), .cellsAnswer,
                refuses: [.cellConflict, .lineChanged], bodyLimit: 4 << 20
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (cells, reason) = try await Self.cellsInput.read(call.json())
                let changes = try CellChange.list(cells ?? .null, at: "/cells")
                return Self.answer(
                    try await classes.enter(
                        call.taughtClass, changes, call.read(Self.mode), reason: reason,
                        by: call.context), call)
            },
            .signedIn(
                .post, Self.path + "/undo", "Take back an act", scope: .resultsWrite, takes: .json(Self.undo),
                .cellsAnswer, refuses: [.cellConflict, .lineChanged]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let version = try await Self.undo.read(call.json())
                return Self.answer(
                    try await classes.undo(call.taughtClass, version ?? 0, by: call.context), call)
            },
        ]
    }

    private var roster: [Route] {
        [
            .signedIn(
                .post, Self.path + "/enrolments", "Put a student into the class", scope: .rosterWrite,
                takes: .json(Self.enrolment), answers: 201, .wrapped("enrolment", .classEnrolment),
                refuses: [.entryNotFound]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (student, record) = try await Self.enrolment.read(call.json())
                let outcome = try await classes.enrol(
                    call.taughtClass, AccountID(student ?? ""), record: record.map { RecordID($0) }, by: call.context)
                return Self.answer(outcome.value, at: outcome.version, .created)
            },
            .signedIn(
                .delete, Self.path + "/enrolments/{enrolment}", "Let a student leave the class", scope: .rosterWrite,
                reads: [Self.keep], .wrapped("enrolment", .classEnrolment), refuses: [.invalid, .entryNotFound]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let outcome = try await classes.withdraw(
                    call.taughtClass, call.enrolment, keepingEntry: call.read(Self.keep), by: call.context)
                return Self.answer(outcome.value, at: outcome.version, .ok)
            },
        ]
    }

    private var ledger: [Route] {
        [
            .signedIn(
                .get, Self.path + "/ledger", "Who did what in the class, newest first", scope: .recordsRead,
                reads: .page, .list(of: .ledgerLine)
            ) { call in try await ledger(call, nil) },
            .signedIn(
                .get, Self.path + "/rows/{enrolment}/history", "Who entered what in one row, newest first",
                scope: .recordsRead, reads: .page, .list(of: .ledgerLine)
            ) { call in try await ledger(call, call.enrolment) },
        ]
    }

    private func ledger(_ call: SignedInCall, _ enrolment: EnrolmentID?) async throws -> Response {
        let limit = try call.read(Query.limit)
        let lines = try await classes.ledger(
            of: call.taughtClass, enrolment, before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit,
            for: call.context)
        return .list(lines, limit: limit, of: call, cursor: { String($0.number) }) { $0.write(to: &$1) }
    }
}

// MARK: - Requests

extension ClassRoutes {
    private static let input = RequestForm(
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
            title: $0.line("title", max: ClassLimits.title, required: true),
            root: $0.text("root", required: true), fields: $0.object("fields", as: .object),
            lines: $0.array("lines", of: .structureChange)
        )
    }
    private static let changes = RequestForm("StructureChanges", example: .structureChanges) {
        (
            changes: $0.array("changes", of: .structureChange, required: true),
            reason: $0.line("reason", max: 500)
        )
    }
    private static let rowPatch = RequestForm("RowPatch", example: .rowPatch) {
        (cells: $0.json("cells", required: true, as: .cellPatches), reason: $0.line("reason", max: 500))
    }
    private static let cellsInput = RequestForm("CellsInput", example: .cellsInput) {
        (cells: $0.json("cells", required: true, as: .cellChanges), reason: $0.line("reason", max: 500))
    }
    private static let posting = RequestForm(
        "PostInput", example: ["lines": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11"]]
    ) {
        (lines: $0.texts("lines", most: ClassLimits.lines, required: true), hide: $0.flag("hide"))
    }
    private static let undo = RequestForm("UndoAct", example: ["v": 812]) {
        $0.integer("v", in: 1...Int.max - 1, required: true)
    }
    private static let enrolment = RequestForm(
        "EnrolmentInput", example: ["student": "0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11"]
    ) {
        (student: $0.text("student", required: true), record: $0.text("record"))
    }
    private static let since = Parameter<Int>.integer(
        "since", in: 0...Int.max - 1, default: 0, "The version of the class that the client knows.")
    private static let mode = Parameter<CellMode>(
        .query, "mode", "`all` or nothing; or `each` that is accepted, with every fault by its place.",
        as: .choice(of: CellMode.self)
    ) { text in
        guard let text else { return .all }
        guard let mode = CellMode(rawValue: text) else { throw Problem.malformed("mode must be all or each") }
        return mode
    }
    private static let keep = Parameter<Bool>(
        .query, "keep", "`true` leaves the entry in the student's record as it stands.", as: .choice(["true", "false"])
    ) { text in
        guard text == nil || text == "true" || text == "false" else {
            throw Problem.malformed("keep must be true or false")
        }
        return text == "true"
    }
}

extension SignedInCall {
    /// The class that the path names.
    fileprivate var taughtClass: ClassID { ClassID(self["class"]) }
    /// The enrolment that the path names.
    fileprivate var enrolment: EnrolmentID { EnrolmentID(self["enrolment"]) }
}

// MARK: - Answers

extension ClassRoutes {
    private static func answer(_ snapshot: ClassSnapshot, _ status: Status) -> Response {
        .json(status) { writer in writer.object { $0.member("class") { snapshot.write(to: &$0) } } }
    }

    private static func answer(_ outcome: ActOutcome<StructureAnswer>, _ call: SignedInCall) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("v", outcome.version)
                writer.member("s", outcome.structure)
                writer.member("faults") { writer in
                    writer.array { for fault in outcome.value.faults { fault.write(to: &$0, in: call.language) } }
                }
            }
        }
    }

    private static func answer(_ outcome: ActOutcome<CellsAnswer>, _ call: SignedInCall) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("v", outcome.version)
                writer.member("s", outcome.structure)
                writer.member("accepted", outcome.value.accepted)
                writer.member("faults") { writer in
                    writer.array { for fault in outcome.value.faults { fault.write(to: &$0, in: call.language) } }
                }
            }
        }
    }

    private static func answer(_ enrolment: Classes.Enrolment, at version: Version, _ status: Status) -> Response {
        .json(status) { writer in
            writer.object { writer in
                writer.member("enrolment") { writer in
                    writer.object {
                        $0.member("id", enrolment.id.text)
                        $0.member("student", enrolment.student?.text)
                        $0.member("record", enrolment.record.text)
                        $0.member("entry", enrolment.entry.text)
                        $0.member("since", enrolment.since.description)
                        $0.member("withdrawn", enrolment.isWithdrawn)
                        $0.member("v", version)
                    }
                }
            }
        }
    }
}
