import GradingKit

extension JSON {
    /// The value with the part at a JSON Pointer replaced, or removed if `change` returns `nil`.
    func replacing(at pointer: String, _ change: (JSON?) -> JSON?) -> JSON {
        let steps = pointer.split(separator: "/").map { step in
            // The generator's names need only the two escapes of RFC 6901.
            step.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
                .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
        }
        return replacing(steps[...], change) ?? self
    }

    private func replacing(_ steps: ArraySlice<String>, _ change: (JSON?) -> JSON?) -> JSON? {
        guard let step = steps.first else { return change(self) }
        let rest = steps.dropFirst()
        switch self {
        case .object(var object):
            object[step] = rest.isEmpty ? change(object[step]) : object[step]?.replacing(rest, change)
            return .object(object)
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { return self }
            if let element = rest.isEmpty ? change(elements[index]) : elements[index].replacing(rest, change) {
                elements[index] = element
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return self
        }
    }

    /// The exact value of a number.
    var exact: Exact? {
        guard case .number(let text) = self else { return nil }
        return DecimalText(text)?.value
    }
}
