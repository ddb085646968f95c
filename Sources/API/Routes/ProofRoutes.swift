import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Shared

/// Step-up: showing again who one is.
struct ProofRoutes: RouteGroup {
    let proofs: Proofs

    var routes: [Route] {
        [
            .signedIn(
                .get, "/v1/sessions/current/proof", "Whether I have shown lately who I am, and how I can",
                scope: .session,
                .document(
                    "ProofState",
                    [
                        "until": JSONSchema.moment.nullable.described(
                            "Until when the last proof holds; null when it holds no more."),
                        "ways": .array(of: .choice(of: Proofs.Way.self)),
                    ])
            ) { call in
                let end = try await proofs.end(of: call.signedIn)
                let ways = try await proofs.ways(of: call.signedIn.account)
                return .json {
                    $0.value([
                        "until": end.map { .string($0.description) } ?? .null,
                        "ways": .array(ways.map { .string($0.rawValue) }),
                    ])
                }
            }.serving(.everybody),
            .signedIn(
                .post, "/v1/sessions/current/proof", "Show again who I am, for the next quarter of an hour",
                scope: .session,
                takes: .json(Proofs.form), answers: 204
            ) { call in
                try await proofs.prove(call.json(), of: call.signedIn, from: call.client)
                return Response(.noContent)
            }.serving(.everybody),
        ]
    }
}
