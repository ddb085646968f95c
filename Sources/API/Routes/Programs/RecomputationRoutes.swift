import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// Routes for recomputing records with the scheme's current build, after a rehearsal has shown what would change.
struct RecomputationRoutes: RouteGroup {
    let work: ProgramWork
    let writes: WriteRate
    let idempotency: IdempotentReply

    private static let form = RequestForm(
        "RecomputationInput", example: ["digest": .string(String(repeating: "0", count: 64))]
    ) { $0.text("digest", required: true) }

    var routes: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/recompute",
                "Compute the records that another executable has computed, as it was rehearsed", scope: .session,
                reads: [Header.idempotencyKey], takes: .json(Self.form), answers: 202,
                .wrapped("recomputation", .bulkChange), refuses: [.digestMismatch]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                return try await work.bulkChanges.recompute(
                    call.program, rehearsedAs: await Self.form.read(call.json()) ?? "", by: call.context,
                    answering: idempotency.answering(call) { Self.answer($0) })
            },
            .signedIn(
                .get, "/v1/programs/{program}/recomputations", "Recomputations of records, newest first",
                scope: .recordsRead,
                .list(of: .bulkChange)
            ) { call in
                .bulkChanges(
                    try await work.bulkChanges.recomputations(of: call.program, for: call.context), of: call)
            },
        ]
    }

    private static func answer(_ ordered: BulkChanges.Ordered) -> Response {
        .json(.accepted) {
            $0.object { $0.member("recomputation") { ordered.job.write(to: &$0, on: ordered.today) } }
        }
    }
}
