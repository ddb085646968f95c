import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// Totals that people give beside the computed ones.
extension ClassRoutes {
    var overrides: [Route] {
        [
            .signedIn(
                .post, Self.path + "/override",
                "Give figures of totals beside the computed ones, or a status to totals, with a reason, or take them back",
                scope: .scope(.givenWrite), reads: [Header.idempotencyKey], takes: .json(Self.overrideInput),
                .cellsAnswer,
                refuses: [.givenChanged]
            ) { call in
                let (rows, reason) = try await Self.overrideInput.read(call.json())
                return try await act(.write, call) { keep in
                    let overrides = try RowOverride.list(rows ?? .null, at: "/rows")
                    return Self.answer(
                        try await classes.override(
                            overrides, of: call.taughtClass, reason: reason ?? "", by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            }
        ]
    }

    private static let overrideInput = RequestForm("OverrideInput", example: .overrideInput) {
        (rows: $0.json("rows", required: true, as: .rowOverrides), reason: $0.line("reason", max: 500))
    }
}
