import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Shared

/// Routes for step-up: proving one's identity again.
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
                        "ways": .array(of: .choice(of: ProofWay.self)),
                        "providers": JSONSchema.array(of: .text).described(
                            "With which providers, where that is a way: set out with the purpose `stepUp`."),
                    ])
            ) { call in
                let end = try await proofs.end(of: call.signedIn)
                let (ways, providers) = try await proofs.ways(of: call.signedIn)
                return .json {
                    $0.value([
                        "until": end.map { .string($0.description) } ?? .null,
                        "ways": .array(ways.map { .string($0.rawValue) }),
                        "providers": .array(providers.map { .string($0.text) }),
                    ])
                }
            }.serving(.everybody),
            .signedIn(
                .post, "/v1/sessions/current/proof", "Show again who I am, for the next quarter of an hour",
                scope: .session, takes: .json(ProofRequest.form), answers: 204, tells: [.setCookie],
                refuses: [.providerUnavailable]
            ) { call in
                let request = try await ProofRequest.form.read(call.json())
                try await proofs.prove(request, of: call.signedIn, attempt: call.attempt, from: call.client)
                let response = Response(.noContent)
                return request.namesProvider ? call.cookies.clearingAttempt(response) : response
            }.serving(.everybody).untilItIsDone,
        ]
    }
}
