/// A named value of an outcome, such as *acquired by compensation*. It is always met, or always unmet.
public struct OutcomeValue: Sendable, Equatable {
    /// The most values that an outcome may have.
    public static let most = 32

    /// The name on the wire, such as `CMP`.
    public let name: String
    /// The label for people.
    public let label: LocalizedText
    /// The state that goes with the value: met or unmet.
    public let state: Decision.State
    /// Whether only people give it; rules do not.
    public let isByHand: Bool

    /// Creates a value.
    public init(_ name: String, _ label: LocalizedText, _ state: Decision.State, isByHand: Bool = false) {
        self.name = name
        self.label = label
        self.state = state
        self.isByHand = isByHand
    }

    /// The value in descriptions: `{"value","label","state"}`, with `"byHand":true` if only people give it.
    var json: JSON {
        var object: JSONObject = ["value": .string(name), "label": label.json, "state": .string(state.rawValue)]
        if isByHand { object["byHand"] = true }
        return .object(object)
    }
}
