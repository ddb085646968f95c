import Forms
import GradingKit
import HTTP
import Shared

extension Route {
    /// The operation's group: the first part of its path, after `v1` if the path begins with that.
    var tag: String {
        let parts = pattern.split(separator: "/").map(String.init)
        return parts.first == "v1" ? parts.dropFirst().first ?? "server" : parts.count > 1 ? parts[0] : "server"
    }

    /// The operation's name in generated clients, made of its method and path: `listRecords`, `createRecordEntry`,
    /// `getRecordStanding`.
    var operationID: String {
        let parts = pattern.split { "/.".contains($0) }.map(String.init).filter { $0 != "v1" }
        var words: [String] = []
        for (index, part) in parts.enumerated() where !part.hasPrefix("{") {
            let next = index + 1 < parts.count ? parts[index + 1] : ""
            let isOne = next.hasPrefix("{") || next == "me" || index == parts.count - 1 && verb == "create"
            words += (isOne ? Self.singular(part) : part).split(separator: "-").map {
                $0.prefix(1).uppercased() + $0.dropFirst()
            }
        }
        // `/sign-in/{provider}` and `/v1/sign-in/{provider}` must not get the same name.
        let isPage = !pattern.hasPrefix("/v1/") && parts.last?.hasPrefix("{") == true
        return verb + words.joined() + (isPage ? "Page" : "")
    }

    private var verb: String {
        switch method {
        case .get: shape.reads.contains(Query.limit.description.name) || answersList ? "list" : "get"
        case .post: shape.statuses.first == 201 && pattern.hasSuffix("s") ? "create" : "post"
        case .patch: "update"
        case .put: "set"
        default: method.description.lowercased()
        }
    }

    private var answersList: Bool { shape.output?.json["$ref"]?.string?.hasSuffix("List") == true }

    private static func singular(_ word: String) -> String {
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        return word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// All schemas that the operation refers to.
    var schemas: [JSONSchema] {
        [.problem] + shape.reads.items.map(\.schema) + (shape.body?.content.map(\.schema) ?? [])
            + [shape.output].compactMap(\.self) + shape.errors.values
    }

    /// The operation as an OpenAPI object.
    var operation: JSONObject {
        var operation: JSONObject = [
            "operationId": .string(operationID), "tags": [.string(tag)], "summary": .string(summary),
            "x-access": .string(access.rawValue), "x-scope": .string(scope.text),
        ]
        let common = [Header.acceptLanguage.description] + (access == .open ? [] : [Header.account.description])
        let read = shape.reads.items + common
        operation["parameters"] = .array(pathParameters.map(Self.path) + read.map(\.json))
        if let body = shape.body { operation["requestBody"] = body.json }
        operation["responses"] = .object(responses)
        let credentials: [JSON] = [["bearer": []], ["cookie": []]] + tokenCredentials
        let open: [JSON] = access == .open ? [[:]] : []
        operation["security"] = .array(open + credentials + (shape.takesClients ? [["client": []]] : []))
        return operation
    }

    private var tokenCredentials: [JSON] {
        switch scope {
        case .scope(let scope): [["token": [.string(scope.rawValue)]]]
        case .any: [["token": []]]
        case .session: []
        }
    }

    private static func path(_ name: String) -> JSON {
        ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string"]]
    }

    private var responses: JSONObject {
        var responses = JSONObject()
        for status in shape.statuses { responses[String(status)] = .object(success(status)) }
        if shape.reads.contains(Header.ifNoneMatch.description.name) {
            responses["304"] = ["description": "The client has the newest version.", "headers": Self.headers([.eTag])]
        }
        for (status, kinds) in Dictionary(grouping: problems, by: \.status).sorted(by: { $0.key < $1.key }) {
            responses[String(status)] = Self.problem(status, kinds.map(\.code.text))
        }
        for (status, schema) in shape.errors {
            var response = responses[String(status)]?.object ?? ["description": .string(Status(status).phrase)]
            var content = response["content"]?.object ?? JSONObject()
            content["application/json"] = ["schema": schema.json]
            response["content"] = .object(content)
            responses[String(status)] = .object(response)
        }
        responses["default"] = Self.problem(
            "Refused before the route was known.", ["malformed", "method_not_allowed", "timeout", "too_large"])
        return responses
    }

    private func success(_ status: Int) -> JSONObject {
        var success: JSONObject = ["description": .string(Status(status).phrase)]
        var content = JSONObject()
        if let output = shape.output { content["application/json"] = ["schema": output.json] }
        for type in shape.media { content[type] = [:] }
        if !content.isEmpty { success["content"] = .object(content) }
        let headers = shape.tells + (shape.reads.contains(Query.cursor.description.name) ? [.link] : [])
        if !headers.isEmpty { success["headers"] = Self.headers(headers) }
        return success
    }

    private static func headers(_ headers: [ResponseHeader]) -> JSON {
        var object = JSONObject()
        for header in headers {
            object[header.name] = ["description": .string(header.summary), "schema": header.schema.json]
        }
        return .object(object)
    }

    private static func problem(_ status: Int, _ codes: [String]) -> JSON {
        var problem = problem(Status(status).phrase, codes).object ?? JSONObject()
        if [429, 503].contains(status) { problem["headers"] = headers([.retryAfter]) }
        return .object(problem)
    }

    private static func problem(_ words: String, _ codes: [String]) -> JSON {
        [
            "description": .string(words + ": " + codes.map { "`\($0)`" }.joined(separator: ", ")),
            "content": ["application/problem+json": ["schema": JSONSchema.problem.json]],
            "x-codes": .array(codes.map { .string($0) }),
        ]
    }
}

extension ParameterDescription {
    fileprivate var json: JSON {
        var object: JSONObject = [
            "name": .string(name), "in": .string(place.rawValue), "description": .string(summary),
            "schema": mayRepeat ? JSONSchema.array(of: schema).json : schema.json,
        ]
        if isRequired { object["required"] = true }
        return .object(object)
    }
}

extension RequestBody {
    fileprivate var json: JSON {
        var media = JSONObject()
        for (type, schema) in content {
            var entry: JSONObject = ["schema": schema.json]
            if let example = examples[type] { entry["example"] = example }
            media[type] = .object(entry)
        }
        return ["required": .bool(isRequired), "content": .object(media)]
    }
}
