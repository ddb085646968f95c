public import JSON
public import Messages

/// The JSON object that a request may hold, stated once: the code that reads the object also describes it.
///
/// The reading closure asks a ``Form`` for members by name. Run over a request, it reads values and collects faults;
/// run once over a form that only takes notes, it yields the JSON Schema. So it must ask for every member each time,
/// whatever the values of other members; code that depends on values belongs after the reading.
///
/// ```swift
/// static let form = RequestForm("InvitationToken") { $0.text("token", required: true) }
/// ```
public struct RequestForm<Value>: Sendable {
    /// The schema, under the form's name.
    public let schema: JSONSchema
    /// A request that the form accepts.
    public let example: JSON?

    private let reader: @Sendable (inout Form) -> Value

    /// Creates a form under a name.
    public init(_ name: String, example: JSON? = nil, _ read: @escaping @Sendable (inout Form) -> Value) {
        var notes = Form.describing()
        _ = read(&notes)
        schema = notes.schema.named(name)
        self.example = example
        reader = read
    }

    /// Reads a whole request; throws all of its faults at once.
    public func read(_ json: JSON) throws(FaultList) -> Value {
        var (form, value) = open(json)
        try form.finish()
        return value
    }

    /// Reads a whole request whose value is `nil` only where there is a fault; throws all of its faults at once.
    public func required<Wrapped>(_ json: JSON) throws(FaultList) -> Wrapped where Value == Wrapped? {
        guard let value = try read(json) else { throw FaultList([Fault(.missingField)]) }
        return value
    }

    /// Reads a request and leaves the form open: the caller adds further faults, and then finishes the form.
    public func open(_ json: JSON) -> (form: Form, value: Value) {
        var form = Form(json)
        let value = reader(&form)
        return (form, value)
    }
}
