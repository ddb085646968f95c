import Forms
import GradingKit
import Testing

@testable import Configuration

@Suite struct ConfigurationReferenceTests {
    private let reference = ConfigurationReference(
        knowing: {
            var vocabulary = ServerConfigurationTests.vocabulary
            vocabulary.program = .object([
                "scheme": .text, "title": .text, "entry?": .text, "given?": .text,
                "preset?": .text, "configuration?": .object,
            ])
            return vocabulary
        }())

    @Test func `each key that is read has a meaning, and nothing else has one`() {
        let described = Setting.all.map(\.key)
        #expect(Set(described).count == described.count)
        let containers = Set(reference.keys.filter(\.isArray).map(\.path))
        #expect(Set(reference.keys.map(\.path)).subtracting(containers) == Set(described).subtracting(containers))
        #expect(Set(described).isSubset(of: Set(reference.keys.map(\.path))))
    }

    @Test func `meanings are sentences`() {
        let wrong = Setting.all.filter { !$0.meaning.hasSuffix(".") || $0.meaning.contains("|") }.map(\.key)
        #expect(wrong == [])
    }

    /// A key that must be there has no default; one with a default can be written with it.
    @Test func `defaults are of the kind that is read`() {
        for setting in Setting.all {
            let key = reference.keys.first { $0.path == setting.key }
            #expect(!(key?.isRequired ?? false) || setting.fallback == nil, "\(setting.key)")
        }
    }

    @Test(arguments: Setting.all.filter { $0.fallback != nil && !lists.contains($0.key) }.map(\.key))
    func `a default that is written out changes nothing`(_ path: String) throws {
        let fallback = try #require(Setting.all.first { $0.key == path }?.fallback)
        let plain = Self.ground
        var vocabulary = ServerConfigurationTests.vocabulary
        vocabulary.isProvider = { _ in true }
        let written = Self.set(fallback, at: path.split(separator: ".").map(String.init), in: plain)
        // Within a program nothing is read here; the schemes judge it.
        #expect(
            try ServerConfiguration(written, knowing: vocabulary).withoutPrograms
                == ServerConfiguration(plain, knowing: vocabulary).withoutPrograms)
    }

    /// Lists of objects, which would hide the keys within them.
    private static let lists = ["plugins", "institutions"]

    @Test(arguments: lists)
    func `a default list that is written out changes nothing`(_ key: String) throws {
        let fallback = try #require(Setting.all.first { $0.key == key }?.fallback)
        var vocabulary = ServerConfigurationTests.vocabulary
        vocabulary.schemes = ["chalkboard", "rose-hulman", "iut", "regulations"]
        #expect(
            try ServerConfiguration(Self.set(fallback, at: [key], in: [:]), knowing: vocabulary)
                == ServerConfiguration())
    }

    @Test func `each variable overrides the key that names it`() throws {
        let values = [
            "GRADECAST_HOST": "::1", "GRADECAST_MANAGEMENT_HOST": "::1", "GRADECAST_PORT": "9",
            "GRADECAST_MANAGEMENT_PORT": "9", "GRADECAST_LOG_LEVEL": "debug", "GRADECAST_LOG_REQUESTS": "all",
            "GRADECAST_STORE": "postgresql://other@db.example.org/grades",
        ]
        let before = try ServerConfiguration(Self.ground, knowing: ServerConfigurationTests.vocabulary)
        for variable in Setting.all.compactMap(\.variable) {
            var after = before
            try after.override(with: [variable: values[variable] ?? "/elsewhere"])
            #expect(after != before, "\(variable)")
        }
    }

    @Test func `the schema is closed at each level`() {
        func open(_ schema: JSON) -> [JSON] {
            let inner = (schema["properties"]?.object ?? JSONObject()).flatMap { open($0.value) }
            let items = schema["items"].map { open($0) } ?? []
            let isOpen = schema["properties"] != nil && schema["additionalProperties"]?.bool != false
            return (isOpen ? [schema] : []) + inner + items
        }
        #expect(open(reference.schema) == [])
        #expect(reference.schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    /// A configuration in which every object is there that has keys with defaults or variables.
    private static let ground: JSON = [
        "publicUrl": "https://grades.example.org", "plugins": [["run": "x"]],
        "store": ["postgresql": ["url": "postgresql://me@db.example.org/grades"]],
        "institutions": [["slug": "demo", "title": "Demo", "programs": [["scheme": "x"]]]],
        "mail": ["smtp": "smtps://mail.example.org", "from": "a@example.org"],
        "signIn": [
            "rosefire": ["registry": "x"],
            "oidc": [
                [
                    "id": "a", "title": "A", "issuer": "https://a.example.org", "clientId": "x",
                    "clientSecretFile": "x",
                    "memberships": [["claim": "x", "equals": "y", "institution": "demo", "role": "teacher"]],
                ]
            ],
            "github": ["clientId": "x", "clientSecretFile": "x"],
            "cas": [
                [
                    "id": "b", "title": "B", "url": "https://b.example.org",
                    "memberships": [["claim": "x", "equals": "y", "institution": "demo", "role": "teacher"]],
                ]
            ],
        ],
    ]

    /// Returns `json` with a value at a path, in which `[]` is the first element of an array.
    private static func set(_ value: JSON, at path: [String], in json: JSON) -> JSON {
        guard let step = path.first else { return value }
        var object = json.object ?? JSONObject()
        if step.hasSuffix("[]") {
            let name = String(step.dropLast(2))
            var elements = object[name]?.array ?? [[:]]
            elements[0] = set(value, at: Array(path.dropFirst()), in: elements[0])
            object[name] = .array(elements)
        } else {
            object[step] = set(value, at: Array(path.dropFirst()), in: object[step] ?? [:])
        }
        return .object(object)
    }
}

extension ServerConfiguration {
    fileprivate var withoutPrograms: ServerConfiguration {
        var copy = self
        for index in copy.institutions.indices { copy.institutions[index].programs = [] }
        return copy
    }
}
