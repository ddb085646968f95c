import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// Changes of results after a class has ended.
extension ClassRoutes {
    var corrections: [Route] {
        [
            .signedIn(
                .get, "/v1/corrections", "Corrections that wait for my decision as a registrar, newest first",
                scope: .classesRead, reads: .page, .list(of: .waitingCorrection)
            ) { call in
                let limit = try call.read(Query.limit)
                let found = try await classes.waitingCorrections(
                    before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit + 1, for: call.context)
                return .list(found, limit: limit, of: call, cursor: { String($0.number) }) { $0.write(to: &$1) }
            },
            .signedIn(
                .get, Self.path + "/corrections", "Corrections of the class, newest first", scope: .classesRead,
                reads: .page, .list(of: .correction)
            ) { call in
                let limit = try call.read(Query.limit)
                let found = try await classes.corrections(
                    of: call.taughtClass, before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit + 1,
                    for: call.context)
                return .list(found, limit: limit, of: call, cursor: { String($0.number) }) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, Self.path + "/corrections",
                "Ask for results of a closed class to be changed, which a second person approves",
                scope: .classesWrite, reads: [Header.idempotencyKey], takes: .json(Self.correctionInput), answers: 201,
                .correctionAct, refuses: [.cellConflict, .lineChanged]
            ) { call in
                let (cells, reason) = try await Self.correctionInput.read(call.json())
                return try await act(.grade, call) { keep in
                    let changes = try CellChange.list(cells ?? .null, at: "/cells")
                    return Self.answer(
                        try await classes.ask(
                            changes, of: call.taughtClass, reason: reason ?? "", by: call.context,
                            keeping: { keep?(Self.answer($0, .created)) }), .created)
                }
            },
            .signedIn(
                .post, Self.path + "/corrections/{correction}/approve",
                "Approve a correction that another person asked for, and enter it", scope: .session,
                reads: [Header.idempotencyKey], .cellsAnswer, refuses: [.invalid, .cellConflict, .lineChanged]
            ) { call in
                try await act(.approve, call) { keep in
                    Self.answer(
                        try await classes.approve(
                            call.correction, of: call.taughtClass, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
            .signedIn(
                .delete, Self.path + "/corrections/{correction}", "Refuse a correction, or take back one's own",
                scope: .classesWrite, reads: [Header.idempotencyKey], .correctionAct, refuses: [.invalid]
            ) { call in
                try await act(.grade, call) { keep in
                    Self.answer(
                        try await classes.refuse(
                            call.correction, of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0, .ok)) }), .ok)
                }
            },
        ]
    }

    private static func answer(_ outcome: ActOutcome<Correction>, _ status: Status) -> Response {
        .json(status) { writer in
            writer.object { writer in
                writer.member("correction") { writer in
                    writer.object {
                        $0.member("id", outcome.value.id.text)
                        $0.member("state", outcome.value.decision.rawValue)
                    }
                }
                writer.member("v", outcome.version)
            }
        }
    }

    private static let correctionInput = RequestForm("CorrectionInput", example: .correctionInput) {
        (
            cells: $0.json("cells", required: true, as: .cellChanges),
            reason: $0.line("reason", max: 500)
        )
    }
}

extension SignedInCall {
    /// The correction that the path names.
    fileprivate var correction: CorrectionID { CorrectionID(self["correction"]) }
}
