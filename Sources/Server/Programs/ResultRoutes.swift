import Accounts
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// Scores for many records at once: entering them, hidden if so wished, and releasing them as one act.
struct ResultRoutes: RouteGroup {
    let access: InstitutionAccess
    let accounts: AccountServices
    let desk: RecordService
    let work: ProgramWork
    let identifiers: UUIDSource
    let writes: WriteRate
    let repetition: IdempotentReply

    var routes: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/results",
                "Enter scores, one a row, at most 20,000, as JSON lines or CSV",
                reads: [
                    Self.hidden, ResultBody.Dialect.delimiter, ResultBody.Dialect.decimal, Self.mode,
                    Header.idempotencyKey,
                ],
                takes: ResultBody.description, .wrapped("import", .resultImport), also: [202], tells: [.location],
                refuses: [.invalid], bodyLimit: 20 << 20
            ) { call in
                try writes.check(call)
                return try await enter(call)
            },
            .signedIn(
                .post, "/v1/programs/{program}/results/preview",
                "What an import of at most 2,000 rows would enter and refuse; nothing is stored",
                reads: [Self.hidden, ResultBody.Dialect.delimiter, ResultBody.Dialect.decimal],
                takes: ResultBody.description, .wrapped("preview", .resultPreview), refuses: [.invalid],
                bodyLimit: 20 << 20
            ) { call in
                try writes.check(call)
                return try await preview(call)
            },
            .signedIn(
                .get, "/v1/programs/{program}/hidden", "What is hidden in its records, and of whom",
                .wrapped("hidden", .hiddenResults)
            ) { call in
                try await hidden(call)
            },
            .signedIn(
                .get, "/v1/programs/{program}/results/{import}", "How far an import is, and which rows were refused",
                .wrapped("import", .resultImport)
            ) { call in
                let (program, _) = try await access.program(.oversee, for: call.call)
                guard let found = try await work.imports.find(call.call["import"], of: program.id) else {
                    throw Problem.notFound
                }
                return try await answer(found, .ok, call.call)
            },
            .signedIn(
                .post, "/v1/programs/{program}/release", "Show what is hidden, in every record, as one act",
                reads: [Header.idempotencyKey], takes: .json(Self.releaseForm, isRequired: false), answers: 202,
                .wrapped("release", .sweep)
            ) { call in
                try writes.check(call)
                return try await release(call)
            },
            .signedIn(
                .get, "/v1/programs/{program}/releases", "Releases of what was hidden, newest first", .list(of: .sweep)
            ) { call in
                let (program, _) = try await access.program(.oversee, for: call.call)
                let releases = try await work.sweeper.store.sweeps(of: program.id).filter(\.isRelease)
                return .list(releases, limit: .max, of: call.call, cursor: \.id) {
                    $0.write(to: &$1, on: call.call.now.day)
                }
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

    private func answer(_ found: ResultImport, _ status: Status, _ call: Call) async throws -> Response {
        let records = found.items.compactMap { $0["record"]?.string.map { RecordID($0) } }
        let people = try await RecordOwners(of: records, browser: work.rehearsals.browser, desk: desk)
        return .json(status) { $0.object { $0.member("import") { found.write(to: &$0, in: call.language, people) } } }
    }

    private func enter(_ call: SignedInCall) async throws -> Response {
        let (program, _) = try await access.program(.grade, for: call.call)
        let results = ResultDesk(
            desk: desk, accounts: accounts, program: program, call: call,
            hidden: try call.call.read(Self.hidden))
        let found = try await work.imports.begin(
            ResultBody(call.call), by: results, waits: call.call.read(Self.mode))
        var response = try await answer(found, found.entry.state == .running ? .accepted : .ok, call.call)
        response.headers.set("Location", "/v1/programs/\(program.id)/results/\(found.entry.id)")
        return response
    }

    private func preview(_ call: SignedInCall) async throws -> Response {
        let (program, _) = try await access.program(.grade, for: call.call)
        let results = ResultDesk(
            desk: desk, accounts: accounts, program: program, call: call, hidden: try call.call.read(Self.hidden))
        let body = try ResultBody(call.call)
        let rows = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var preview = ResultPreview(results)
            return try await preview.rows(of: body)
        }
        let seen = rows.compactMap { row -> (id: RecordID, student: AccountID?)? in
            guard case .success(let entering) = row.result else { return nil }
            return (entering.head.id, entering.head.student)
        }
        try await desk.readings.note(call.call.principal, lists: seen, of: program, from: call.call.client.source)
        return .json(.ok) { $0.object { $0.member("preview") { rows.write(to: &$0, in: call.call.language) } } }
    }

    private func hidden(_ call: SignedInCall) async throws -> Response {
        let (program, _) = try await access.program(.oversee, for: call.call)
        let found = try await HiddenResults.of(program, desk, work.rehearsals.browser, accounts)
        let named = found.places.flatMap(\.students).map { (id: $0.record, student: $0.account) }
        try await desk.readings.note(call.call.principal, lists: named, of: program, from: call.call.client.source)
        return .json(.ok) { $0.object { $0.member("hidden") { found.write(to: &$0) } } }
    }

    private func release(_ call: SignedInCall) async throws -> Response {
        let (program, _) = try await access.program(.grade, for: call.call)
        return try await repetition.answer(call) { try await release(program, call, keeping: $0) }
    }

    private func release(
        _ program: Program, _ call: SignedInCall, keeping keep: IdempotentReply.Keeper?
    ) async throws -> Response {
        let path = try Self.releaseForm.read(call.call.json())
        let act = call.call.act()
        let sweep = BulkChangeJob(
            id: identifiers.next(), institution: program.institution, program: program.id, work: .release(path: path),
            account: call.signedIn.account, source: act.source, orderedAt: act.at, dueOn: act.at.day)
        let detail = JSON.object(["path": .array(path.map { .string($0) })]).bytes
        let stored = try await work.sweeper.store.insert(
            sweep,
            audit: act.entry("results.released", of: program.id.text, in: program.institution, detail: detail)
        ) { keep?(Self.answer($0, on: act.at.day)) }
        work.sweeper.wake()
        return Self.answer(stored, on: act.at.day)
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
    /// What the API's description tells of it.
    fileprivate static let description = RequestBody(
        content: lineTypes.map { ($0, $0 == "application/json" ? ResultRow.form.schema : .any) } + [("text/csv", .any)],
        isRequired: true)

    /// The body of a request in the form that its type names.
    fileprivate init(_ call: Call) throws {
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
    fileprivate static let delimiter = Parameter<UInt8>(
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
    fileprivate static let decimal = Parameter<Bool>(
        .query, "decimal", "What separates the decimals of numbers in a CSV file.",
        as: JSONSchema.choice(["point", "comma", ".", ","]).with(["default": "point"])
    ) { text in
        switch text {
        case nil, "point", ".": false
        case "comma", ",": true
        default: throw Problem.malformed("decimal must be point or comma")
        }
    }

    fileprivate init(_ call: Call) throws {
        delimiter = try call.read(Self.delimiter)
        hasDecimalComma = try call.read(Self.decimal)
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
