import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// Routes for rehearsals of a program's draft, which its registrars order and its teachers read.
struct RehearsalRoutes: RouteGroup {
    let work: ProgramWork
    let writes: WriteRate
    let idempotency: IdempotentReply

    private static let subject = RequestForm("RehearsalInput", example: [:]) { form in
        form.choice("of", of: RehearsalBasis.Subject.self) ?? .draft
    }
    /// How many rows a page has; by default a table has as many as it may.
    private static let limit = Parameter<Int?>(
        .query, "limit", "How many items a page has at most; a table has up to \(RehearsalRows.longestTable).",
        as: Query.limit.description.schema
    ) { text in try text.map { try Query.limit.parse($0) } }
    private static let accept = Parameter<Bool>(
        .header, "Accept", "`text/csv` for a table.", as: JSONSchema.text.with(["examples": ["text/csv"]])
    ) { $0?.lowercased().contains("text/csv") == true }

    private static let path = "/v1/programs/{program}/rehearsals"

    var routes: [Route] {
        [
            .signedIn(
                .post, Self.path,
                "Rehearse the draft over every record, or the scheme's executable over those that another has computed",
                scope: .programsWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.subject, isRequired: false), answers: 202,
                .wrapped("rehearsal", .rehearsal), tells: [.location]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                var response = try await work.rehearsals.begin(
                    await Self.subject.read(call.json()), of: call.program, by: call.context,
                    answering: idempotency.answering(call) { Self.answer($0, .accepted) })
                if let id = try JSON.parse(response.body)["rehearsal"]?["id"]?.string {
                    response.headers.set("Location", "/v1/programs/\(call.program)/rehearsals/\(id)")
                }
                return response
            },
            .signedIn(
                .get, Self.path, "The latest rehearsals, newest first", scope: .programsRead, .list(of: .rehearsal)
            ) { call in
                let rehearsals = try await work.rehearsals.list(of: call.program, for: call.context)
                return .list(rehearsals, limit: .max, of: call, cursor: \.id) { $0.write(to: &$1) }
            },
            .signedIn(
                .get, Self.path + "/{rehearsal}", "How far a rehearsal is, and what it counted", scope: .programsRead,
                .wrapped("rehearsal", .rehearsal)
            ) { call in
                Self.answer(
                    try await work.rehearsals.find(call["rehearsal"], of: call.program, for: call.context))
            },
            .signedIn(
                .delete, Self.path + "/{rehearsal}", "Stop a rehearsal that is under way; forget one that has ended",
                scope: .programsWrite,
                .wrapped("rehearsal", .rehearsal)
            ) { call in
                Self.answer(
                    try await work.rehearsals.cancel(call["rehearsal"], of: call.program, by: call.context))
            },
            .signedIn(
                .get, Self.path + "/{rehearsal}/changes",
                "Every figure, letter and outcome that would be another, as JSON or as text/csv", scope: .recordsRead,
                reads: [Self.limit, Query.cursor, Self.accept], .list(of: .rehearsalRow), media: ["text/csv"]
            ) { call in
                try await changes(call)
            },
        ]
    }

    private static func answer(_ rehearsal: Rehearsal, _ status: Status = .ok) -> Response {
        .json(status) { $0.object { $0.member("rehearsal") { rehearsal.write(to: &$0) } } }
    }

    private static func page(_ call: SignedInCall) throws -> (cursor: String?, limit: Int) {
        let limit = try Self.limit(call)
        return (try call.read(Query.cursor), limit)
    }

    private static func limit(_ call: SignedInCall) throws -> Int {
        let isTable = try call.read(Self.accept)
        return try call.read(Self.limit) ?? (isTable ? RehearsalRows.longestTable : Query.limit.parse(nil))
    }

    private func changes(_ call: SignedInCall) async throws -> Response {
        let page = try await work.rehearsals.changes(
            in: call["rehearsal"], of: call.program, Self.page(call), for: call.context)
        let isTable = try call.read(Self.accept)
        var response = Response.list(
            page.rows, hasMore: page.hasMore, of: call, cursor: { "\($0.record) \($0.index)" }
        ) { $0.write(to: &$1) }
        guard isTable else { return response }
        var table = CSVWriter()
        table.row(RehearsalRow.columns)
        for row in page.rows { table.row(row.cells) }
        response.headers.set("Content-Type", "text/csv; charset=utf-8")
        response.headers.set("Content-Disposition", "attachment; filename=\"rehearsal.csv\"")
        response.body = table.bytes
        return response
    }
}

extension JSONSchema {
    static let rehearsal = document(
        "Rehearsal",
        [
            "id": .text, "program": .text, "of": .choice(of: RehearsalBasis.Subject.self),
            "executable": JSONSchema.executable.nullable,
            "state": .choice(["running", "done", "cancelled", "failed"]), "digest": .text.nullable,
            "published": .integer.nullable, "startedAt": .moment, "done": .integer,
            "total": .integer,
            "counts": .document(
                "RehearsalCounts",
                [
                    "figures": .integer, "letters": .integer, "outcomes": .integer, "bars": .integer,
                    "records": .integer, "refused": .integer, "lost": .integer,
                    "closed": JSONSchema.integer.described(
                        "Records in which something of a closed class would change."),
                ]),
        ])
    static let rehearsalRow = document(
        "RehearsalRow",
        [
            "record": .text, "account": .text.nullable, "displayName": .text.nullable,
            "kind": .choice(["figure", "letter", "outcome", "bar", "refused", "lost"]),
            "entry": .text.nullable,
            "path": JSONSchema.array(of: .text).described(
                "What the entry and those around it are called, outermost first; empty for the record itself."),
            "figure": .text.nullable, "before": .text.nullable,
            "after": .text.nullable, "exactBefore?": .text.nullable,
            "exactAfter?": .text.nullable,
            "closed?": JSONSchema.flag.described("Of a closed class."),
        ])
}
