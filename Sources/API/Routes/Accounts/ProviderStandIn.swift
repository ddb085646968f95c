public import Accounts
import Forms
import GradingKit
import HTTP
public import Shared

/// Plays a provider in a demonstration: a page asks which person to be, and sends the token to its opener as the real
/// provider does. Because it lets every caller be anyone, it answers to loopback alone and exists only with `--demo`.
public struct ProviderStandIn: RouteGroup {
    /// A person of the demonstration.
    public struct Person: Sendable {
        /// The provider's name for the person.
        public let id: String
        /// The displayed name.
        public let name: String
        /// The role that the provider reports, which grants nothing here.
        public let group: String
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

    private let provider: ProviderID
    private let title: String
    private let sign: @Sendable (Person, Timestamp) -> String?

    /// Creates a stand-in for a provider.
    ///
    /// - Parameter sign: makes the token that the provider would issue for a person at a time; `nil` if it fails.
    public init(
        for provider: ProviderID, title: String, sign: @escaping @Sendable (Person, Timestamp) -> String?
    ) {
        self.provider = provider
        self.title = title
        self.sign = sign
    }

    /// Returns the address of the page of a provider's stand-in.
    public static func page(of provider: ProviderID) -> String { "\(folder(provider))?platform=web" }

    private static func folder(_ provider: ProviderID) -> String { "/stand-in/\(provider)" }

    private var folder: String { Self.folder(provider) }

    var routes: [Route] {
        [
            .open(
                .get, folder, "A demonstration's \(title): who would you like to be?", scope: .session,
                reads: [Self.platform, Self.registry, Self.referrer], media: ["text/html"], refuses: [.notFound]
            ) { call in
                try Self.answer("text/html; charset=utf-8", document, to: call)
            }.serving(.everybody),
            .open(
                .get, "\(folder)/script.js", "The script of that page", scope: .session, media: ["text/javascript"],
                refuses: [.notFound]
            ) { call in
                try Self.answer("text/javascript; charset=utf-8", script, to: call)
            }.serving(.everybody),
            .open(
                .post, "\(folder)/tokens", "What \(title) would say of one of the demonstration's people",
                scope: .session,
                takes: .json(Self.request), answers: 201, .document("StandInToken", ["token": .text]),
                refuses: [.notFound]
            ) { call in
                try await issue(call)
            }.serving(.everybody),
        ]
    }

    private func issue(_ call: Call) async throws -> Response {
        guard call.arrival.client.isLoopback else { throw Problem.notFound }
        let id = try await Self.request.read(call.json())
        guard let person = Self.people.first(where: { $0.id == id }),
            let token = sign(person, call.now)
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

    private var document: String {
        let buttons = Self.people.map { "<p><button type=\"button\" value=\"\($0.id)\">\($0.name)</button></p>" }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>Stand-in for \(title)</title>
            <script src="\(folder)/script.js" type="module"></script>
            </head>
            <body>
            <main>
            <h1>Stand-in for \(title)</h1>
            <p>This is a demonstration. Who would you like to be?</p>
            \(buttons.joined(separator: "\n"))
            <p role="status"></p>
            </main>
            </body>
            </html>

            """
    }

    /// The script of the page. It posts the token to the opener as a message, as such a provider's own page does.
    private var script: String {
        """
        const status = document.querySelector('[role=status]');

        async function choose(person) {
          const answer = await fetch('\(folder)/tokens', {
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
}
