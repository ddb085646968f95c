import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// Routes for publishing a rehearsed draft, and for the progress of moving records to the new version.
struct PublishingRoutes: RouteGroup {
    let programs: ProgramService
    let proofs: Proofs
    let publishing: Publishing
    let changes: BulkChanges
    let idempotency: IdempotentReply

    var routes: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/publish", "Publish the rehearsed draft as the next version",
                scope: .session,
                reads: .change, takes: .json(Publication.form), .published, tells: [.eTag],
                refuses: [.digestMismatch, .notComputable]
            ) { call in
                let answering = idempotency.answering(call) {
                    (published: Publishing.Published, versions: StandingVersions) in
                    (
                        Self.answer(published.outcome, versions, on: published.today),
                        published.outcome.program.revision
                    )
                } _: { (published: Publishing.Published) in
                    let versions = try await programs.versionsInForce(of: published.outcome.program)
                    return Self.answer(published.outcome, versions, on: published.today)
                }
                return try await publishing.publish(
                    call.program, as: await Publication.form.read(call.json()),
                    expecting: call.read(Header.ifMatch), by: call.context, answering: answering)
            }.proven(by: proofs),
            .signedIn(
                .get, "/v1/programs/{program}/moves", "Moves of records to new versions, newest first",
                scope: .programsRead,
                .list(of: .bulkChange)
            ) { call in
                .bulkChanges(try await changes.moves(of: call.program, for: call.context), of: call)
            },
        ]
    }

    private static func answer(
        _ outcome: Publishing.Outcome, _ versions: StandingVersions, on day: CalendarDay
    ) -> Response {
        let program = outcome.program
        let response = Response.json { writer in
            writer.object { writer in
                writer.member("program") { program.write(to: &$0, versions, showsDraft: true) }
                writer.member("move") { writer in
                    if let move = outcome.move { move.write(to: &writer, on: day) } else { writer.null() }
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

extension Response {
    /// The list of a program's bulk changes.
    static func bulkChanges(_ found: BulkChanges.Listing, of call: SignedInCall) -> Response {
        .list(found.jobs, limit: .max, of: call, cursor: \.id) {
            $0.write(to: &$1, on: found.today, of: found.owners)
        }
    }
}

extension JSONSchema {
    static let published = document(
        "PublishedProgram",
        [
            "program": .program, "move": .one(of: [.bulkChange, JSONSchema(["type": "null"])]),
            "since": JSONSchema.document("ChangedSince", ["records": .integer, "items": .array(of: .rehearsalRow)])
                .described("What the records that changed after the rehearsal would become."),
        ])
    static let bulkChange = document(
        "BulkChange",
        [
            "id": .text, "program": .text, "version?": .integer,
            "closed?": JSONSchema.flag.described("Whether a move judges closed classes again, too."),
            "path?": .array(of: .text), "executable?": .executable,
            "state": .choice(["waiting", "running", "done", "stopped"]),
            "orderedAt": .moment, "dueOn": .day, "done": .integer,
            "total": .integer, "changed": .integer, "refused": .integer,
            "refusals": JSONSchema.array(
                of: document(
                    "BulkChangeRefusal",
                    [
                        "code": JSONSchema.text.described("The code of the first fault."), "count": .integer,
                        "records": .array(
                            of: document(
                                "RefusedRecord",
                                ["record": .text, "account": .text.nullable, "displayName": .text.nullable])),
                    ])
            ).described("The reasons for the refusals, each with its first records."),
            "finishedAt": .text.nullable,
        ])
}
