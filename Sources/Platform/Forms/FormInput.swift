public import JSON
public import Messages

/// A request as it was read: its value, and what was wrong with it so far.
///
/// What a use-case takes where it alone can find the rest that is wrong: it notes that in the ``form`` and finishes it, so
/// that the caller learns of everything at once.
public struct FormInput<Value: Sendable>: Sendable {
    /// The value, as far as it could be read.
    public let value: Value
    /// What was wrong so far, with room for more.
    public let form: Form

    /// A value with which nothing is wrong so far: that of a caller who did not read it from a request.
    public init(_ value: Value) {
        self.value = value
        form = Form(.object(JSONObject()))
    }

    /// The value, where the use-case finds nothing more; throws everything wrong at once.
    public func finished() throws(FaultList) -> Value {
        var form = form
        try form.finish()
        return value
    }

    fileprivate init(_ value: Value, _ form: Form) {
        self.value = value
        self.form = form
    }
}

extension RequestForm where Value: Sendable {
    /// Reads a request and leaves it to a use-case to finish the form.
    public func input(_ json: JSON) -> FormInput<Value> {
        let (form, value) = open(json)
        return FormInput(value, form)
    }
}
