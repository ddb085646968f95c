import Forms
import GradingKit
import HTTP

/// A query or header parameter. Handlers read the parameter through the same value that describes it.
///
/// A route declares the parameters that it reads, and ``Call/read(_:)`` gives a handler no others.
struct Parameter<Value: Sendable>: Sendable, DescribedParameter {
    let description: ParameterDescription
    /// Parses the text that was sent, `nil` if there is none; throws a problem that is worded for the caller.
    let parse: @Sendable (_ text: String?) throws -> Value

    /// - Parameters:
    ///   - summary: one sentence on what it does.
    ///   - schema: the schema of its values.
    ///   - parse: parses it; throws ``Problem/malformed(_:)`` for a value outside the schema.
    init(
        _ place: ParameterDescription.Place, _ name: String, _ summary: String, as schema: JSONSchema = .text,
        isRequired: Bool = false, mayRepeat: Bool = false, parse: @escaping @Sendable (String?) throws -> Value
    ) {
        self.parse = parse
        description = ParameterDescription(
            place: place, name: name, summary: summary, schema: schema, isRequired: isRequired, mayRepeat: mayRepeat,
            check: { _ = try parse($0) })
    }

    /// Returns the parameter's value in a request, whether or not the route declares the parameter.
    func value(in request: Request) throws -> Value {
        switch description.place {
        case .query: try parse(request.target.query(description.name))
        case .header: try parse(request.headers[description.name])
        }
    }
}

extension Parameter {
    /// Returns a query parameter that is an integer within a range.
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

    /// Returns a query parameter that is `true` or `false`.
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

    /// Returns a query parameter that is one of the cases of an enumeration.
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

    /// Returns a query parameter that is any text.
    static func text(_ name: String, _ summary: String) -> Parameter where Value == String? {
        Parameter(.query, name, summary) { $0 }
    }
}

/// A parameter as the API's description lists it.
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
    /// Checks a sent text; throws its fault.
    let check: @Sendable (String) throws -> Void
}

/// A parameter with any type of value.
protocol DescribedParameter: Sendable {
    var description: ParameterDescription { get }
}

/// The query and header parameters of a route.
final class ParameterList: Sendable, ExpressibleByArrayLiteral {
    let items: [ParameterDescription]
    private let names: [String]

    /// The empty list.
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

    /// Refuses a query with a parameter that the route does not have, with one given twice, or with a value that cannot
    /// be parsed: if a misspelt `hidden` were ignored, the answer would show what was meant to be hidden.
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
