public import GradingKit

/// How the results of a line are marked.
public enum LineMarking: Sendable, Equatable {
    /// One person enters the result.
    case single
    /// Two people mark, and their marks make the result.
    case double(DoubleMarking)
    /// Results are entered under codes, until an act reveals their students.
    case anonymous

    /// How two people mark; `nil` if one person does.
    public var double: DoubleMarking? {
        if case .double(let double) = self { double } else { nil }
    }
}

/// How two marks of the same work give a result. Until they agree or a third person decides, there is none.
public struct DoubleMarking: Sendable, Equatable {
    /// The result of two marks that agree.
    public enum Rule: String, Sendable, CaseIterable {
        /// Their mean.
        case mean
        /// The lesser number.
        case lower
        /// The greater number.
        case higher
    }

    /// The greatest tolerance.
    static let greatestTolerance: Exact = 999_999_999
    /// The decimals of a tolerance.
    static let decimals = 4

    /// How much two marks may differ and still agree; 0 if they must be equal.
    public let tolerance: Exact
    /// The result of marks that agree.
    public let rule: Rule
    /// Whether the second marker sees the first mark.
    public let isOpen: Bool

    /// Creates a way of marking.
    public init(tolerance: Exact, _ rule: Rule, isOpen: Bool = false) {
        self.tolerance = tolerance
        self.rule = rule
        self.isOpen = isOpen
    }

    /// The exact result of two marks; `nil` if they do not agree.
    public func result(of one: Exact, _ other: Exact) -> Exact? {
        let (least, greatest) = (min(one, other), max(one, other))
        guard greatest - least <= tolerance else { return nil }
        switch rule {
        case .mean: return (least + greatest) / Exact(2)
        case .lower: return least
        case .higher: return greatest
        }
    }
}

// MARK: - As it is stored, shown and asked for

extension LineMarking {
    /// `"single"`, `"anonymous"`, or `{"mode":"double","tolerance":"2","rule":"mean","open":false}`.
    public var json: JSON {
        switch self {
        case .single: "single"
        case .anonymous: "anonymous"
        case .double(let double):
            [
                "mode": "double",
                "tolerance": .string(double.tolerance.decimalText ?? double.tolerance.description),
                "rule": .string(double.rule.rawValue), "open": .bool(double.isOpen),
            ]
        }
    }

    /// Reads the form of `json`, also from a request, with all faults at once.
    ///
    /// Without `tolerance` marks must be equal, without `rule` their mean counts, and without `open` the second marker
    /// does not see the first mark.
    public init(_ json: JSON, at path: String) throws(FaultList) {
        if let word = [LineMarking.single, .anonymous].first(where: { $0.json == json }) {
            self = word
            return
        }
        guard let members = json.object else {
            throw FaultList([
                json.string == nil
                    ? Fault(.wrongType, at: path, ["expected": "object"])
                    : Fault(.outOfRange, at: path, .allowing(["single", "double", "anonymous"]))
            ])
        }
        var faults = FaultList()
        // Adding a fault compares it with all earlier ones.
        for member in members.filter({ !["mode", "tolerance", "rule", "open"].contains($0.name) }).prefix(16) {
            faults.add(.unknownField, at: path + JSONPointer.step(member.name))
        }
        if members["mode"] != "double" {
            faults.add(.outOfRange, at: path + "/mode", .allowing(["double"]))
        }
        let tolerance = Self.tolerance(members["tolerance"], at: path + "/tolerance", &faults)
        var rule = DoubleMarking.Rule.mean
        if let word = members["rule"], !word.isNull {
            if let known = word.string.flatMap({ DoubleMarking.Rule(rawValue: $0) }) {
                rule = known
            } else {
                faults.add(.outOfRange, at: path + "/rule", .allowing(DoubleMarking.Rule.allCases.map(\.rawValue)))
            }
        }
        let open = members["open"] ?? .null
        if !open.isNull, open.bool == nil { faults.add(.wrongType, at: path + "/open", ["expected": "boolean"]) }
        try faults.check()
        self = .double(DoubleMarking(tolerance: tolerance, rule, isOpen: open.bool ?? false))
    }

    private static func tolerance(_ json: JSON?, at path: String, _ faults: inout FaultList) -> Exact {
        guard let json, !json.isNull else { return .zero }
        guard let text = json.numberText, let decimal = DecimalText(text), decimal.decimals <= DoubleMarking.decimals
        else {
            faults.add(.notANumber, at: path)
            return .zero
        }
        guard decimal.value >= .zero, decimal.value <= DoubleMarking.greatestTolerance else {
            faults.add(.outOfRange, at: path, ["min": 0, "max": .number(DoubleMarking.greatestTolerance.description)])
            return .zero
        }
        return decimal.value
    }
}
