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
    let access: InstitutionAccess
    let work: ProgramWork
    let writes: WriteRate
    let repetition: IdempotentReply

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
                let permit = try await access.permit(to: May.Write.self, in: call.program, for: call.principal)
                return try await repetition.answer(call, under: permit) {
                    try await recompute(permit, call, keeping: $0)
                }
            },
            .signedIn(
                .get, "/v1/programs/{program}/recomputations", "Recomputations of records, newest first",
                scope: .recordsRead,
                .list(of: .bulkChange)
            ) { call in
                let permit = try await access.permit(to: May.Oversee.self, in: call.program, for: call.principal)
                let found = try await work.bulkChanges.recomputations(under: permit)
                let owners = try await work.bulkChanges.owners(ofRefusedBy: found)
                let today = try await access.today(in: permit.program, at: call.now)
                return .list(found, limit: .max, of: call, cursor: \.id) {
                    $0.write(to: &$1, on: today, of: owners)
                }
            },
        ]
    }

    private func recompute(
        _ permit: ProgramPermit<May.Write>, _ call: SignedInCall, keeping keep: IdempotentReply.Keeper?
    ) async throws -> Response {
        let digest = try await Self.form.read(call.json()) ?? ""
        let day = try await access.today(in: permit.program, at: call.now)
        let ordered = try await work.bulkChanges.recompute(under: permit, rehearsedAs: digest, by: call.context) {
            keep?(Self.answer($0, on: day))
        }
        return Self.answer(ordered, on: day)
    }

    private static func answer(_ job: BulkChangeJob, on day: CalendarDay) -> Response {
        .json(.accepted) { $0.object { $0.member("recomputation") { job.write(to: &$0, on: day) } } }
    }
}
