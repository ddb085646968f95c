public import JSON
public import Messages

/// A request that was read: its value, and its faults so far.
///
/// A use-case takes one if it alone can find the remaining faults. It adds them to the ``form`` and finishes that, so
/// that the caller learns of all faults at once.
public struct FormInput<Value: Sendable>: Sendable {
    /// The value, as far as it could be read.
    public let value: Value
    /// The form with the faults so far, to which more can be added.
    public let form: Form

    /// Wraps a value without faults, from a caller who did not read it from a request.
    public init(_ value: Value) {
        self.value = value
        form = Form(.object(JSONObject()))
    }

    /// Returns the value, for a use-case that finds no more faults; throws all faults at once.
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
