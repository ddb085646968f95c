public import GradingKit

/// Which students of a class are at risk: those whose total is not good enough, cannot become good enough, or becomes so only
/// with better results than are asked of them, and those of whom work is missing.
///
/// "Worse" is less, or more where the figure is better the lower it is.
public struct RiskRules: Sendable, Equatable {
    /// What is asked of a figure of the root.
    public struct Target: Sendable, Equatable {
        /// The figure's name.
        public var figure: String
        /// The value that a student should reach.
        public var bar: Exact
        /// Whether a student is at risk whose figure is worse now.
        public var watchesCurrent: Bool
        /// Whether a student is at risk who cannot reach the bar any more.
        public var watchesReach: Bool
        /// The share of their scales, in percent, 0…100: a student is at risk who does not reach the bar with it in everything that
        /// is still to come; `nil` for no such rule.
        public var share: Exact?

        /// What is asked of a figure.
        public init(
            _ figure: String, bar: Exact, watchesCurrent: Bool = true, watchesReach: Bool = true, share: Exact? = nil
        ) {
            self.figure = figure
            self.bar = bar
            self.watchesCurrent = watchesCurrent
            self.watchesReach = watchesReach
            self.share = share
        }
    }

    /// What is asked of a figure; `nil` for nothing.
    public var target: Target?
    /// How many cells with missing work put a student at risk; `nil` for no such rule, else 1…200.
    public var missing: Int?

    /// Rules for who is at risk.
    public init(target: Target? = nil, missing: Int? = nil) {
        self.target = target
        self.missing = missing
    }
}

/// Why a student is at risk.
public enum Risk: Sendable, Hashable {
    /// The figure is worse than the bar.
    case below
    /// The figure cannot reach the bar any more.
    case outOfReach
    /// The figure does not reach the bar with the share that is asked for in everything that is still to come.
    case needsMore
    /// So much work is missing.
    case missing(Int)

    /// The reason as rows have it: `below`, `out_of_reach`, `needs_more`, `missing:3`.
    public var text: String {
        switch self {
        case .below: "below"
        case .outOfReach: "out_of_reach"
        case .needsMore: "needs_more"
        case .missing(let count): "missing:\(count)"
        }
    }
}

extension RiskRules {
    /// `{"figure","bar","below","outOfReach","share"}` without what is not asked for, and `missing`.
    public var json: JSON {
        var object = JSONObject()
        if let target {
            object["figure"] = .string(target.figure)
            object["bar"] = .string(target.bar.decimalText ?? target.bar.description)
            object["below"] = .bool(target.watchesCurrent)
            object["outOfReach"] = .bool(target.watchesReach)
            object["share"] = target.share.map { .string($0.decimalText ?? $0.description) } ?? .null
        }
        object["missing"] = missing.map { .number(String($0)) } ?? .null
        return .object(object)
    }

    /// Reads what ``json`` writes, which is also what a request sends.
    ///
    /// - Throws: all faults at once, each at its member below `path`.
    init(_ json: JSON, at path: String) throws(FaultList) {
        var reader = PolicyReader(json, ["figure", "bar", "below", "outOfReach", "share", "missing"], at: path)
        let figure = reader.text("figure")
        let bar = reader.number("bar", isRequired: figure != nil)
        let watchesCurrent = reader.flag("below")
        let watchesReach = reader.flag("outOfReach")
        let share = reader.share("share", from: 0)
        let missing = reader.count("missing", upTo: ClassLimits.lines)
        try reader.faults.check()
        self.init(missing: missing)
        guard let figure, let bar else { return }
        target = Target(
            figure, bar: bar, watchesCurrent: watchesCurrent ?? true, watchesReach: watchesReach ?? true, share: share)
    }
}
