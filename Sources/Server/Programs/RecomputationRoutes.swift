import Accounts
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// Computing records by the build of a scheme that runs now, once it was rehearsed what they would become.
struct RecomputationRoutes: RouteGroup {
    let access: InstitutionAccess
    let work: ProgramWork
    let identifiers: UUIDSource
    let writes: WriteRate
    let repetition: IdempotentReply

    private static let form = RequestForm(
        "RecomputationInput", example: ["digest": .string(String(repeating: "0", count: 64))]
    ) { $0.text("digest", required: true) }

    var routes: [Route] {
        [
            .signedIn(
                .post, "/v1/programs/{program}/recompute",
                "Compute the records that another executable has computed, as it was rehearsed",
                reads: [Header.idempotencyKey], takes: .json(Self.form), answers: 202,
                .wrapped("recomputation", .sweep), refuses: [.digestMismatch]
            ) { call in
                try writes.check(call)
                let (program, _) = try await access.program(.write, for: call.call)
                return try await repetition.answer(call) { try await recompute(program, call, keeping: $0) }
            },
            .signedIn(
                .get, "/v1/programs/{program}/recomputations", "Recomputations of records, newest first",
                .list(of: .sweep)
            ) { call in
                let (program, _) = try await access.program(.oversee, for: call.call)
                let found = try await work.sweeper.store.sweeps(of: program.id).filter(\.isRecomputation)
                return .list(found, limit: .max, of: call.call, cursor: \.id) {
                    $0.write(to: &$1, on: call.call.now.day)
                }
            },
        ]
    }

    private func recompute(
        _ program: Program, _ call: SignedInCall, keeping keep: IdempotentReply.Keeper?
    ) async throws -> Response {
        let digest = try Self.form.read(call.call.json()) ?? ""
        guard let rehearsal = try await work.rehearsals.store.rehearsal(of: program.id, digest: digest),
            rehearsal.basis.subject == .executable, let executable = rehearsal.basis.executable,
            executable == work.rehearsals.desk.books.executable(of: program.scheme),
            try await covers(rehearsal, program, executable)
        else { throw Problem(.conflict, "digest_mismatch") }
        let act = call.call.act()
        let sweep = BulkChangeJob(
            id: identifiers.next(), institution: program.institution, program: program.id,
            work: .recompute(by: executable), account: call.signedIn.account, source: act.source, orderedAt: act.at,
            dueOn: act.at.day)
        let detail: JSON = ["executable": executable.json, "rehearsal": .string(digest)]
        let stored = try await work.sweeper.store.insert(
            sweep,
            audit: act.entry("records.recomputed", of: program.id.text, in: program.institution, detail: detail.bytes)
        ) { keep?(Self.answer($0, on: act.at.day)) }
        work.sweeper.wake()
        return Self.answer(stored, on: act.at.day)
    }

    private static func answer(_ sweep: BulkChangeJob, on day: CalendarDay) -> Response {
        .json(.accepted) { $0.object { $0.member("recomputation") { sweep.write(to: &$0, on: day) } } }
    }

    /// Whether every record that is still stale was rehearsed as it stands. One that was changed since is stale no more.
    private func covers(
        _ rehearsal: Rehearsal, _ program: Program, _ executable: SchemeExecutable
    ) async throws -> Bool {
        var seen = VersionCursor { cursor in
            try await work.rehearsals.store.versions(of: rehearsal.id, after: cursor, limit: 1_000)
        }
        var stale = VersionCursor { cursor in
            try await work.rehearsals.browser.standings(
                of: program.id, besides: executable, after: cursor, limit: 256
            ).map { RecordVersion(record: $0.record, version: $0.version) }
        }
        var rehearsed = try await seen.next()
        while let record = try await stale.next() {
            while let known = rehearsed, known.record < record.record { rehearsed = try await seen.next() }
            guard rehearsed == record else { return false }
        }
        return true
    }
}
