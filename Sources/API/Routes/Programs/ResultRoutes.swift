import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// Routes for the scores of many records: entering them, hidden if wanted, and releasing them as one act.
struct ResultRoutes: RouteGroup {
    let work: ProgramWork
    let writes: WriteRate
    let idempotency: IdempotentReply

    var routes: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/results",
                "Enter scores, one a row, at most 20,000, as JSON lines or CSV", scope: .resultsWrite,
                reads: [
                    Self.hidden, ResultBody.Dialect.cellDelimiter, ResultBody.Dialect.decimalMark, Self.mode,
                    Header.idempotencyKey,
                ],
                takes: ResultBody.description, .wrapped("import", .resultImport), also: [202], tells: [.location],
                refuses: [.invalid], bodyLimit: 20 << 20
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                return try await enter(call)
            },
            .signedIn(
                .post, "/v1/programs/{program}/results/preview",
                "What an import of at most 2,000 rows would enter and refuse; nothing is stored", scope: .resultsWrite,
                reads: [Self.hidden, ResultBody.Dialect.cellDelimiter, ResultBody.Dialect.decimalMark],
                takes: ResultBody.description, .wrapped("preview", .resultPreview), refuses: [.invalid],
                bodyLimit: 20 << 20
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                return try await preview(call)
            },
            .signedIn(
                .get, "/v1/programs/{program}/hidden", "What is hidden in its records, and of whom",
                scope: .recordsRead,
                .wrapped("hidden", .hiddenResults)
            ) { call in
                try await hidden(call)
            },
            .signedIn(
                .get, "/v1/programs/{program}/results/{import}", "How far an import is, and which rows were refused",
                scope: .resultsWrite,
                .wrapped("import", .resultImport)
            ) { call in
                let found = try await work.imports.find(call["import"], into: call.program, for: call.context)
                guard let found else { throw Problem.notFound }
                return try await answer(found, .ok, in: call.language)
            },
            .signedIn(
                .post, "/v1/programs/{program}/release", "Show what is hidden, in every record, as one act",
                scope: .resultsWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.releaseForm, isRequired: false), answers: 202,
                .wrapped("release", .bulkChange)
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                return try await release(call)
            },
            .signedIn(
                .get, "/v1/programs/{program}/releases", "Releases of what was hidden, newest first",
                scope: .recordsRead, .list(of: .bulkChange)
            ) { call in
                .bulkChanges(try await work.bulkChanges.releases(of: call.program, for: call.context), of: call)
            },
        ]
    }

    private static let hidden = Parameter.flag("hidden", "Whether the scores stay hidden until they are released.")
    private static let mode = Parameter<Bool>(
        .header, "Prefer", "`respond-async` answers 202 at once; the import goes on by itself.",
        as: JSONSchema.text.with(["examples": ["respond-async"]])
    ) { text in
        text?.split(separator: ",").contains { $0.lowercased().filter { !$0.isWhitespace } == "respond-async" } == true
    }
    private static let releaseForm = RequestForm("Release", example: [:]) { $0.texts("path") ?? [] }

    private func answer(_ found: ResultImport, _ status: Status, in language: Language) async throws -> Response {
        let people = try await work.imports.owners(of: found)
        return .json(status) { $0.object { $0.member("import") { found.write(to: &$0, in: language, people) } } }
    }

    private func enter(_ call: SignedInCall) async throws -> Response {
        let found = try await work.imports.begin(Self.request(call), into: call.program, by: call.context)
        var response = try await answer(found, found.entry.state == .running ? .accepted : .ok, in: call.language)
        response.headers.set("Location", "/v1/programs/\(call.program)/results/\(found.entry.id)")
        return response
    }

    private func preview(_ call: SignedInCall) async throws -> Response {
        let rows = try await work.imports.preview(Self.trial(call), into: call.program, by: call.context)
        return .json(.ok) { $0.object { $0.member("preview") { rows.write(to: &$0, in: call.language) } } }
    }

    private func hidden(_ call: SignedInCall) async throws -> Response {
        let found = try await work.students.hiddenResults(in: call.program, for: call.context)
        return .json(.ok) { $0.object { $0.member("hidden") { found.write(to: &$0) } } }
    }

    private func release(_ call: SignedInCall) async throws -> Response {
        try await work.bulkChanges.release(
            below: await Self.releaseForm.read(call.json()), of: call.program, by: call.context,
            answering: idempotency.answering(call) { Self.answer($0.job, on: $0.today) })
    }

    private static func trial(_ call: SignedInCall) throws -> ImportRunner.Request {
        let hidden = try call.read(Self.hidden)
        return ImportRunner.Request(try ResultBody(call), hidden: hidden, by: call.context)
    }

    private static func request(_ call: SignedInCall) throws -> ImportRunner.Request {
        let hidden = try call.read(Self.hidden)
        let context = try call.conditional()
        return ImportRunner.Request(
            try ResultBody(call), hidden: hidden, waits: try call.read(Self.mode), by: context)
    }

    private static func answer(_ release: BulkChangeJob, on day: CalendarDay) -> Response {
        .json(.accepted) { $0.object { $0.member("release") { release.write(to: &$0, on: day) } } }
    }
}

extension ResultBody {
    private static let lineTypes = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
        "application/json-lines", "application/json",
    ]
    /// The body as the API's description lists it.
    fileprivate static let description = RequestBody(
        content: lineTypes.map { ($0, $0 == "application/json" ? ResultRow.schema : .any) } + [("text/csv", .any)],
        isRequired: true,
        examples: [
            "application/json": row, "application/x-ndjson": .string(row.text + "\n"),
            "text/csv": "student,path,points\nada,Algorithms/Final,17\n",
        ])
    private static let row: JSON = ["student": "ada", "path": ["Algorithms", "Final"], "fields": ["points": 17]]

    /// Takes the body of a request in the format that its media type names; throws 415 for another type.
    fileprivate init(_ call: SignedInCall) throws {
        let body = try call.body()
        switch body.type {
        case "text/csv"?:
            self.init(bytes: body.bytes, form: .csv(try Dialect(call)))
        case let type? where Self.lineTypes.contains(type):
            self.init(bytes: body.bytes, form: .lines)
        default:
            throw Problem(.unsupportedMediaType, "unsupported_media_type", "The body must be JSON lines or text/csv")
        }
    }
}

extension ResultBody.Dialect {
    static let cellDelimiter = Parameter<UInt8>(
        .query, "delimiter", "What separates the cells of a CSV file.",
        as: JSONSchema.choice(["comma", "semicolon", "tab", ",", ";", "\t"]).with(["default": "comma"])
    ) { text in
        switch text {
        case nil, ",", "comma": UInt8(ascii: ",")
        case ";", "semicolon": UInt8(ascii: ";")
        case "\t", "tab": 0x09
        default: throw Problem.malformed("delimiter must be comma, semicolon or tab")
        }
    }
    static let decimalMark = Parameter<Bool>(
        .query, "decimal", "What separates the decimals of numbers in a CSV file.",
        as: JSONSchema.choice(["point", "comma", ".", ","]).with(["default": "point"])
    ) { text in
        switch text {
        case nil, "point", ".": false
        case "comma", ",": true
        default: throw Problem.malformed("decimal must be point or comma")
        }
    }

    /// Reads the dialect that a request names.
    init(_ call: SignedInCall) throws {
        self.init(
            delimiter: try call.read(Self.cellDelimiter), hasDecimalComma: try call.read(Self.decimalMark))
    }
}

extension JSONSchema {
    static let resultPreview = document(
        "ResultPreview",
        [
            "total": .integer, "accepted": .integer, "refused": .integer,
            "rows": .array(
                of: .document(
                    "PreviewLine",
                    [
                        "row": .integer, "content": .any, "state": .choice(["accepted", "refused"]), "record?": .text,
                        "student?": .author, "names?": .array(of: .text), "op?": .text, "entry?": .text.nullable,
                        "before?": .any, "after?": .any, "faults?": .array(of: .fault),
                    ])),
        ])
    static let hiddenResults = document(
        "HiddenResults",
        [
            "records": .integer, "complete": .flag,
            "items": .array(
                of: .document(
                    "HiddenItem",
                    ["path": .array(of: .text), "count": .integer, "students": .array(of: .author)])),
        ])
    static let resultImport = document(
        "ResultImport",
        [
            "id": .text, "program": .text, "state": .choice(["running", "done", "failed"]),
            "startedAt": .moment, "done": .integer, "total": .integer,
            "accepted": .integer, "refused": .integer,
            "rows": .array(
                of: .document(
                    "ResultLine",
                    [
                        "row": .integer, "content?": .any, "state": .choice(["accepted", "refused"]), "record?": .text,
                        "version?": .integer, "student?": .text.nullable, "displayName?": .text.nullable,
                        "faults?": .array(of: .fault),
                    ])),
        ])
}
