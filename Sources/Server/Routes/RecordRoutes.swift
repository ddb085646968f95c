import Accounts
import Cryptography
import Forms
import GradingKit
import HTTP
import Live
import Records
import Shared

/// Records: the tree, its changes, the standing, the history.
struct RecordRoutes: RouteGroup {
    let desk: RecordService
    let identifiers: UUIDSource
    let writes: WriteRate
    let calculations: Calculations
    let longPoll: LongPoll

    var routes: [Route] {
        collection + [
            .signedIn(
                .get, "/v1/records/{record}", "A record: the tree and its standing", reads: [Header.ifNoneMatch],
                .record, tells: [.eTag]
            ) { call in
                let (permit, snapshot) = try await desk.snapshot(call.record, for: call)
                let revision = snapshot.revision(permit.view)
                return try call.call.document(
                    snapshot.content(permit.view).document(version: revision.version), at: revision)
            },
            .signedIn(
                .patch, "/v1/records/{record}", "Change record-level fields", reads: .change, takes: .json(Self.patch),
                .record, tells: [.eTag], refuses: [.notComputable]
            ) { call in
                let fields = try Self.patch.read(call.call.json())
                return try await edit(call, RecordEdit([.fields(fields ?? .null)], answer: .whole))
            },
            .signedIn(.delete, "/v1/records/{record}", "Delete a record", reads: .change, answers: 204) { call in
                try writes.check(call)
                try await desk.delete(call.record, by: call)
                return Response(.noContent)
            },
        ] + entries + reading
    }

    private var collection: [Route] {
        [
            .signedIn(
                .get, "/v1/records", "My records; for staff those of a program", reads: .page + RecordList.filters,
                .list(of: .recordItem), refuses: [.notFound]
            ) { call in
                try await RecordList(desk: desk).response(to: call)
            },
            .signedIn(
                .post, "/v1/records", "Start a record in a program", reads: .change, takes: .json(Self.input),
                answers: 201, .record, tells: [.eTag, .location], refuses: [.notComputable]
            ) { call in
                try writes.check(call)
                let (program, template, student) = try Self.input.read(call.call.json())
                let id = RecordID(identifiers.next())
                let outcome = try await desk.create(
                    in: ProgramID(program ?? ""), for: student.map { AccountID($0) }, template: template, id: id,
                    by: call)
                var response = answer(outcome)
                if !outcome.isReplay { response.headers.set("Location", "/v1/records/\(id)") }
                return response
            },
        ]
    }

    private var entries: [Route] {
        [
            .signedIn(
                .post, "/v1/records/{record}/entries", "Add an entry with everything in it", reads: .change,
                takes: .json(.entryInput), answers: 201, .edited, tells: [.eTag],
                refuses: [.entryNotFound, .notComputable]
            ) { call in
                guard var object = try call.call.json().object else { throw Self.notAnObject }
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
                reads: .change + [Query.position], .restood, tells: [.eTag],
                refuses: [.entryNotFound, .notComputable, .invalid]
            ) { call in
                try await edit(call, .deletion(atPosition: call.call.read(Query.position)))
            },
            .signedIn(
                .patch, "/v1/records/{record}/entries/{entry}", "Change an entry's fields or status", reads: .change,
                takes: .json(.entryPatch), .edited, tells: [.eTag], refuses: [.entryNotFound, .notComputable]
            ) { call in
                guard let members = try call.call.json().object else { throw Self.notAnObject }
                let entry = EntryID(call.call["entry"])
                return try await edit(call, RecordEdit([.patch(entry, members)], answer: .patched(entry)))
            },
            .signedIn(
                .delete, "/v1/records/{record}/entries/{entry}", "Delete an entry with everything in it",
                reads: .change,
                .restood, tells: [.eTag], refuses: [.entryNotFound, .notComputable, .invalid]
            ) { call in
                try await edit(call, RecordEdit([.delete(EntryID(call.call["entry"]))], answer: .deleted))
            },
            .signedIn(
                .post, "/v1/records/{record}/changes", "Several changes, all or nothing", reads: .change,
                takes: .json(.changes), .changed, tells: [.eTag], refuses: [.entryNotFound, .notComputable]
            ) { call in
                let changes = try RecordChange.list(from: call.call.json())
                return try await edit(call, RecordEdit(changes, at: "/changes", answer: .listed))
            },
        ]
    }

    private var reading: [Route] {
        [
            .signedIn(
                .post, "/v1/records/{record}/undo", "Take back my latest change that stands, or the one of a version",
                reads: .change, takes: .json(Self.undo, isRequired: false), .record, tells: [.eTag],
                refuses: [.versionConflict, .nothingToUndo, .entryNotFound, .notComputable]
            ) { call in
                try writes.check(call)
                let version = try Self.undo.read(call.call.json())
                return answer(try await desk.undo(call.record, version: version, by: call))
            },
            .signedIn(
                .get, "/v1/records/{record}/standing", "Everything computed for a record",
                reads: [Header.ifNoneMatch, Header.wait, Query.trace], .standing, tells: [.eTag],
                refuses: [.invalid, .notComputable]
            ) { call in
                let (permit, snapshot) = try await desk.snapshot(call.record, for: call)
                let revision = snapshot.revision(permit.view)
                if let answer = try await longPoll.answer(
                    .standing(call.record, permit.view == .full ? .staff : .released), at: revision, to: call)
                {
                    return answer
                }
                let selection = try call.call.read(Query.trace)
                guard selection == .none else {
                    let cost = CalculationCost(of: .explanation, about: snapshot.content(permit.view).tree)
                    return try await calculated(cost, for: call, by: permit.book) {
                        try permit.book.explanation(of: snapshot, view: permit.view, selection)
                    }.tagged(revision)
                }
                return try call.call.document(snapshot.content(permit.view).standing, at: revision)
            },
            .signedIn(
                .post, "/v1/records/{record}/what-if", "The standing that changes would give; nothing is stored",
                reads: [Query.trace], takes: .json(.changes), .standing, refuses: [.entryNotFound, .notComputable]
            ) { call in
                let (permit, snapshot) = try await desk.snapshot(call.record, for: call)
                let selection = try call.call.read(Query.trace)
                let cost = try CalculationCost(
                    of: selection == .none ? .standing : .explanation, about: snapshot.content(permit.view).tree,
                    call.call.body().bytes)
                return try await calculated(cost, for: call, by: permit.book) {
                    try permit.book.preview(
                        of: snapshot, by: RecordChange.list(from: call.call.json()), view: permit.view,
                        explaining: selection)
                }
            },
            .signedIn(
                .post, "/v1/records/{record}/goals", "What the open grades must be for a goal; nothing is stored",
                takes: .json(.goal), .goalAnswer, refuses: [.entryNotFound, .notComputable]
            ) { call in
                let (permit, snapshot) = try await desk.snapshot(call.record, for: call)
                let cost = try CalculationCost(
                    of: .goal, about: snapshot.content(permit.view).tree, call.call.body().bytes)
                return try await calculated(cost, for: call, by: permit.book) {
                    try permit.book.answer(to: Goal(call.call.json()), about: snapshot, view: permit.view)
                }
            },
            .signedIn(
                .get, "/v1/records/{record}/people",
                "Whose record it is and which staff entered what in it, by displayed name",
                .recordPeople
            ) { call in
                let (permit, snapshot) = try await desk.snapshot(call.record, for: call)
                return try await RecordPeople(desk: desk, calculations: calculations)
                    .response(to: permit, snapshot, for: call)
            },
            .signedIn(
                .get, "/v1/records/{record}/program",
                "Its program as the record is judged by it, and what the caller may do with the record",
                .recordProgram
            ) { call in
                try await RecordProgram(desk: desk).response(to: call)
            },
            .signedIn(
                .get, "/v1/records/{record}/history", "Who changed what, newest first", reads: .page,
                .list(of: .historyItem)
            ) { call in
                try await history(call)
            },
        ]
    }

    private static let patch = RequestForm("RecordPatch", example: ["fields": [:]]) {
        $0.json("fields", required: true, as: .object)
    }
    private static let input = RequestForm("RecordInput") {
        (program: $0.text("program", required: true), template: $0.text("template"), student: $0.text("student"))
    }
    private static let undo = RequestForm("Undo", example: [:]) { $0.integer("version", in: 1...Int.max - 1) }

    private static let notAnObject = FaultList([Fault(.wrongType, at: "", ["expected": "object"])])

    private func edit(_ call: SignedInCall, _ edit: RecordEdit) async throws -> Response {
        try writes.check(call)
        return answer(try await desk.edit(call.record, edit, by: call))
    }

    /// Answers with what the record's scheme computes, and words what it refuses in its own words.
    private func calculated(
        _ cost: CalculationCost, for call: SignedInCall, by book: RecordRules,
        _ bytes: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> Response {
        do {
            return .json(bytes: try await calculations.perform(cost, for: call.call, by: book.rules, bytes))
        } catch let faults as FaultList {
            throw Problem.invalid(faults, catalog: book.rules.catalog)
        } catch let missing as EntryNotFound {
            throw Problem.entryNotFound(missing, book)
        }
    }

    private func answer(_ outcome: WriteOutcome) -> Response {
        Response.json(Status(outcome.answer.status), bytes: outcome.answer.body).tagged(outcome.revision)
    }

    private func history(_ call: SignedInCall) async throws -> Response {
        let (permit, _) = try await desk.snapshot(call.record, for: call)
        let limit = try call.call.read(Query.limit)
        let items = try await desk.store.history(
            of: call.record, view: permit.view, before: call.call.read(Query.cursor).flatMap { Version($0) },
            limit: limit)
        return .list(items, limit: limit, of: call.call, cursor: { String($0.version) }) { item, writer in
            item.write(to: &writer)
        }
    }
}

extension SignedInCall {
    /// The record that the path names.
    var record: RecordID { RecordID(call["record"]) }
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

extension HistoryItem {
    /// Writes the item.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", version)
            writer.member("at", at.description)
            writer.member("by", ["id": .text(account?.text), "displayName": .text(displayName)])
            writer.member("op", change.operation)
            writer.member("entry", change.entry)
            writer.name("before")
            writer.raw(change.before ?? Array("null".utf8))
            writer.name("after")
            writer.raw(change.after ?? Array("null".utf8))
            writer.name("figures")
            writer.raw(change.figures)
            if let executable { writer.member("executable", executable.json) }
            writer.member("reason", change.reason)
        }
    }
}

extension JSON {
    /// A string, or `null`.
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}

/// How fast one account may write: 100 a second, 500 at once, long changes counting for more. Loopback is exempt where the
/// server says so.
struct WriteRate: Sendable {
    let limiter: RateLimiter<AccountID>

    func check(_ call: SignedInCall) throws {
        guard call.call.client.isLimited else { return }
        // One more for every 16 KiB, up to what a change of a record may have; an import is as long as a class is large.
        let cost = 1 + min(call.call.bodySize, 1 << 20) / 16_384
        if let wait = limiter.wait(for: call.signedIn.account, at: call.call.now, cost: cost) {
            throw Problem.rateLimited(retryAfter: wait)
        }
    }
}
