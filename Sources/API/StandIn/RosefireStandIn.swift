public import Accounts
import Forms
import GradingKit
import HTTP

/// Plays Rosefire in a demonstration: a page that asks who one would like to be, and tells its opener so as the real
/// one does. It lets every caller in as anybody, so it answers to loopback alone and exists with `--demo` only.
public struct RosefireStandIn: RouteGroup {
    /// The address of the page.
    public static let page = "/stand-in/rosefire?platform=web"

    private struct Person {
        let id: String
        let name: String
        let group: String
    }

    private static let people = [
        Person(id: "lovelace", name: "Ada Lovelace", group: "STUDENT"),
        Person(id: "hopper", name: "Grace Hopper", group: "FACULTY"),
        Person(id: "germain", name: "Sophie Germain", group: "STUDENT"),
    ]

    private enum PersonID: String, CaseIterable {
        case lovelace, hopper, germain
    }

    private static let platform = Parameter.text("platform", "What the caller runs on; makes no difference here.")
    private static let referrer = Parameter.text("referrer", "The page that opened this one; makes no difference here.")
    private static let registry = Parameter.text("registry_token", "The application; makes no difference here.")

    private static let request = RequestForm("StandInPerson", example: ["person": "lovelace"]) {
        $0.choice("person", of: PersonID.self, required: true)?.rawValue
    }

    private let secrets: RosefireSecrets

    /// A stand-in that signs with the secrets which the server believes.
    public init(secrets: RosefireSecrets) { self.secrets = secrets }

    var routes: [Route] {
        [
            .open(
                .get, "/stand-in/rosefire", "A demonstration's Rosefire: who would you like to be?",
                reads: [Self.platform, Self.registry, Self.referrer], media: ["text/html"], refuses: [.notFound]
            ) { call in
                try Self.answer("text/html; charset=utf-8", Self.document, to: call)
            },
            .open(
                .get, "/stand-in/rosefire/script.js", "The script of that page", media: ["text/javascript"],
                refuses: [.notFound]
            ) { call in
                try Self.answer("text/javascript; charset=utf-8", Self.script, to: call)
            },
            .open(
                .post, "/stand-in/rosefire/tokens", "What Rosefire would say of one of the demonstration's people",
                takes: .json(Self.request), answers: 201, .document("StandInToken", ["token": .text]),
                refuses: [.notFound]
            ) { call in
                try issue(call)
            },
        ]
    }

    private func issue(_ call: Call) throws -> Response {
        guard call.arrival.client.isLoopback else { throw Problem.notFound }
        let id = try Self.request.read(call.json())
        guard let person = Self.people.first(where: { $0.id == id }),
            let token = RosefireToken.issue(
                to: person.id, named: person.name, group: person.group, secrets: secrets, at: call.now)
        else { throw Problem.notFound }
        return .json(.created) { $0.value(["token": .string(token)]) }
    }

    private static func answer(_ type: String, _ text: String, to call: Call) throws -> Response {
        guard call.arrival.client.isLoopback else { throw Problem.notFound }
        var response = Response(.ok, type: type, body: Array(text.utf8))
        response.headers.set(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'")
        return response
    }

    private static var document: String {
        let buttons = people.map { "<p><button type=\"button\" value=\"\($0.id)\">\($0.name)</button></p>" }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>Stand-in for Rosefire</title>
            <script src="/stand-in/rosefire/script.js" type="module"></script>
            </head>
            <body>
            <main>
            <h1>Stand-in for Rosefire</h1>
            <p>This is a demonstration. Who would you like to be?</p>
            \(buttons.joined(separator: "\n"))
            <p role="status"></p>
            </main>
            </body>
            </html>

            """
    }

    /// Tells the opener in the way of Rosefire's own page: the token is the message.
    private static let script = """
        const status = document.querySelector('[role=status]');

        async function choose(person) {
          const answer = await fetch('/stand-in/rosefire/tokens', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ person }),
          });
          const { token } = await answer.json();
          if (!window.opener) throw new Error('The page that opened this window is gone.');
          window.opener.postMessage(token, location.origin);
        }

        for (const button of document.querySelectorAll('button')) {
          button.addEventListener('click', () => choose(button.value).catch(error => { status.textContent = error.message; }));
        }

        """
}
