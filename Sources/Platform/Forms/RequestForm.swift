public import JSON
public import Messages

/// What the JSON object of a request may hold, stated once: the code that reads it is its description.
///
/// The reading closure asks a ``Form`` for members by name. Run over a request it reads values and collects faults; run
/// once over a form that only takes notes, it yields the JSON Schema. So it has to ask for every member each time,
/// whatever the values of others are; what depends on values belongs behind the reading.
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

    /// A form of that name.
    public init(_ name: String, example: JSON? = nil, _ read: @escaping @Sendable (inout Form) -> Value) {
        var notes = Form.describing()
        _ = read(&notes)
        schema = notes.schema.named(name)
        self.example = example
        reader = read
    }

    /// Reads a whole request; throws everything wrong with it at once.
    public func read(_ json: JSON) throws(FaultList) -> Value {
        var (form, value) = open(json)
        try form.finish()
        return value
    }

    /// Reads a request and leaves the form open: the caller adds what else is wrong, and then finishes the form.
    public func open(_ json: JSON) -> (form: Form, value: Value) {
        var form = Form(json)
        let value = reader(&form)
        return (form, value)
    }
}
