import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Live
import Shared

/// Classes: structure, rows, cells, roster and ledger.
struct ClassRoutes: RouteGroup {
    let classes: ClassService
    let following: ClassFollowing
    let writes: WriteRate
    let idempotency: IdempotentReply
    let longPoll: LongPoll

    static let path = "/v1/classes/{class}"

    var routes: [Route] {
        founding + settings + structure + cells + overrides + statistics + files + marking + comments + corrections
            + trials + roster + sections + groups + ledger
    }

    private static let ofProgram = Parameter<ProgramID?>(
        .query, "program", "The program whose classes are meant; without it, the classes that I teach."
    ) { $0.map { ProgramID($0) } }
    private static let ofInstitution = Parameter<InstitutionID?>(
        .query, "institution", "The institution whose classes are meant; not together with a program."
    ) { $0.map { InstitutionID($0) } }

    private var founding: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/classes",
                "Make a class; its caller teaches it, and so does the `teacher` whom a service account has to name",
                scope: .classesWrite,
                takes: .json(Self.input), answers: 201, .wrapped("class", .taughtClass), tells: [.location]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (title, term, teacher, copyOf, root, fields, lines) = try await Self.input.read(call.json())
                let made = try await classes.found(
                    in: ProgramID(call["program"]), title: title ?? "", term: term.map { TermID($0) },
                    teacher: teacher.map { AccountID($0) }, copyOf: copyOf.map { ClassID($0) }, root: root ?? "",
                    fields: fields ?? JSONObject(),
                    lines: try lines.map { try StructureChange.list(.array($0), at: "/lines") } ?? [],
                    by: call.context)
                var response = Self.answer(try await classes.document(of: made), .created)
                response.headers.set("Location", "/v1/classes/\(made.head.id)")
                return response
            },
            .signedIn(
                .get, "/v1/classes",
                "The classes that I teach, or those of a program or an institution that I may read",
                scope: .classesRead, reads: [Self.ofProgram, Self.ofInstitution, Query.limit, Query.cursor],
                .list(of: .taughtClass)
            ) { call in
                let limit = try call.read(Query.limit)
                let (program, institution) = (try call.read(Self.ofProgram), try call.read(Self.ofInstitution))
                if program != nil, institution != nil { throw Problem.malformed("Name a program or an institution") }
                let taught = try await classes.taught(
                    in: program.map { .program($0) } ?? institution.map { .institution($0) },
                    after: call.read(Query.cursor).map { ClassID($0) }, limit: limit + 1,
                    for: call.context)
                return .list(taught, limit: limit, of: call, cursor: \.head.id.text) { $0.write(to: &$1) }
            },
            .signedIn(
                .get, Self.path, "A class with its structure, columns and staff", scope: .classesRead,
                reads: [Header.ifNoneMatch, Header.wait], .wrapped("class", .taughtClass), tells: [.eTag]
            ) { call in
                try await answer(
                    following.taughtClass(call.taughtClass, for: call.context), .taughtClass(call.taughtClass), call)
            },
        ]
    }

    private var structure: [Route] {
        [
            .signedIn(
                .post, Self.path + "/changes", "Change the structure; every row is judged by the new one",
                scope: .classesWrite, reads: [Header.idempotencyKey], takes: .json(Self.changes), .classAct,
                refuses: [.structureChanged]
            ) { call in
                let (changes, seen, reason) = try await Self.changes.read(call.json())
                let steps = try StructureChange.list(.array(changes ?? []), at: "/changes")
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.change(
                            call.taughtClass, steps, since: seen, reason: reason, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
            .signedIn(
                .post, Self.path + "/post", "Show or hide the results of lines", scope: .classesWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.posting), .classAct
            ) { call in
                let (lines, hide) = try await Self.posting.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.post(
                            call.taughtClass, (lines ?? []).map { LineID($0) }, hide: hide ?? false, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
        ]
    }

    private var cells: [Route] {
        [
            .signedIn(
                .get, Self.path + "/rows", "The rows, or those that changed after a version", scope: .classesRead,
                reads: [Self.since, Self.ofGroup, Query.cursor, Header.ifNoneMatch, Header.wait], .classRows,
                tells: [.eTag, .link]
            ) { try await rows($0) },
            .signedIn(
                .get, Self.path + "/rows/{enrolment}",
                "One row as a part of a record, with its standing; for its student as it is released",
                scope: .classesRead, .classRowDocument, refuses: [.notComputable]
            ) { call in
                .json(bytes: try await classes.row(call.enrolment, of: call.taughtClass, for: call.context))
            },
            .signedIn(
                .get, "/v1/rows/{enrolment}", "My row of a class, as it is released", scope: .classesRead,
                reads: [Header.ifNoneMatch, Header.wait], .classRowDocument, tells: [.eTag], refuses: [.notComputable]
            ) { call in
                try await answer(
                    following.ownRow(call.enrolment, for: call.context), .row(call.enrolment), call)
            },
            .signedIn(
                .patch, Self.path + "/rows/{enrolment}", "Enter results of one student, all or nothing",
                scope: .classesWrite, reads: .change, takes: .json(Self.rowPatch), .classAct,
                refuses: [.cellConflict, .lineChanged]
            ) { call in
                let (cells, reason) = try await Self.rowPatch.read(call.json())
                return try await act(.grade, call) { keep in
                    let changes = try CellChange.row(cells ?? .null, of: call.enrolment, at: "/cells")
                    return Self.answer(
                        try await classes.enter(
                            call.taughtClass, row: call.enrolment, changes, reason: reason, by: call.conditional(),
                            keeping: { keep?($0, call) }), call)
                }
            },
            .signedIn(
                .post, Self.path + "/cells", "Enter results of many cells as one act", scope: .classesWrite,
                reads: [Self.mode, Header.idempotencyKey], takes: .json(Self.cellsInput), .cellsAnswer,
                refuses: [.cellConflict, .lineChanged], bodyLimit: 4 << 20
            ) { call in
                let (cells, reason) = try await Self.cellsInput.read(call.json())
                let mode = try call.read(Self.mode)
                return try await act(.grade, call) { keep in
                    let changes = try CellChange.list(cells ?? .null, at: "/cells")
                    return Self.answer(
                        try await classes.enter(
                            call.taughtClass, changes, mode, reason: reason, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
            .signedIn(
                .post, Self.path + "/undo", "Take back an act", scope: .classesWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.undo), .cellsAnswer,
                refuses: [.cellConflict, .lineChanged]
            ) { call in
                let version = try await Self.undo.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.undo(
                            call.taughtClass, version ?? 0, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
        ]
    }

    /// Carries out an act, or gives the answer that was kept under the client's key.
    func act(
        _ action: Action, _ call: SignedInCall,
        _ carryOut: (IdempotentReply.Keeper?) async throws -> Response
    ) async throws -> Response {
        try writes.check(call.context, size: call.bodySize)
        // The act itself looks for a permit. An answer that is kept needs one as well.
        guard try call.idempotencyKey() != nil else { return try await carryOut(nil) }
        return try await classes.answering(action, call.taughtClass, for: call.context) {
            try await idempotency.answer(call, carryOut)
        }
    }

    private var roster: [Route] {
        [
            .signedIn(
                .post, Self.path + "/enrolments", "Put a student into the class", scope: .rosterWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.enrolment), answers: 201,
                .wrapped("enrolment", .classEnrolment), refuses: [.entryNotFound]
            ) { call in
                let (student, record, section, day, earlier, replaced) = try await Self.enrolment.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.enrol(
                            call.taughtClass, AccountID(student ?? ""), record: record.map { RecordID($0) },
                            section: section.map { SectionID($0) }, from: day, earlier: earlier ?? .open,
                            replacing: replaced.map { EntryID($0) }, by: call.context,
                            keeping: { keep?(Self.answer($0, .created)) }), .created)
                }
            },
            .signedIn(
                .post, Self.path + "/transfers",
                "Let a student go to another class of the program; results go along where lines share a key",
                scope: .rosterWrite, reads: [Header.idempotencyKey], takes: .json(Self.transfer), answers: 201,
                .classTransfer, refuses: [.entryNotFound]
            ) { call in
                let (enrolment, target, section, earlier) = try await Self.transfer.read(call.json())
                let request = TransferRequest(
                    EnrolmentID(enrolment ?? ""), to: ClassID(target ?? ""), section: section.map { SectionID($0) },
                    earlier: earlier ?? .open)
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.transfer(
                            request, from: call.taughtClass, by: call.context, keeping: { keep?(Self.answer($0)) }))
                }
            },
            .signedIn(
                .delete, Self.path + "/enrolments/{enrolment}", "Let a student leave the class", scope: .rosterWrite,
                reads: [Self.keep, Header.idempotencyKey], .wrapped("enrolment", .classEnrolment),
                refuses: [.invalid, .entryNotFound]
            ) { call in
                let keep = try call.read(Self.keep)
                return try await act(.write, call) { keeper in
                    Self.answer(
                        try await classes.withdraw(
                            call.taughtClass, call.enrolment, keepingEntry: keep != .removed,
                            as: keep == .withdrawn ? .withdrawn : nil, by: call.context,
                            keeping: { keeper?(Self.answer($0, .ok)) }), .ok)
                }
            },
        ]
    }

    private var ledger: [Route] {
        [
            .signedIn(
                .get, Self.path + "/ledger", "Who did what in the class, newest first", scope: .classesRead,
                reads: .page, .list(of: .ledgerLine)
            ) { call in try await ledger(call, nil) },
            .signedIn(
                .get, Self.path + "/rows/{enrolment}/history", "Who entered what in one row, newest first",
                scope: .classesRead, reads: .page, .list(of: .ledgerLine)
            ) { call in try await ledger(call, call.enrolment) },
            .signedIn(
                .get, Self.path + "/structures/{structure}", "The lines as they were under a number of the ledger",
                scope: .classesRead, .classStructure
            ) { call in
                guard let number = Int(call["structure"]) else { throw Problem.notFound }
                return .json(
                    bytes: try await classes.structure(number, of: call.taughtClass, for: call.context).text)
            },
        ]
    }

    /// A document that is followed live: 304, or a wait for a newer one, for who has it.
    private func answer(_ document: LiveDocument, _ topic: Topic, _ call: SignedInCall) async throws -> Response {
        guard call.hasVersion, try call.has(document.revision) else {
            return Response.json(bytes: document.bytes).tagged(document.revision)
        }
        return try await longPoll.answer(topic, after: document.revision, to: call) ?? .notModified(document.revision)
    }

    private func ledger(_ call: SignedInCall, _ enrolment: EnrolmentID?) async throws -> Response {
        let limit = try call.read(Query.limit)
        let lines = try await classes.ledger(
            of: call.taughtClass, enrolment, before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit + 1,
            for: call.context)
        return .list(lines, limit: limit, of: call, cursor: { String($0.number) }) { $0.write(to: &$1) }
    }
}

// MARK: - Answers

extension ClassRoutes {
    static func answer(_ document: ClassDocument, _ status: Status) -> Response {
        .json(status) { writer in writer.object { $0.member("class") { document.write(to: &$0) } } }
    }

    static func answer(_ snapshot: ClassSnapshot, _ status: Status) -> Response {
        .json(status) { writer in writer.object { $0.member("class") { snapshot.write(to: &$0) } } }
    }

    static func answer(_ outcome: ActOutcome<StructureAnswer>, _ call: SignedInCall) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("v", outcome.version)
                writer.member("s", outcome.structure)
                writer.member("changed", outcome.isNew)
                writer.member("stillMissing", outcome.value.stillMissing)
                writer.member("faults") { writer in
                    writer.array { for fault in outcome.value.faults { fault.write(to: &$0, in: call.language) } }
                }
            }
        }
    }

    static func answer(_ outcome: ActOutcome<CellsAnswer>, _ call: SignedInCall) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("v", outcome.version)
                writer.member("s", outcome.structure)
                writer.member("changed", outcome.isNew)
                writer.member("accepted", outcome.value.accepted)
                writer.member("faults") { writer in
                    writer.array { for fault in outcome.value.faults { fault.write(to: &$0, in: call.language) } }
                }
            }
        }
    }

    static func answer(_ outcome: ActOutcome<Classes.Enrolment>, _ status: Status) -> Response {
        .json(status) { writer in
            writer.object { $0.member("enrolment") { outcome.value.write(to: &$0, at: outcome.version) } }
        }
    }

    private static func answer(_ outcome: ActOutcome<TransferAnswer>) -> Response {
        .json(.created) { writer in
            writer.object { writer in
                writer.member("enrolment") { outcome.value.enrolment.write(to: &$0, at: outcome.version) }
                writer.member("left", JSON.array(outcome.value.left.map { .string($0.text) }))
            }
        }
    }
}

extension Classes.Enrolment {
    fileprivate func write(to writer: inout JSONWriter, at version: Version) {
        writer.object {
            $0.member("id", id.text)
            $0.member("class", classID.text)
            $0.member("student", student?.text)
            $0.member("record", record.text)
            $0.member("entry", entry.text)
            $0.member("section", section?.text)
            $0.member("since", since.description)
            $0.member("withdrawn", isWithdrawn)
            $0.member("v", version)
        }
    }
}
