import Accounts
import Application
import Classes
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for programs: an institution's use of a scheme, its draft and its published versions.
struct ProgramRoutes: RouteGroup {
    let programs: ProgramService
    let classes: ClassService
    let idempotency: IdempotentReply
    let compressed: CompressedForms

    var routes: [Route] {
        [
            .open(
                .get, "/v1/institutions/{institution}/programs", "Its programs", scope: .programsRead, reads: .page,
                .list(of: .programItem)
            ) { call in
                let found = try await programs.list(of: call["institution"], Self.page(call), for: call.context)
                return .list(found, limit: try call.read(Query.limit), of: call, cursor: \.id.text) {
                    $0.writeItem(to: &$1)
                }
            },
            .signedIn(
                .post, "/v1/institutions/{institution}/programs", "A new program, as a draft", scope: .programsWrite,
                reads: [Header.idempotencyKey], takes: .json(NewProgram.form), answers: 201, .checkedProgram,
                tells: [.eTag], refuses: [.notComputable]
            ) { call in
                let answer = { @Sendable (made: CheckedProgram) in
                    Self.answer(.created, made.program, .none, made.warnings, isStaff: true, call.language)
                }
                return try await programs.create(
                    await NewProgram.form.input(call.json()), in: call["institution"], by: call.context,
                    answering: idempotency.answering(call, keeping: { (answer($0), $0.program.revision) }, answer))
            },
            .open(
                .get, "/v1/programs/{program}", "A program with its configuration", scope: .programsRead,
                reads: [Header.ifNoneMatch],
                .wrapped("program", .program), tells: [.eTag]
            ) { call in
                let (program, isStaff) = try await programs.find(call.program, for: call.context)
                if try call.has(program.revision), !isStaff { return Response(.notModified).tagged(program.revision) }
                return try await answer(.ok, program, warnings: nil, isStaff: isStaff, call.language)
            },
            .signedIn(
                .patch, "/v1/programs/{program}", "Change the title, who enters grades, or the one open draft",
                scope: .programsWrite,
                reads: .change, takes: .json(ProgramEdit.form), .checkedProgram, tells: [.eTag],
                refuses: [.notComputable, .stepUpRequired, .sessionRequired]
            ) { call in
                let answering = idempotency.answering(call) {
                    (checked: CheckedProgram, versions: StandingVersions) in
                    (
                        Self.answer(.ok, checked.program, versions, checked.warnings, isStaff: true, call.language),
                        checked.program.revision
                    )
                } _: { (checked: CheckedProgram) in
                    try await answer(.ok, checked.program, warnings: checked.warnings, isStaff: true, call.language)
                }
                return try await programs.edit(
                    call.program, to: await ProgramEdit.form.input(call.json()),
                    expecting: call.read(Header.ifMatch), by: call.context, in: call.signedIn, answering: answering)
            },
            .open(
                .get, "/v1/programs/{program}/description",
                "What its records look like, what is computed of them, and its settings", scope: .programsRead,
                reads: [Self.version, Self.draft], .scheme, refuses: [.invalid, .notComputable]
            ) { call in
                let description = try await programs.description(
                    of: call.program, Self.subject(call), for: call.context)
                return compressed.json(description, acceptsGZip: call.acceptsGZip)
            },
            .signedIn(
                .get, "/v1/classes/{class}/program", "The program of a class, with the description of its scheme",
                scope: .classesRead, .classProgram, refuses: [.notComputable]
            ) { call in
                let taught = try await classes.snapshot(ClassID(call["class"]), for: call.context)
                let found = try await programs.described(taught.head.program, for: call.context)
                // What staff alone see of a program is not what a token for classes is for.
                let showsDraft = found.isStaff && RouteScope.programsRead.isOpen(to: call.principal)
                return compressed.json(
                    try await document(of: found, showsDraft: showsDraft), acceptsGZip: call.acceptsGZip)
            },
            .open(
                .get, "/v1/programs/{program}/versions", "Its published versions, newest first", scope: .programsRead,
                .list(of: .programVersion)
            ) { call in
                let (versions, publishers) = try await programs.versions(of: call.program, for: call.context)
                return .list(versions, limit: .max, of: call, cursor: { String($0.number) }) { version, writer in
                    let isKnown = version.publishedBy.map { publishers.contains($0) } ?? false
                    version.write(to: &writer, showsPublisher: isKnown)
                }
            },
            .signedIn(
                .delete, "/v1/programs/{program}/versions/{version}",
                "Withdraw a version whose day has not come, and the move that waits with it", scope: .session,
                reads: .change,
                .wrapped("program", .program), tells: [.eTag], refuses: [.invalid]
            ) { call in
                let answering = idempotency.answering(call) { (program: Program, versions: StandingVersions) in
                    (Self.answer(.ok, program, versions, nil, isStaff: true, call.language), program.revision)
                } _: { (withdrawn: Program) in
                    try await answer(.ok, withdrawn, warnings: nil, isStaff: true, call.language)
                }
                return try await programs.withdraw(
                    Version(call["version"]), of: call.program, expecting: call.read(Header.ifMatch),
                    by: call.context, answering: answering)
            },
        ]
    }

    private static let version = Parameter<Version?>(
        .query, "version", "The published version that is described; without it, the one in force.",
        as: .integer(1...Int.max)
    ) { text in
        guard let text else { return nil }
        guard let version = Version(text), version > 0 else { throw Problem.malformed("version must be a number") }
        return version
    }
    private static let draft = Parameter<Bool>(
        .query, "draft", "Whether the draft is described, which its staff may ask for; `?draft` is enough.", as: .flag
    ) { text in
        guard let text else { return false }
        guard ["", "true", "false"].contains(text) else { throw Problem.malformed("draft must be true or false") }
        return text != "false"
    }

    private static func page(_ call: Call) throws -> (cursor: ProgramID?, limit: Int) {
        let limit = try call.read(Query.limit)
        return (try call.read(Query.cursor).map { ProgramID($0) }, limit + 1)
    }

    private static func subject(_ call: Call) throws -> ProgramService.Subject {
        let (version, isDraft) = (try call.read(Self.version), try call.read(Self.draft))
        if version != nil, isDraft { throw Problem.malformed("Ask for a version or for the draft") }
        return isDraft ? .draft : version.map { .version($0) } ?? .inForce
    }

    private func document(of found: ProgramService.Described, showsDraft: Bool) async throws -> [UInt8] {
        let (program, scheme, own) = (found.program, found.scheme, found.own)
        let versions = try await programs.versionsInForce(of: program)
        let stale = showsDraft ? try await programs.staleCount(in: program) : nil
        var writer = JSONWriter(capacity: scheme.count + (own?.count ?? 0) + 4096)
        writer.object { writer in
            writer.member("program") {
                program.write(to: &$0, versions, showsDraft: showsDraft, stale: stale)
            }
            writer.member("scheme") { $0.raw(scheme) }
            if let own { writer.member("description") { $0.raw(own) } }
        }
        return writer.bytes
    }

    private func answer(
        _ status: Status, _ program: Program, warnings: [Fault]?, isStaff: Bool, _ language: Language
    ) async throws -> Response {
        Self.answer(
            status, program, try await programs.versionsInForce(of: program), warnings, isStaff: isStaff,
            stale: isStaff ? try await programs.staleCount(in: program) : nil, language)
    }

    private static func answer(
        _ status: Status, _ program: Program, _ versions: StandingVersions, _ warnings: [Fault]?, isStaff: Bool,
        stale: Int? = nil, _ language: Language
    ) -> Response {
        let response = Response.json(status) { writer in
            writer.object { writer in
                writer.member("program") { program.write(to: &$0, versions, showsDraft: isStaff, stale: stale) }
                if let warnings {
                    writer.member("warnings") { writer in
                        writer.array { for warning in warnings { warning.write(to: &$0, in: language) } }
                    }
                }
            }
        }
        return response.tagged(program.revision)
    }
}
