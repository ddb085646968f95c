import GradingKit
import HTTP

/// Writes the OpenAPI 3.1 document of a route table.
struct OpenAPI {
    let routes: [Route]
    let version: String

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 32_768)
        writer.object { writer in
            writer.member("openapi", "3.1.0")
            writer.member(
                "info",
                [
                    "title": "Gradecast", "version": .string(version),
                    "description": "A live grade server: exact standings, pushed as grades land.",
                    "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
                ])
            writer.member("paths") { writer in
                writer.object { writer in
                    for path in paths { writer.member(path) { write(path: path, to: &$0) } }
                }
            }
            writer.member("components", components)
        }
        return writer.bytes
    }

    private var paths: [String] {
        routes.reduce(into: []) { if !$0.contains($1.pattern) { $0.append($1.pattern) } }
    }

    private func write(path: String, to writer: inout JSONWriter) {
        writer.object { writer in
            for route in routes where route.pattern == path {
                writer.member(route.method.description.lowercased(), .object(Self.operation(route)))
            }
        }
    }

    private static func operation(_ route: Route) -> JSONObject {
        var operation: JSONObject = ["summary": .string(route.summary), "x-access": .string(route.access.rawValue)]
        let names = route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        if !names.isEmpty {
            operation["parameters"] = .array(
                names.map { name in
                    [
                        "name": .string(String(name)), "in": "path", "required": true,
                        "schema": ["type": "string"],
                    ]
                })
        }
        if let input = route.input {
            operation["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": input.reference]],
            ]
        }
        var success: JSONObject = ["description": .string(Status(route.success.status).phrase)]
        if let body = route.success.body {
            success["content"] = ["application/json": ["schema": body.reference]]
        }
        let problem: JSON = [
            "description": "A problem document",
            "content": ["application/problem+json": ["schema": Schema.problem.reference]],
        ]
        operation["responses"] = .object([
            String(route.success.status): .object(success), "4XX": problem, "5XX": problem,
        ])
        if route.access != .open { operation["security"] = [["bearer": []], ["cookie": []]] }
        return operation
    }

    private var components: JSON {
        var schemas = JSONObject()
        let named =
            [.problem, .fault, .account, .session, .figure, .standing, .entry]
            + routes.flatMap { [$0.input, $0.success.body].compactMap(\.self) }
        for schema in named { schemas[schema.name] = schema.json }
        for item in [Schema.recordItem, .historyItem, .institution, .program, .member, .invitation, .scheme] {
            schemas[item.name] = item.json
        }
        return [
            "schemas": .object(schemas),
            "securitySchemes": [
                "bearer": ["type": "http", "scheme": "bearer"],
                "cookie": ["type": "apiKey", "in": "cookie", "name": .string(Gate.secureCookie)],
            ],
        ]
    }
}
