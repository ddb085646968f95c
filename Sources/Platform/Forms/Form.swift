public import JSON
public import Messages

/// Reads a request's JSON object member by member and notes everything that is wrong on the way, so that the caller can
/// report all faults at once.
///
/// ```swift
/// var form = Form(body)
/// let title = form.text("title", required: true)
/// let locale = form.choice("locale", of: Language.self)
/// try form.finish()                                   // members that the form does not know are faults, too
/// ```
public struct Form: Sendable {
    /// The faults found so far.
    public private(set) var faults = FaultList()

    /// The JSON Pointer to the object in the request.
    public let path: String

    private let members: JSONObject
    private var known: Set<String> = []
    /// The members that were asked for, if the form only takes notes.
    private var notes: Notes?

    private struct Notes {
        var members: [(name: String, schema: JSONSchema, isRequired: Bool)] = []
        var refusesNull: Set<String> = []
    }

    /// Creates a form over `json`, which is at the JSON Pointer `path` of the request. Anything but an object is a
    /// fault.
    public init(_ json: JSON, at path: String = "") {
        self.path = path
        members = json.object ?? JSONObject()
        if json.object == nil { faults.add(.wrongType, at: path, ["expected": "object"]) }
    }

    /// Returns an empty form that notes which members it is asked for.
    public static func describing() -> Form {
        var form = Form(.object(JSONObject()))
        form.notes = Notes()
        return form
    }

    /// The schema of the members that were asked for, if the form only takes notes.
    public var schema: JSONSchema { .object(notes?.members ?? [], isOpen: false) }

    /// Whether the form only takes notes.
    var isDescribing: Bool { notes != nil }

    /// Notes a fault at a member.
    public mutating func refuse(_ name: String, _ code: FaultCode, _ arguments: JSONObject = JSONObject()) {
        faults.add(code, at: pointer(name), arguments)
    }

    /// Notes faults that were found elsewhere in the same request.
    public mutating func add(_ found: FaultList) {
        for fault in found.faults { faults.add(fault) }
    }

    /// Notes faults of a member's value that were found elsewhere; their paths are relative to the value.
    public mutating func refuse(_ name: String, _ found: FaultList) {
        for fault in found.faults { faults.add(fault.prefixed(pointer(name))) }
    }

    /// Returns whether the member is present, even as `null`.
    public mutating func has(_ name: String) -> Bool {
        known.insert(name)
        return members[name] != nil
    }

    /// Returns whether the member is present, for one that may be left out but not be `null`.
    ///
    /// ```swift
    /// form.line("title", max: 200, required: form.ifPresent("title"))
    /// ```
    public mutating func ifPresent(_ name: String) -> Bool {
        notes?.refusesNull.insert(name)
        return has(name)
    }

    /// Returns whether the member is present and `null`, which clears it.
    public mutating func clears(_ name: String) -> Bool {
        known.insert(name)
        return members[name]?.isNull == true
    }

    /// Reads any value, described as `schema`; `nil` if it is absent or `null`, which is a fault if the value is
    /// required.
    public mutating func json(_ name: String, required: Bool = false, as schema: JSONSchema = .any) -> JSON? {
        note(name, required, schema)
        known.insert(name)
        if let value = members[name], !value.isNull { return value }
        if required { refuse(name, .missingField) }
        return nil
    }

    private mutating func note(_ name: String, _ isRequired: Bool, _ schema: JSONSchema) {
        guard let notes, !notes.members.contains(where: { $0.name == name }) else { return }
        let takesNull = !isRequired && !notes.refusesNull.contains(name)
        self.notes?.members.append((name, takesNull ? schema.nullable : schema, isRequired))
    }

    /// Reads a string, described as `schema`.
    public mutating func text(_ name: String, required: Bool = false, as schema: JSONSchema = .text) -> String? {
        read(name, required, expected: "string", schema, \.string)
    }

    /// Reads a Boolean.
    public mutating func flag(_ name: String, required: Bool = false) -> Bool? {
        read(name, required, expected: "boolean", .flag, \.bool)
    }

    /// Reads an integer within a range.
    public mutating func integer(_ name: String, in range: ClosedRange<Int>, required: Bool = false) -> Int? {
        guard let value = read(name, required, expected: "integer", .integer(range), \.integer) else { return nil }
        if range.contains(value) { return value }
        refuse(name, .outOfRange, ["min": .number("\(range.lowerBound)"), "max": .number("\(range.upperBound)")])
        return nil
    }

    /// Reads an array whose elements are described as `element`.
    public mutating func array(
        _ name: String, of element: JSONSchema = .any, most limit: Int? = nil, required: Bool = false
    ) -> [JSON]? {
        let schema = JSONSchema.array(of: element, most: limit)
        guard let array = read(name, required, expected: "array", schema, \.array) else { return nil }
        if let limit, array.count > limit {
            refuse(name, .entryLimit, ["limit": .number(String(limit))])
            return nil
        }
        return array
    }

    /// Reads an array of strings; notes a fault at each element that is not a string.
    public mutating func texts(_ name: String, most limit: Int? = nil, required: Bool = false) -> [String]? {
        guard let elements = array(name, of: .text, most: limit, required: required) else { return nil }
        for (index, element) in elements.enumerated() where element.string == nil {
            faults.add(.wrongType, at: pointer(name) + JSONPointer.step(index), ["expected": "string"])
        }
        return elements.compactMap(\.string)
    }

    /// Reads an object, described as `schema`.
    public mutating func object(
        _ name: String, required: Bool = false, as schema: JSONSchema = .object
    ) -> JSONObject? {
        read(name, required, expected: "object", schema, \.object)
    }

    /// Reads one of the cases of an enumeration.
    public mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type, required: Bool = false
    ) -> Choice? {
        guard let text = text(name, required: required, as: .choice(of: type)) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        refuse(name, .outOfRange, .allowing(type.allCases.map(\.rawValue)))
        return nil
    }

    /// Reads an array of at least one of the choices; notes a fault at each element that is not one.
    public mutating func choices<Choice: RawRepresentable<String> & Hashable>(
        _ name: String, of choices: [Choice], most limit: Int, required: Bool = false
    ) -> Set<Choice>? {
        let words = choices.map(\.rawValue)
        guard let elements = array(name, of: .choice(words), most: limit, required: required) else { return nil }
        if elements.isEmpty { refuse(name, .missingField) }
        var chosen: Set<Choice> = []
        for (index, element) in elements.enumerated() {
            if let choice = choices.first(where: { $0.rawValue == element.string }) {
                chosen.insert(choice)
            } else {
                refuse(name, FaultList([Fault(.outOfRange, at: JSONPointer.step(index), .allowing(words))]))
            }
        }
        return chosen
    }

    /// Reads one line of text that people read, 1…`max` code points, without the white space around it.
    public mutating func line(_ name: String, max: Int, required: Bool = false) -> String? {
        parse(name, text(name, required: required, as: .text(1...max))) { text throws(FaultList) in
            try PlainText.line(text, max: max)
        }
    }

    /// Reads text of several lines that people read, of up to `max` code points, one of which can be seen.
    public mutating func lines(_ name: String, max: Int, required: Bool = false) -> String? {
        parse(name, text(name, required: required, as: .text(1...max))) { text throws(FaultList) in
            try PlainText.lines(text, max: max)
        }
    }

    /// Converts a raw value, if there is one; notes what `read` throws at the member.
    public mutating func parse<Raw, Value>(
        _ name: String, _ raw: Raw?, _ read: (Raw) throws(FaultList) -> Value
    ) -> Value? {
        guard let raw else { return nil }
        do throws(FaultList) {
            return try read(raw)
        } catch {
            refuse(name, error)
            return nil
        }
    }

    /// Takes over the faults of a part of this form that was read as a separate form.
    public mutating func close(_ part: Form) {
        var part = part
        part.refuseUnknown()
        add(part.faults)
    }

    private mutating func refuseUnknown() {
        let names = known.sorted()
        for member in members where !known.contains(member.name) {
            faults.add(unknown: member.name, among: names, at: path)
        }
    }

    /// Notes a fault for each member that the form does not know, and throws all faults.
    public mutating func finish() throws(FaultList) {
        refuseUnknown()
        try faults.check()
    }

    private mutating func read<Value>(
        _ name: String, _ required: Bool, expected: String, _ schema: JSONSchema, _ value: (JSON) -> Value?
    ) -> Value? {
        guard let json = json(name, required: required, as: schema) else { return nil }
        if let value = value(json) { return value }
        refuse(name, .wrongType, ["expected": .string(expected)])
        return nil
    }

    private func pointer(_ name: String) -> String { path + JSONPointer.step(name) }
}
