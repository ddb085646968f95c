import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Live
import Records
import Shared

/// Routes for records: the tree, its changes, the standing, the history.
struct RecordRoutes: RouteGroup {
    let records: RecordService
    let identifiers: UUIDSource
    let writes: WriteRate
    let calculations: RecordCalculations
    let sharings: RecordSharings
    let longPoll: LongPoll

    var routes: [Route] {
        collection + [
            .signedIn(
                .get, "/v1/records/{record}", "A record: the tree and its standing", scope: .recordsRead,
                reads: [Header.ifNoneMatch],
                .record, tells: [.eTag]
            ) { call in
                let record = call.record
                if let (_, revision) = try await held(record, by: call) { return .notModified(revision) }
                let (permit, snapshot) = try await records.snapshot(record, for: call.context)
                let revision = snapshot.revision(permit.view)
                return .json(bytes: snapshot.content(permit.view).document(version: revision.version)).tagged(revision)
            },
            .signedIn(
                .patch, "/v1/records/{record}", "Change record-level fields; for staff, give figures and outcomes",
                scope: .recordsWrite, reads: .change,
                takes: .json(.recordPatch, example: ["fields": [:]]),
                .record, tells: [.eTag], refuses: [.notComputable]
            ) { call in
                guard let members = try await call.json().object else { throw Self.notAnObject }
                if members.isEmpty { throw FaultList([Fault(.missingField, at: "/fields")]) }
                return try await edit(call, RecordEdit([.record(members)], answer: .whole))
            },
            .signedIn(
                .delete, "/v1/records/{record}", "Delete a record", scope: .recordsWrite, reads: .change, answers: 204
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await records.delete(call.record, by: call.conditional())
                return Response(.noContent)
            },
        ] + entries + earlier + reading
    }

    private var earlier: [Route] {
        [
            .signedIn(
                .put, "/v1/records/{record}/earlier/{earlier}",
                "For staff: take a frozen copy of an earlier record of the student, or enter a year from elsewhere",
                scope: .scope(.givenWrite), reads: .change, takes: .json(EarlierSource.form), .record, tells: [.eTag],
                refuses: [.notComputable]
            ) { call in
                let context = try call.conditional()
                try writes.check(context, size: call.bodySize)
                let source = try await EarlierSource.form.read(call.json())
                let outcome = try await records.takeEarlier(
                    call["earlier"], from: source, into: call.record, by: context)
                writes.charge(context, standing: outcome.answer.body.count)
                return answer(outcome)
            },
            .signedIn(
                .delete, "/v1/records/{record}/earlier/{earlier}", "For staff: remove the copy of an earlier record",
                scope: .scope(.givenWrite), reads: .change, .record, tells: [.eTag],
                refuses: [.notComputable, .invalid]
            ) { call in
                let context = try call.conditional()
                try writes.check(context, size: call.bodySize)
                let outcome = try await records.dropEarlier(call["earlier"], from: call.record, by: context)
                writes.charge(context, standing: outcome.answer.body.count)
                return answer(outcome)
            },
        ]
    }

    private var collection: [Route] {
        [
            .signedIn(
                .get, "/v1/records", "My records; for staff those of a program", scope: .recordsRead,
                reads: .page + Self.filters,
                .list(of: .recordItem), refuses: [.notFound]
            ) { call in
                try await list(call)
            },
            .signedIn(
                .post, "/v1/records", "Start a record in a program", scope: .recordsWrite, reads: .change,
                takes: .json(Self.input),
                answers: 201, .record, tells: [.eTag, .location], refuses: [.notComputable]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let (program, template, student) = try await Self.input.read(call.json())
                let id = RecordID(identifiers.next())
                let outcome = try await records.create(
                    in: ProgramID(program ?? ""), for: student.map { AccountID($0) }, template: template, id: id,
                    by: call.conditional())
                var response = answer(outcome)
                if !outcome.isReplay { response.headers.set("Location", "/v1/records/\(id)") }
                return response
            },
        ]
    }

    private var entries: [Route] {
        [
            .signedIn(
                .post, "/v1/records/{record}/entries", "Add an entry with everything in it", scope: .recordsWrite,
                reads: .change,
                takes: .json(.entryInput, example: .newEntry), answers: 201, .edited, tells: [.eTag],
                refuses: [.entryNotFound, .notComputable]
            ) { call in
                guard var object = try await call.json().object else { throw Self.notAnObject }
                let parent = object["parent"]
                object["parent"] = nil
                if let parent, parent.string == nil, !parent.isNull {
                    throw FaultList([Fault(.wrongType, at: "/parent", ["expected": "string"])])
                }
                let change = RecordChange.add(entry: .object(object), parent: parent?.string, ref: nil)
                return try await edit(call, RecordEdit([change], answer: .added))
            },
            .signedIn(
                .delete, "/v1/records/{record}/entries", "Delete the outermost entry at a position",
                scope: .recordsWrite,
                reads: .change + [Query.position], .restood, tells: [.eTag],
                refuses: [.entryNotFound, .notComputable, .invalid]
            ) { call in
                try await edit(call, .deletion(atPosition: call.read(Query.position)))
            },
            .signedIn(
                .patch, "/v1/records/{record}/entries/{entry}",
                "Change an entry's fields or status; for staff, give figures and outcomes",
                scope: .recordsWrite, reads: .change,
                takes: .json(.entryPatch, example: .entryPatch), .edited, tells: [.eTag],
                refuses: [.entryNotFound, .notComputable]
            ) { call in
                guard let members = try await call.json().object else { throw Self.notAnObject }
                let entry = EntryID(call["entry"])
                return try await edit(call, RecordEdit([.patch(entry, members)], answer: .patched(entry)))
            },
            .signedIn(
                .delete, "/v1/records/{record}/entries/{entry}", "Delete an entry with everything in it",
                scope: .recordsWrite,
                reads: .change,
                .restood, tells: [.eTag], refuses: [.entryNotFound, .notComputable, .invalid]
            ) { call in
                try await edit(call, RecordEdit([.delete(EntryID(call["entry"]))], answer: .deleted))
            },
            .signedIn(
                .post, "/v1/records/{record}/changes", "Several changes, all or nothing", scope: .recordsWrite,
                reads: .change,
                takes: .json(.changes, example: .changes), .changed, tells: [.eTag],
                refuses: [.entryNotFound, .notComputable]
            ) { call in
                let changes = try await RecordChange.list(from: call.json())
                return try await edit(call, RecordEdit(changes, at: "/changes", answer: .listed))
            },
        ]
    }

    private var reading: [Route] {
        [
            .signedIn(
                .post, "/v1/records/{record}/undo", "Take back my latest change that stands, or the one of a version",
                scope: .recordsWrite,
                reads: .change, takes: .json(Self.undo, isRequired: false), .record, tells: [.eTag],
                refuses: [.versionConflict, .nothingToUndo, .entryNotFound, .notComputable]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let version = try await Self.undo.read(call.json())
                return answer(try await records.undo(call.record, version: version, by: call.conditional()))
            },
            .signedIn(
                .get, "/v1/records/{record}/standing", "Everything computed for a record", scope: .recordsRead,
                reads: [Header.ifNoneMatch, Header.wait, Query.trace], .standing, tells: [.eTag],
                refuses: [.invalid, .notComputable]
            ) { call in
                let (record, selection) = (call.record, try call.read(Query.trace))
                if let (permit, revision) = try await held(record, by: call) {
                    let topic = Topic.standing(record, permit.view == .full ? .staff : .released)
                    if let answer = try await longPoll.answer(topic, after: revision, to: call) { return answer }
                    if selection == .none { return .notModified(revision) }
                }
                guard selection == .none else {
                    let (document, revision) = try await calculations.explanation(
                        of: record, selection, for: call.context)
                    return .json(bytes: document).tagged(revision)
                }
                let (permit, snapshot) = try await records.snapshot(record, for: call.context)
                return .json(bytes: snapshot.content(permit.view).standing).tagged(snapshot.revision(permit.view))
            },
            .signedIn(
                .get, "/v1/records/{record}/assembled",
                "A record with the lines of its classes in the place of the entries that stand for them, and its standing",
                scope: .recordsRead, .assembledRecord, refuses: [.notComputable]
            ) { call in
                .json(bytes: try await calculations.document(of: call.record, for: call.context))
            },
            .signedIn(
                .post, "/v1/records/{record}/what-if", "The standing that changes would give; nothing is stored",
                scope: .recordsRead,
                reads: [Query.trace], takes: .json(.trial, example: .changes), .standing,
                refuses: [.entryNotFound, .notComputable]
            ) { call in
                .json(
                    bytes: try await calculations.whatIf(
                        call.record, call.body().bytes, explaining: call.read(Query.trace), for: call.context
                    ) { try call.jsonOnTheSpot() })
            },
            .signedIn(
                .post, "/v1/records/{record}/goals", "What the open grades must be for a goal; nothing is stored",
                scope: .recordsRead,
                takes: .json(.goal, example: ["figure": "gpa", "target": "3.5"]), .goalAnswer,
                refuses: [.entryNotFound, .notComputable]
            ) { call in
                .json(
                    bytes: try await calculations.answer(
                        to: call.body().bytes, about: call.record, for: call.context
                    ) { try call.jsonOnTheSpot() })
            },
            .signedIn(
                .get, "/v1/records/{record}/people",
                "Whose record it is and which staff entered what in it, by displayed name", scope: .recordsRead,
                .recordPeople
            ) { call in
                .json(bytes: try await calculations.people(in: call.record, for: call.context))
            },
            .signedIn(
                .get, "/v1/records/{record}/program",
                "Its program as the record is judged by it, and what the caller may do with the record",
                scope: .recordsRead,
                .recordProgram
            ) { call in
                .json(bytes: try await RecordProgram(records, sharings).document(of: call.record, for: call.context))
            },
            .signedIn(
                .get, "/v1/records/{record}/history", "Who changed what, newest first", scope: .recordsRead,
                reads: .page,
                .list(of: .historyItem)
            ) { call in
                try await history(call)
            },
        ]
    }

    /// Returns the permit and the revision if the client already has the newest revision of its view, else `nil`. Reads
    /// no document.
    private func held(
        _ record: RecordID, by call: SignedInCall
    ) async throws -> (permit: RecordPermit, revision: Revision)? {
        guard call.hasVersion else { return nil }
        let (permit, outline) = try await records.outline(record, for: call.context)
        let revision = outline.revision(permit.view)
        return try call.has(revision) ? (permit, revision) : nil
    }

    private static let program = Parameter.text("program", "The program whose records to list.")
    private static let student = Parameter.text("student", "The account whose records to list.")
    /// The parameters that filter the list.
    private static let filters: ParameterList = [program, student]

    private func list(_ call: SignedInCall) async throws -> Response {
        let limit = try call.read(Query.limit)
        let page = try await RecordList(records).page(
            of: call.read(Self.program).map { ProgramID($0) }, student: call.read(Self.student).map { AccountID($0) },
            after: call.read(Query.cursor).map { RecordID($0) }, limit: limit, for: call.context)
        return .list(page.items, hasMore: page.hasMore, of: call, cursor: \.id.text) { $1.raw($0.line) }
    }

    private static let input = RequestForm(
        "RecordInput", example: ["program": "0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11", "template": "sample"]
    ) {
        (program: $0.text("program", required: true), template: $0.text("template"), student: $0.text("student"))
    }
    private static let undo = RequestForm("Undo", example: [:]) { $0.integer("version", in: 1...Int.max - 1) }

    private static let notAnObject = FaultList([Fault(.wrongType, at: "", ["expected": "object"])])

    private func edit(_ call: SignedInCall, _ edit: RecordEdit) async throws -> Response {
        let context = try call.conditional()
        try writes.check(context, size: call.bodySize)
        let outcome = try await records.edit(call.record, edit, by: context)
        writes.charge(context, standing: outcome.answer.body.count)
        return answer(outcome)
    }

    private func answer(_ outcome: WriteOutcome) -> Response {
        Response.json(Status(outcome.answer.kind), bytes: outcome.answer.body).tagged(outcome.revision)
    }

    private func history(_ call: SignedInCall) async throws -> Response {
        let limit = try call.read(Query.limit)
        let items = try await calculations.history(
            of: call.record, before: call.read(Query.cursor).flatMap { Version($0) }, limit: limit,
            for: call.context)
        // Version 1 creates the record, so nothing comes before it.
        let hasMore = items.last.map { $0.item.version > 1 } ?? false
        return .list(items, hasMore: hasMore, of: call, cursor: { String($0.item.version) }) { $0.write(to: &$1) }
    }
}

extension SignedInCall {
    /// The record that the path names.
    var record: RecordID { RecordID(self["record"]) }
}

extension TraceSelection {
    /// Reads `?trace=gpa,total` or `?trace=all`.
    init(query: String?) {
        switch query {
        case nil, "": self = .none
        case "all", "*": self = .all
        case let names?: self = .named(Set(names.split(separator: ",").map(String.init)))
        }
    }
}

extension JSON {
    /// The example of a unit with one graded subject.
    fileprivate static let newEntry: JSON = [
        "kind": "unit", "fields": ["title": "Mathematics", "weight": 2],
        "children": [["kind": "subject", "fields": ["title": "Algebra", "weight": 1, "grade": "14.5"]]],
    ]

    /// The example of an average that a jury raised.
    fileprivate static let entryPatch: JSON = [
        "given": ["figures": ["average": "12"]], "reason": "Jury of 3 July",
    ]

    /// The example of a grade and a new subject.
    fileprivate static let changes: JSON = [
        "changes": [
            ["op": "patch", "entry": "3f6c", "fields": ["grade": "14.5"]],
            [
                "op": "add", "kind": "subject", "parent": "3f6b", "ref": "new",
                "fields": ["title": "Statistics", "weight": 1],
            ],
        ]
    ]
}
