import Accounts
import Forms
public import GradingKit
import HTTP
import Shared

/// Schemes, for everybody, and calculating with them without an account.
struct SchemeRoutes: RouteGroup {
    let schemes: SchemeRegistry
    let calculations: Calculations

    var routes: [Route] {
        [
            .open(.get, "/v1/schemes", "The installed schemes", .list(of: .schemeItem)) { _ in
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
            .open(.get, "/v1/schemes/{scheme}", "Shape, settings, presets and templates of a scheme", .scheme) { call in
                guard let scheme = schemes[SchemeIdentifier(call["scheme"])] else { throw Problem.notFound }
                return .json(bytes: scheme.description)
            },
            .open(
                .post, "/v1/evaluate", "Calculate without storing anything",
                reads: [Query.trace], takes: .json(Self.calculation), .calculated, refuses: [.notFound, .notComputable]
            ) { call in
                return try await evaluate(call)
            },
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
                        [
                            "kind": "assessment",
                            "fields": ["name": "Total", "points": 85, "max": 100, "weight": 100],
                        ]
                    ],
                ]
            ],
        ]
    ) { form in
        let (scheme, preset) = (form.text("scheme", required: true), form.text("preset"))
        let (configuration, fields) = (form.object("configuration"), form.object("fields"))
        let entries = form.array("entries", of: .evaluatedEntry, required: true) ?? []
        return (
            scheme: scheme, preset: preset, configuration: json(configuration), fields: json(fields),
            entries: JSON.array(entries)
        )
    }

    private static func json(_ object: JSONObject?) -> JSON { object.map { JSON.object($0) } ?? .null }

    private func evaluate(_ call: Call) async throws -> Response {
        let selection = try call.read(Query.trace)
        let cost = try CalculationCost(
            of: selection == .none ? .standing : .explanation, about: call.body().bytes, configuring: true)
        // Read in its turn as well; what a process of its own calculates is not waited for there.
        let found: (calculation: Calculation, response: Response?) = try await calculations.perform(cost, for: call) {
            let calculation = try calculation(of: call, explaining: selection)
            return (calculation, calculation.scheme.isImmediate ? try calculation.response() : nil)
        }
        if let response = found.response { return response }
        return try await found.calculation.scheme.perform { try found.calculation.response() }
    }

    private func calculation(of call: Call, explaining selection: TraceSelection) throws -> Calculation {
        var (form, request) = Self.calculation.open(try call.json())
        let (name, preset, configuration, fields, entries) = request
        if let name, schemes[SchemeIdentifier(name)] == nil { form.refuse("scheme", "scheme_unknown") }
        try form.finish()
        guard let name, let scheme = schemes[SchemeIdentifier(name)] else { throw Problem.notFound }
        return Calculation(
            scheme: scheme, preset: preset, configuration: configuration, fields: fields, entries: entries,
            selection: selection, language: call.language)
    }
}

/// What is to be calculated without being stored.
private struct Calculation: Sendable {
    let scheme: InstalledScheme
    let preset: String?
    let configuration: JSON
    let fields: JSON
    let entries: JSON
    let selection: TraceSelection
    let language: Language

    /// Calculates it; throws what is wrong with it in the scheme's words.
    func response() throws -> Response {
        let rules = try scheme.rulebook(preset: preset, configuration: configuration)
        var count = 0
        do {
            let tree = try rules.calculation(fields: fields, entries: entries) {
                count += 1
                return EntryID("entry-\(count)")
            }
            let standing = try rules.standing(of: tree, explaining: selection)
            return .json { writer in
                writer.object { writer in
                    standing.writeMembers(to: &writer, of: nil, in: language)
                    writer.member("configurationWarnings") { writer in
                        writer.array {
                            for warning in rules.warnings { warning.write(to: &$0, in: language, rules.catalog) }
                        }
                    }
                }
            }
        } catch {
            throw Problem.invalid(error, catalog: rules.catalog)
        }
    }
}

extension InstalledScheme {
    /// What a list of schemes shows: `{"id","title"}`, of a scheme in a process of its own also `version` and `digest`.
    public var item: JSON {
        var item: JSONObject = ["id": .string(identifier.text), "title": title.json]
        for member in executable?.json.object ?? [:] { item[member.name] = member.value }
        return .object(item)
    }
}
