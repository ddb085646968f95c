import GradingKit
import HTTP
import Institutions
import Records
import Storage

/// Publishing a rehearsed draft, and how far the records have followed.
struct PublishingRoutes: RouteGroup {
    let institutions: InstitutionServices
    let access: InstitutionAccess
    let work: ProgramWork
    let repetition: Repetition

    var routes: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/publish", "Publish the rehearsed draft as the next version",
                takes: .object(
                    "Publication",
                    [
                        "digest": SchemaType.text, "effectiveFrom?": SchemaType.day,
                        "records?": SchemaType.choice("keep", "move"),
                    ]), .wrapped("program", .program)
            ) { call in
                let (program, _) = try await access.program(.write, for: call.call)
                return try await repetition.answer(call) { keep in
                    let outcome = try await Publishing(institutions: institutions, work: work).publish(
                        program, as: Publication(call.call.json()), expecting: call.call.expectedRevision(),
                        by: call.call.act()
                    ) { keep?(Self.answer($0, $1, call.call), $0.program.revision) }
                    let versions = try await institutions.programs.standing(of: outcome.program)
                    return Self.answer(outcome, versions, call.call)
                }
            },
            .signedIn(
                .get, "/v1/programs/{program}/moves", "Moves of records to new versions, newest first",
                .list(of: .sweep)
            ) { call in
                let (program, _) = try await access.program(.oversee, for: call.call)
                let moves = try await work.sweeper.store.sweeps(of: program.id).filter(\.isMove)
                return .list(moves, limit: .max, of: call.call, cursor: \.id) {
                    $0.write(to: &$1, on: call.call.now.day)
                }
            },
        ]
    }

    private static func answer(
        _ outcome: Publishing.Outcome, _ versions: StandingVersions, _ call: Call
    ) -> Response {
        let program = outcome.program
        let response = Response.json { writer in
            writer.object { writer in
                writer.member("program") { program.write(to: &$0, versions, showsDraft: true) }
                writer.member("move") { writer in
                    if let move = outcome.move { move.write(to: &writer, on: call.now.day) } else { writer.null() }
                }
                writer.member("since") { writer in
                    writer.object { writer in
                        writer.member("records", outcome.changedSince)
                        writer.member("items") { writer in
                            writer.array { for row in outcome.rows { row.write(to: &$0) } }
                        }
                    }
                }
            }
        }
        return response.tagged(program.revision)
    }
}

extension Schema {
    static let sweep = Schema.object(
        "Sweep",
        [
            "id": SchemaType.text, "program": SchemaType.text, "version?": SchemaType.integer,
            "path?": SchemaType.texts, "state": SchemaType.choice("waiting", "running", "done"),
            "orderedAt": SchemaType.moment, "dueOn": SchemaType.day, "done": SchemaType.integer,
            "total": SchemaType.integer, "changed": SchemaType.integer, "refused": SchemaType.integer,
            "finishedAt": SchemaType.optionalText,
        ])
}
