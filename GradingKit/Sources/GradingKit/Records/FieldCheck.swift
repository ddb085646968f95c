/// The checks of a field's values, in a class of its own: a copy of the shape would retain everything it refers to.
final class FieldCheck: Sendable {
    let field: FieldShape
    private let content: FieldShape.Content
    private let isRequired: Bool
    private let lowest: Bound?
    private let highest: Bound?
    /// The slot of the sibling field that is this field's upper bound.
    private let highestSlot: Int?
    /// The greatest number of decimals.
    private let places: Int
    /// The values of a choice.
    private let choices: [FieldValue]

    init(_ field: FieldShape, among fields: [FieldShape]) {
        self.field = field
        content = field.content
        isRequired = field.isRequired
        lowest = field.lowest
        highest = field.highest
        highestSlot = fields.firstIndex { $0.name == field.highestField }
        places = field.content == .integer ? 0 : field.decimals
        choices = if case .choice(let choices) = field.content { choices.map(\.value) } else { [] }
    }
}

/// Reading values.
extension FieldCheck {
    /// Reads a value from a request. Ranges are checked later, on the whole tree.
    func decode(_ json: JSON) -> Result<FieldValue, Fault> {
        if json.isNull { return .success(.none) }
        switch content {
        case .text(let maxLength): return text(json, maxLength: maxLength)
        case .number, .integer: return number(json)
        case .flag:
            guard case .bool(let flag) = json else { return .failure(wrongType("boolean")) }
            return .success(.flag(flag))
        case .choice: return choice(json)
        }
    }

    private func wrongType(_ expected: String) -> Fault {
        Fault(.wrongType, ["expected": .string(expected)])
    }

    private func text(_ json: JSON, maxLength: Int) -> Result<FieldValue, Fault> {
        guard case .string(let text) = json else { return .failure(wrongType("string")) }
        // A text has no more scalars than bytes, and each control character is a byte below 0x20.
        guard text.utf8.count <= maxLength || text.unicodeScalars.count <= maxLength else {
            return .failure(Fault(field.rangeFault, ["maxLength": .number(String(maxLength))]))
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 }) else { return .failure(Fault(.textInvalid)) }
        return .success(.text(text))
    }

    private func number(_ json: JSON) -> Result<FieldValue, Fault> {
        let decimal: DecimalText?
        let written: String
        switch json {
        case .number(let text): (decimal, written) = (DecimalText(text, allowsExponent: true), text)
        case .string(let text):
            (decimal, written) = (DecimalText(text, allowsComma: field.allowsComma), text)
            if field.allowsComma, case .ambiguous(let small, let great) = WrittenNumber(text, allowsComma: true) {
                return .failure(Fault(.ambiguousNumber, ["small": .string(small), "great": .string(great)]))
            }
        default: return .failure(wrongType(content == .integer ? "integer" : "number"))
        }
        guard let decimal else { return .failure(Fault(DecimalText.refusal(of: written))) }
        guard isPreciseEnough(decimal) else {
            return .failure(
                Fault(.tooPrecise, ["digits": .number(String(field.digits)), "decimals": .number(String(places))]))
        }
        return .success(.number(decimal.value))
    }

    /// Returns whether a number has no more digits than the field allows.
    private func isPreciseEnough(_ decimal: DecimalText) -> Bool {
        decimal.significantDigits <= field.digits && decimal.decimals <= places
    }

    /// Returns a number, written without sign and exponent, as the field's value; `nil` if the field refuses it.
    func value(of decimal: DecimalText) -> FieldValue? {
        switch content {
        case .number, .integer: isPreciseEnough(decimal) ? .number(decimal.value) : nil
        case .choice: choices.contains(.number(decimal.value)) ? .number(decimal.value) : nil
        case .text, .flag: nil
        }
    }

    private func choice(_ json: JSON) -> Result<FieldValue, Fault> {
        let value: FieldValue
        switch (choices.first, json) {
        case (.number?, .number(let text)), (.number?, .string(let text)):
            guard let decimal = DecimalText(text) else { return .failure(Fault(.notANumber)) }
            value = .number(decimal.value)
        case (.number?, _): return .failure(wrongType("integer"))
        case (_, .string(let text)): value = .text(letter(text) ?? text)
        default: return .failure(wrongType("string"))
        }
        return choices.contains(value)
            ? .success(value) : .failure(Fault(field.rangeFault, .allowing(choices.map(\.word))))
    }
}

/// Reading letters.
extension FieldCheck {
    /// Returns the label of a letter however it is typed: in any case, with any minus sign.
    private func letter(_ text: String) -> String? {
        guard !field.letters.isEmpty, text.utf8.count <= 200 else { return nil }
        if field.letters.contains(where: { $0.label == text }) { return text }
        let typed = Self.letterKey(text)
        return field.letters.first { Self.letterKey($0.label) == typed }?.label
    }

    private static func letterKey(_ text: String) -> String {
        comparableName(String(text.map { "−–‐‑".contains($0) ? "-" : $0 }))
    }
}

/// Judging values.
extension FieldCheck {
    /// Returns whether the value respects the bounds. The values of its entry are in `values` from `start` on.
    func admits(_ value: FieldValue, besides values: [FieldValue], from start: Int) -> Bool {
        guard case .number(let number) = value else { return true }
        if let lowest, !lowest.admits(number, asLowest: true) { return false }
        if let highest, !highest.admits(number, asLowest: false) { return false }
        guard let highestSlot, case .number(let bound) = values[start + highestSlot], bound > .zero
        else { return true }
        return number <= bound
    }

    /// Returns the field's bounds as arguments of a message: `min` or `above`, and `max`.
    func bounds(besides values: [FieldValue], from start: Int) -> JSONObject {
        var arguments = JSONObject()
        switch lowest {
        case .inclusive(let bound)?: arguments["min"] = bound.json
        case .exclusive(let bound)?: arguments["above"] = bound.json
        case nil: break
        }
        var most = highest?.value
        if let highestSlot, case .number(let bound) = values[start + highestSlot], bound > .zero {
            most = most.map { min($0, bound) } ?? bound
        }
        if let most { arguments["max"] = most.json }
        return arguments
    }

    /// Returns whether the field requires a value and has none.
    func misses(_ value: FieldValue) -> Bool { isRequired && Self.isMissing(value) }

    /// Returns whether the value is missing or consists of white space.
    private static func isMissing(_ value: FieldValue) -> Bool {
        switch value {
        case .none: true
        case .text(let text):
            // Nearly every text begins with a visible ASCII byte; only the others need Unicode's tables.
            text.utf8.first.map { !(0x21...0x7E).contains($0) } ?? true && text.allSatisfy(\.isWhitespace)
        default: false
        }
    }
}

extension FieldValue {
    /// The JSON form of a choice's value.
    fileprivate var word: String {
        switch self {
        case .text(let text): text
        case .number(let number): number.description
        case .none, .unreadable, .flag: ""
        }
    }
}
