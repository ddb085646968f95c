/// Functions that read single values of a configuration or a request, and collect their faults.
enum SettingReader {
    static func number(_ json: JSON, at path: String, _ faults: inout FaultList) -> Exact? {
        let decimal: DecimalText?
        switch json {
        case .number(let text): decimal = DecimalText(text, allowsExponent: true)
        case .string(let text): decimal = DecimalText(text)
        default:
            faults.add(.wrongType, at: path, ["expected": "number"])
            return nil
        }
        guard let decimal else {
            faults.add(.notANumber, at: path)
            return nil
        }
        guard decimal.significantDigits <= 9, decimal.decimals <= 6 else {
            faults.add(.tooPrecise, at: path)
            return nil
        }
        return decimal.value
    }

    static func integer(
        _ json: JSON, in range: ClosedRange<Int>, at path: String, _ faults: inout FaultList
    ) -> Int? {
        guard let number = number(json, at: path, &faults) else { return nil }
        guard let value = number.integer, range.contains(value) else {
            faults.add(
                .outOfRange, at: path,
                ["min": .number(String(range.lowerBound)), "max": .number(String(range.upperBound))])
            return nil
        }
        return value
    }

    static func choice<Value>(
        _ json: JSON, _ type: Value.Type, at path: String, _ faults: inout FaultList
    ) -> Value? where Value: RawRepresentable<String> & CaseIterable {
        guard let text = json.string else {
            faults.add(.wrongType, at: path, ["expected": "string"])
            return nil
        }
        guard let value = Value(rawValue: text) else {
            faults.add(.outOfRange, at: path, .allowing(Value.allCases.map(\.rawValue)))
            return nil
        }
        return value
    }

    static func text(_ json: JSON, at path: String, _ faults: inout FaultList) -> String? {
        if json.string == nil { faults.add(.wrongType, at: path, ["expected": "string"]) }
        return json.string
    }

    static func flag(_ json: JSON, at path: String, _ faults: inout FaultList) -> Bool? {
        if json.bool == nil { faults.add(.wrongType, at: path, ["expected": "boolean"]) }
        return json.bool
    }

    /// Returns the known members of an object, and adds a fault for each unknown one.
    static func members(
        _ json: JSON, known: [String], at path: String, _ faults: inout FaultList
    ) -> [JSONObject.Member] {
        guard let object = json.object else {
            faults.add(.wrongType, at: path, ["expected": "object"])
            return []
        }
        for member in object where !known.contains(member.name) {
            faults.add(unknown: member.name, among: known, at: path)
        }
        return object.filter { known.contains($0.name) }
    }
}
