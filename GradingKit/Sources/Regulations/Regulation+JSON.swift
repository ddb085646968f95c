public import GradingKit

extension Regulation {
    /// All faults and warnings, in the order of the text: `{code, message, args, line, column, range, fix?, warning?}`.
    /// Messages are in every language; ranges count bytes of the text.
    public var faultsJSON: JSON {
        .array(
            faults.map { fault in
                var object: JSONObject = [
                    "code": .string(fault.code.text), "message": fault.wording.filled(fault.arguments).json,
                    "args": .object(fault.arguments),
                ]
                for member in fault.place { object[member.name] = member.value }
                return .object(object)
            })
    }

    /// The worked examples with their differences from the expected results: `{name, differences: [{line, text}]}`, the
    /// text in every language.
    public var examplesJSON: JSON {
        .array(
            workedExamples().map { result in
                [
                    "name": .string(result.name),
                    "differences": .array(
                        result.differences.map { ["line": .number(String($0.line)), "text": $0.text.json] }),
                ]
            })
    }
}

extension Range<Int> {
    /// The two ends.
    var json: JSON { [.number(String(lowerBound)), .number(String(upperBound))] }
}
