public import GradingKit

/// How late and missing work counts in a class, which students are at risk, and which results are low.
///
/// A share is a part of a line's scale, from its worst to its best result, in percent. Lines whose kind has a field per
/// student called `late` leave lateness to the scheme, so that nothing is deducted twice.
public struct WorkPolicy: Sendable, Equatable {
    /// What late work loses.
    public struct Lateness: Sendable, Equatable {
        /// How often the share is deducted.
        public enum Period: String, Sendable, CaseIterable {
            /// Once for each hour begun.
            case hour
            /// Once for each day begun.
            case day
            /// Once, however late the work is.
            case once

            /// Its length in minutes; `nil` for once.
            public var minutes: Int? {
                switch self {
                case .hour: 60
                case .day: 24 * 60
                case .once: nil
                }
            }
        }

        /// How often ``share`` is deducted.
        public var period: Period
        /// The share to deduct for each period; above 0, at most 100.
        public var share: Exact
        /// The grace period in minutes, 0…``WorkPolicy/greatestDelay``. Later work loses for its whole delay, grace
        /// included.
        public var grace: Int
        /// The lowest share to which a deduction can bring a result, 0…100. A lower result stays unchanged.
        public var floor: Exact
        /// The greatest share to deduct; above 0, at most 100.
        public var cap: Exact

        /// Creates a rule for late work.
        public init(
            _ share: Exact, per period: Period, grace: Int = 0, floor: Exact = 0, cap: Exact = Self.whole
        ) {
            self.period = period
            self.share = share
            self.grace = grace
            self.floor = floor
            self.cap = cap
        }

        /// The whole scale.
        public static let whole: Exact = 100

        /// Returns the share to deduct from work that is `minutes` late: 0 within the grace period, at most ``cap``.
        public func loss(after minutes: Int) -> Exact {
            guard minutes > grace else { return .zero }
            guard let length = period.minutes else { return min(share, cap) }
            // Both are bounded, so nothing overflows.
            return min(share * Exact((minutes + length - 1) / length), cap)
        }
    }

    /// How missing work counts.
    public struct Absence: Sendable, Equatable {
        /// The share given for it; `nil` if it counts like a result that is still to come.
        public var share: Exact?
        /// Whether empty cells become missing automatically after the day on which the work was due.
        public var isAutomatic: Bool

        /// Creates a rule for missing work.
        public init(share: Exact?, isAutomatic: Bool = false) {
            self.share = share
            self.isAutomatic = isAutomatic
        }
    }

    /// The longest delay, in minutes: a leap year.
    public static let greatestDelay = 366 * 24 * 60

    /// What late work loses; `nil` for nothing.
    public var lateness: Lateness?
    /// How missing work counts.
    public var absence: Absence
    /// Which students are at risk; `nil` if the class has no such rules.
    public var risk: RiskRules?
    /// The share below which a result is shown to staff as low; above 0, at most 100. `nil` for none.
    public var low: Exact?

    /// Creates a policy. By default late work loses nothing and missing work does not count.
    public init(
        lateness: Lateness? = nil, absence: Absence = Absence(share: nil), risk: RiskRules? = nil, low: Exact? = nil
    ) {
        self.lateness = lateness
        self.absence = absence
        self.risk = risk
        self.low = low
    }
}

// MARK: - As it is stored, shown and asked for

extension WorkPolicy {
    /// `{"late":{"percent","per","grace","floor","cap"}|null,"missing":{"percent","automatic"},"risk"?,"low"?}`: shares as
    /// decimals in percent.
    public var json: JSON {
        var late = JSON.null
        if let lateness {
            late = [
                "percent": Self.text(lateness.share), "per": .string(lateness.period.rawValue),
                "grace": .number(String(lateness.grace)), "floor": Self.text(lateness.floor),
                "cap": Self.text(lateness.cap),
            ]
        }
        let missing: JSON = [
            "percent": absence.share.map { Self.text($0) } ?? .null, "automatic": .bool(absence.isAutomatic),
        ]
        var object: JSONObject = ["late": late, "missing": missing]
        if let risk { object["risk"] = risk.json }
        if let low { object["low"] = Self.text(low) }
        return .object(object)
    }

    private static func text(_ share: Exact) -> JSON { .string(share.decimalText ?? share.description) }

    /// Reads the form of ``json``, which requests use too. An absent member is reset: no grace, no floor, no cap.
    ///
    /// - Throws: all faults at once, each at its member below `path`.
    public init(_ json: JSON, at path: String) throws(FaultList) {
        var reader = PolicyReader(json, ["late", "missing", "risk", "low"], at: path)
        var policy = WorkPolicy()
        if let missing = reader.take("missing") {
            var inner = PolicyReader(missing, ["percent", "automatic"], at: path + "/missing")
            policy.absence.share = inner.share("percent", from: 0)
            policy.absence.isAutomatic = inner.flag("automatic") ?? false
            for fault in inner.faults.faults { reader.faults.add(fault) }
        }
        if let late = reader.take("late") {
            var inner = PolicyReader(late, ["percent", "per", "grace", "floor", "cap"], at: path + "/late")
            let share = inner.share("percent", from: nil, isRequired: true)
            let period = inner.period("per")
            let grace = inner.minutes("grace")
            let floor = inner.share("floor", from: 0)
            let cap = inner.share("cap", from: nil)
            if let share, let period {
                policy.lateness = Lateness(
                    share, per: period, grace: grace ?? 0, floor: floor ?? 0, cap: cap ?? Lateness.whole)
            }
            for fault in inner.faults.faults { reader.faults.add(fault) }
        }
        if let risk = reader.take("risk") {
            do {
                policy.risk = try RiskRules(risk, at: path + "/risk")
            } catch {
                for fault in error.faults { reader.faults.add(fault) }
            }
        }
        policy.low = reader.share("low", from: nil)
        try reader.faults.check()
        self = policy
    }
}

/// Reads the members of a policy.
struct PolicyReader {
    private let members: JSONObject
    private let path: String
    var faults = FaultList()

    init(_ json: JSON, _ names: [String], at path: String) {
        self.path = path
        members = json.object ?? JSONObject()
        if json.object == nil { faults.add(.wrongType, at: path, ["expected": "object"]) }
        // Adding a fault compares it with all earlier ones.
        for member in members.filter({ !names.contains($0.name) }).prefix(16) {
            faults.add(.unknownField, at: path + JSONPointer.step(member.name))
        }
    }

    func take(_ name: String) -> JSON? {
        guard let value = members[name], !value.isNull else { return Optional.none }
        return value
    }

    /// A share of at most 100 percent with at most two decimals, and at least `least`, or above 0 if that is `nil`.
    mutating func share(_ name: String, from least: Exact?, isRequired: Bool = false) -> Exact? {
        guard let json = take(name) else {
            if isRequired { faults.add(.missingField, at: path + "/" + name) }
            return nil
        }
        guard let text = json.numberText, let decimal = DecimalText(text), decimal.decimals <= 2 else {
            faults.add(.notANumber, at: path + "/" + name)
            return nil
        }
        guard decimal.value <= WorkPolicy.Lateness.whole, least.map({ decimal.value >= $0 }) ?? (decimal.value > .zero)
        else {
            faults.add(.outOfRange, at: path + "/" + name, ["min": 0, "max": 100])
            return nil
        }
        return decimal.value
    }

    mutating func period(_ name: String) -> WorkPolicy.Lateness.Period? {
        guard let json = take(name) else {
            faults.add(.missingField, at: path + "/" + name)
            return nil
        }
        guard let period = json.string.flatMap({ WorkPolicy.Lateness.Period(rawValue: $0) }) else {
            let words = WorkPolicy.Lateness.Period.allCases.map(\.rawValue)
            faults.add(.outOfRange, at: path + "/" + name, .allowing(words))
            return nil
        }
        return period
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let json = take(name) else { return nil }
        if json.bool == nil { faults.add(.wrongType, at: path + "/" + name, ["expected": "boolean"]) }
        return json.bool
    }

    mutating func text(_ name: String) -> String? {
        guard let json = take(name) else { return nil }
        guard let text = json.string, (1...ClassLimits.title).contains(text.utf8.count) else {
            faults.add(.wrongType, at: path + "/" + name, ["expected": "string"])
            return nil
        }
        return text
    }

    /// A number of the usual precision: at most 9 digits and 4 decimals.
    mutating func number(_ name: String, isRequired: Bool) -> Exact? {
        guard let json = take(name) else {
            if isRequired { faults.add(.missingField, at: path + "/" + name) }
            return nil
        }
        switch GivenValues.figure(json) {
        case .success(let value): return value
        case .failure(let fault):
            faults.add(fault.prefixed(path + "/" + name))
            return nil
        }
    }

    mutating func count(_ name: String, upTo most: Int) -> Int? {
        guard let json = take(name) else { return nil }
        guard let count = json.integer, (1...most).contains(count) else {
            faults.add(.outOfRange, at: path + "/" + name, ["min": 1, "max": .number(String(most))])
            return nil
        }
        return count
    }

    mutating func minutes(_ name: String) -> Int? {
        guard let json = take(name) else { return nil }
        guard let minutes = json.integer, (0...WorkPolicy.greatestDelay).contains(minutes) else {
            faults.add(
                .outOfRange, at: path + "/" + name, ["min": 0, "max": .number(String(WorkPolicy.greatestDelay))])
            return nil
        }
        return minutes
    }
}

extension JSON {
    /// The text of a number, written as a number or in a string.
    var numberText: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
