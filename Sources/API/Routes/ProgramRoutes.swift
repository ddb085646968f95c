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
    let access: InstitutionAccess
    let proofs: Proofs
    let repetition: IdempotentReply
    let compressed: CompressedForms

    var routes: [Route] {
        [
            .open(
                .get, "/v1/institutions/{institution}/programs", "Its programs", scope: .programsRead, reads: .page,
                .list(of: .programItem)
            ) { call in
                let permit = try await access.permit(to: May.Read.self, in: call["institution"], for: call.principal)
                let limit = try call.read(Query.limit)
                let found = try await programs.list(
                    under: permit, for: call.principal, after: call.read(Query.cursor).map { ProgramID($0) },
                    limit: limit)
                return .list(found, limit: limit, of: call, cursor: \.id.text) { $0.writeItem(to: &$1) }
            },
            .signedIn(
                .post, "/v1/institutions/{institution}/programs", "A new program, as a draft", scope: .programsWrite,
                reads: [Header.idempotencyKey], takes: .json(NewProgram.form), answers: 201, .checkedProgram,
                tells: [.eTag], refuses: [.notComputable]
            ) { call in
                let permit = try await access.permit(to: May.Create.self, in: call["institution"], for: call.principal)
                return try await repetition.answer(call, under: permit) { keep in
                    func answer(_ made: CheckedProgram) -> Response {
                        Self.answer(.created, made.program, .none, made.warnings, isStaff: true, call.language)
                    }
                    let made = try await programs.create(
                        NewProgram.form.input(call.json()), under: permit, by: call.audit()
                    ) { keep?(answer($0), $0.program.revision) }
                    return answer(made)
                }
            },
            .open(
                .get, "/v1/programs/{program}", "A program with its configuration", scope: .programsRead,
                reads: [Header.ifNoneMatch],
                .wrapped("program", .program), tells: [.eTag]
            ) { call in
                let permit = try await access.permit(to: May.Read.self, in: call.program, for: call.principal)
                let (program, isStaff) = (permit.program, permit.isStaff)
                if try call.has(program.revision), !isStaff { return Response(.notModified).tagged(program.revision) }
                return try await answer(.ok, program, warnings: nil, isStaff: isStaff, call.language)
            },
            .signedIn(
                .patch, "/v1/programs/{program}", "Change the title, who enters grades, or the one open draft",
                scope: .programsWrite,
                reads: .change, takes: .json(ProgramEdit.form), .checkedProgram, tells: [.eTag],
                refuses: [.notComputable, .stepUpRequired, .sessionRequired]
            ) { call in
                let permit = try await access.permit(to: May.Write.self, in: call.program, for: call.principal)
                let input = try await ProgramEdit.form.input(call.json())
                let expected = try call.read(Header.ifMatch)
                return try await repetition.answer(call, under: permit) { keep in
                    let checked = try await proofs.whereNeeded(by: { try call.signedIn }) { isProven in
                        try await programs.edit(
                            input, under: permit, expecting: expected, isProven: isProven, by: call.audit()
                        ) {
                            keep?(
                                Self.answer(.ok, $0.program, $1, $0.warnings, isStaff: true, call.language),
                                $0.program.revision)
                        }
                    }
                    return try await answer(
                        .ok, checked.program, warnings: checked.warnings, isStaff: true, call.language)
                }
            },
            .open(
                .get, "/v1/programs/{program}/description",
                "What its records look like, what is computed of them, and its settings", scope: .programsRead,
                reads: [Self.version, Self.draft], .scheme, refuses: [.invalid, .notComputable]
            ) { call in
                let permit = try await access.permit(to: May.Read.self, in: call.program, for: call.principal)
                let (version, isDraft) = (try call.read(Self.version), try call.read(Self.draft))
                if version != nil, isDraft { throw Problem.malformed("Ask for a version or for the draft") }
                let description = try await programs.description(
                    of: isDraft ? .draft : version.map { .version($0) } ?? .inForce, under: permit)
                return compressed.json(description, acceptsGZip: call.acceptsGZip)
            },
            .signedIn(
                .get, "/v1/classes/{class}/program", "The program of a class, with the description of its scheme",
                scope: .classesRead, .classProgram, refuses: [.notComputable]
            ) { call in
                let taught = try await classes.snapshot(ClassID(call["class"]), for: call.context)
                let permit = try await access.permit(
                    to: May.Read.self, in: taught.head.program, for: call.principal)
                // What staff alone see of a program is not what a token for classes is for.
                let showsDraft = permit.isStaff && RouteScope.programsRead.isOpen(to: call.principal)
                return compressed.json(
                    try await document(of: permit, showsDraft: showsDraft), acceptsGZip: call.acceptsGZip)
            },
            .open(
                .get, "/v1/programs/{program}/versions", "Its published versions, newest first", scope: .programsRead,
                .list(of: .programVersion)
            ) { call in
                let permit = try await access.permit(to: May.Read.self, in: call.program, for: call.principal)
                let (versions, publishers) = try await programs.versions(under: permit)
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
                let permit = try await access.permit(to: May.Write.self, in: call.program, for: call.principal)
                guard let number = Version(call["version"]) else { throw Problem.notFound }
                return try await repetition.answer(call, under: permit) { keep in
                    let withdrawn = try await programs.withdraw(
                        number, under: permit, expecting: call.read(Header.ifMatch), by: call.audit()
                    ) { keep?(Self.answer(.ok, $0, $1, nil, isStaff: true, call.language), $0.revision) }
                    return try await answer(.ok, withdrawn, warnings: nil, isStaff: true, call.language)
                }
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

    private func document(of permit: ProgramPermit<May.Read>, showsDraft: Bool) async throws -> [UInt8] {
        let program = permit.program
        let versions = try await programs.versionsInForce(of: program)
        let stale = showsDraft ? try await programs.staleCount(in: program) : nil
        let (scheme, own) = try await programs.descriptions(under: permit)
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
