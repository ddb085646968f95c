import Accounts
import Application
import Forms
public import GradingKit
import HTTP
import Shared

/// Routes for schemes, and for calculating with them without an account.
struct SchemeRoutes: RouteGroup {
    let schemes: SchemeRegistry
    let evaluation: Evaluation
    let compressed: CompressedForms

    var routes: [Route] {
        [
            .open(.get, "/v1/schemes", "The installed schemes", scope: .any, .list(of: .schemeItem)) { _ in
                .json { writer in
                    writer.object { writer in
                        writer.member("items") { writer in
                            writer.array {
                                for scheme in schemes.schemes {
                                    $0.value(scheme.item)
                                }
                            }
                        }
                    }
                }
            },
            .open(
                .get, "/v1/schemes/{scheme}", "Shape, settings, presets and templates of a scheme", scope: .any, .scheme
            ) { call in
                guard let scheme = schemes[SchemeIdentifier(call["scheme"])] else { throw Problem.notFound }
                return compressed.json(scheme.description, acceptsGZip: call.acceptsGZip)
            },
            .open(
                .post, "/v1/evaluate", "Calculate without storing anything", scope: .any,
                reads: [Query.trace], takes: .json(Self.calculation), .calculated, refuses: [.notFound, .notComputable]
            ) { call in
                return try await evaluate(call)
            },
        ]
    }

    private static func assessment(_ name: String, points: Int, weight: Int) -> JSON {
        [
            "kind": "assessment",
            "fields": [
                "name": .string(name), "points": .number("\(points)"), "max": 100, "weight": .number("\(weight)"),
            ],
        ]
    }

    private static let calculation = RequestForm(
        "Calculation",
        example: [
            "scheme": "chalkboard",
            "entries": [
                [
                    "kind": "course", "fields": ["title": "Algorithms", "credits": 3],
                    "children": [
                        assessment("Assignments", points: 94, weight: 30),
                        assessment("Midterm", points: 82, weight: 30), assessment("Final", points: 91, weight: 40),
                    ],
                ]
            ],
        ]
    ) { form in
        let (scheme, preset) = (form.text("scheme", required: true), form.text("preset"))
        let (configuration, fields) = (form.object("configuration"), form.object("fields"))
        let given = form.object("given")
        let entries = form.array("entries", of: .evaluatedEntry, required: true) ?? []
        return (
            scheme: scheme, preset: preset, configuration: json(configuration), fields: json(fields),
            given: json(given), entries: JSON.array(entries)
        )
    }

    private static func json(_ object: JSONObject?) -> JSON { object.map { JSON.object($0) } ?? .null }

    private func evaluate(_ call: Call) async throws -> Response {
        let bytes = try await evaluation.document(
            of: call.body().bytes, explaining: call.read(Query.trace), for: call.context
        ) { try question(call) }
        return .json(bytes: bytes)
    }

    private func question(_ call: Call) throws -> Evaluation.Question {
        var (form, request) = Self.calculation.open(try call.jsonOnTheSpot())
        let (name, preset, configuration, fields, given, entries) = request
        if let name, schemes[SchemeIdentifier(name)] == nil { form.refuse("scheme", "scheme_unknown") }
        try form.finish()
        guard let name, let scheme = schemes[SchemeIdentifier(name)] else { throw Problem.notFound }
        return Evaluation.Question(
            scheme: scheme, preset: preset, configuration: configuration, fields: fields, given: given, entries: entries
        )
    }
}

extension InstalledScheme {
    /// The scheme's item in a list: `id` and `title`, for an out-of-process scheme also `version` and `digest`.
    public var item: JSON {
        var item: JSONObject = ["id": .string(identifier.text), "title": title.json]
        for member in executable?.json.object ?? [:] { item[member.name] = member.value }
        return .object(item)
    }
}
