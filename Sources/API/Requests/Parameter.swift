import Forms
import GradingKit
import HTTP

/// A query or header parameter: the value through which a handler reads it is its description.
///
/// A route declares the parameters that it reads, and ``Call/read(_:)`` gives a handler no other.
struct Parameter<Value: Sendable>: Sendable, DescribedParameter {
    let description: ParameterDescription
    /// Makes the value of what was sent; `nil` where nothing was. Throws the reason, worded for the caller.
    let parse: @Sendable (_ text: String?) throws -> Value

    /// - Parameters:
    ///   - summary: one sentence on what it does.
    ///   - schema: what may be sent, as a schema.
    ///   - parse: reads it; throws ``Problem/malformed(_:)`` for a value outside the schema.
    init(
        _ place: ParameterDescription.Place, _ name: String, _ summary: String, as schema: JSONSchema = .text,
        isRequired: Bool = false, mayRepeat: Bool = false, parse: @escaping @Sendable (String?) throws -> Value
    ) {
        self.parse = parse
        description = ParameterDescription(
            place: place, name: name, summary: summary, schema: schema, isRequired: isRequired, mayRepeat: mayRepeat,
            check: { _ = try parse($0) })
    }

    /// The value that a request has for it, declared or not.
    func value(in request: Request) throws -> Value {
        switch description.place {
        case .query: try parse(request.target.query(description.name))
        case .header: try parse(request.headers[description.name])
        }
    }
}

extension Parameter {
    /// An integer within a range.
    static func integer(
        _ name: String, in range: ClosedRange<Int>, default standard: Int, _ summary: String
    ) -> Parameter where Value == Int {
        let schema = JSONSchema.integer(range).with(["default": .number(String(standard))])
        return Parameter(.query, name, summary, as: schema) { text in
            guard let text else { return standard }
            guard let value = Int(text), range.contains(value) else {
                throw Problem.malformed("\(name) must be \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// `true` or `false`.
    static func flag(_ name: String, _ summary: String) -> Parameter where Value == Bool? {
        Parameter(.query, name, summary, as: .flag) { text in
            switch text {
            case nil: nil
            case "true": true
            case "false": false
            default: throw Problem.malformed("\(name) must be true or false")
            }
        }
    }

    /// One of the cases of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, of type: Choice.Type, _ summary: String
    ) -> Parameter where Value == Choice? {
        Parameter(.query, name, summary, as: .choice(of: type)) { text in
            guard let text else { return nil }
            guard let choice = Choice(rawValue: text) else {
                let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.malformed("\(name) must be one of \(words)")
            }
            return choice
        }
    }

    /// Any text.
    static func text(_ name: String, _ summary: String) -> Parameter where Value == String? {
        Parameter(.query, name, summary) { $0 }
    }
}

/// What the API's description says of a parameter.
struct ParameterDescription: Sendable {
    enum Place: String, Sendable {
        case query, header
    }

    let place: Place
    let name: String
    let summary: String
    let schema: JSONSchema
    let isRequired: Bool
    let mayRepeat: Bool
    /// Throws what is wrong with a text that was sent.
    let check: @Sendable (String) throws -> Void
}

/// A parameter of whatever value.
protocol DescribedParameter: Sendable {
    var description: ParameterDescription { get }
}

/// The query and header parameters of a route.
final class ParameterList: Sendable, ExpressibleByArrayLiteral {
    let items: [ParameterDescription]
    private let names: [String]

    /// None.
    static let none: ParameterList = []

    init(_ items: [ParameterDescription]) {
        self.items = items
        names = items.map(\.name)
    }

    convenience init(arrayLiteral elements: any DescribedParameter...) { self.init(elements.map(\.description)) }

    static func + (left: ParameterList, right: ParameterList) -> ParameterList {
        ParameterList(left.items + right.items)
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Refuses a query with parameters that the route does not have, with one given twice, or with a value that cannot
    /// be read: a misspelt `hidden` must not show what was meant to be hidden.
    func check(_ query: [Target.QueryItem]) throws {
        var seen: Set<String> = []
        for item in query {
            guard let parameter = items.first(where: { $0.place == .query && $0.name == item.name }) else {
                throw unknown(item.name)
            }
            guard seen.insert(item.name).inserted || parameter.mayRepeat else {
                throw Problem.malformed("Give \(item.name) once")
            }
            try parameter.check(item.value)
        }
    }

    private func unknown(_ name: String) -> Problem {
        let known = items.filter { $0.place == .query }.map(\.name)
        guard let nearest = Spelling.nearest(to: name, among: known) else {
            return .malformed("There is no parameter \(name.prefix(64)) here")
        }
        return .malformed("There is no parameter \(name.prefix(64)) here; did you mean \(nearest)?")
    }
}
