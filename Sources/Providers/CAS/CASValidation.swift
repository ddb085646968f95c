import Accounts
import Messages
import Shared
import XML

/// The answer to a ticket (CAS 3.0, section 2.6).
struct CASValidation: Sendable {
    private static let namespace = "http://www.yale.edu/tp/cas"

    private let answer: XMLElement

    /// A person whom CAS knows.
    struct Person: Sendable, Equatable {
        /// CAS's identifier for the person.
        let user: String
        /// The displayed name; `nil` if CAS sends none.
        let displayName: String?
        /// The first and last name, as far as CAS sends them.
        let personName: PersonName
        /// Whether CAS says that it has just asked the person (`isFromNewLogin`).
        let isNew: Bool
        /// The person's language; `nil` if CAS sends none.
        let locale: Language?
        /// The requested attributes.
        let claims: AssertedClaims
    }

    /// Reads an answer; `nil` if it is not a CAS answer.
    init?(_ body: [UInt8]) {
        guard let root = XMLReader.read(body), root.name == "serviceResponse", root.namespace == Self.namespace,
            root.children.count == 1, let answer = root.children.first, answer.namespace == Self.namespace
        else { return nil }
        self.answer = answer
    }

    /// Returns the person; throws if the ticket was refused or came through a proxy.
    ///
    /// - Parameter names: the attributes that membership rules use. An attribute with several values is repeated.
    func person(asking names: Set<String>) throws(ProviderError) -> Person {
        guard answer.name == "authenticationSuccess" else { throw .refused("the ticket is not valid") }
        guard answer.first("proxies") == nil else { throw .refused("a proxy's ticket") }
        let users = answer.children.filter { $0.name == "user" }
        guard users.count == 1, let user = users.first?.text.trimmed, (1...255).contains(user.utf8.count),
            user.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .refused("there is no user") }
        let attributes = answer.first("attributes")
        func line(_ names: String...) -> String? {
            names.lazy.compactMap { attributes?.first($0)?.text.trimmed }.first { !$0.isEmpty }.map(Self.line)
        }
        let isNew = attributes?.first("isFromNewLogin")?.text.trimmed == "true"
        let texts = Dictionary(grouping: (attributes?.children ?? []).filter { names.contains($0.name) }, by: \.name)
            .mapValues { Set($0.map(\.text.trimmed)) }
        let tag = ["locale", "preferredLanguage"].lazy.compactMap { attributes?.first($0)?.text.trimmed }.first
        return Person(
            user: user, displayName: line("displayName", "cn"),
            personName: PersonName(given: line("givenName", "firstname"), family: line("sn", "lastname")), isNew: isNew,
            locale: tag.flatMap { Language(tag: $0) }, claims: AssertedClaims(texts: texts))
    }

    private static func line(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(100)
        return String(String.UnicodeScalarView(scalars))
    }
}

extension String {
    /// The text without the white space around it.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
