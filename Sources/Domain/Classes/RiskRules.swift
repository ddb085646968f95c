public import GradingKit

/// The rules for students at risk: those whose total is not good enough, cannot become good enough, or needs better
/// results than the rules allow; and those with missing work.
///
/// "Worse" means less, or more if lower values of the figure are better.
public struct RiskRules: Sendable, Equatable {
    /// The demands on a figure of the root.
    public struct Target: Sendable, Equatable {
        /// The figure's name.
        public var figure: String
        /// The value to reach.
        public var bar: Exact
        /// Whether a student is at risk if the figure is worse than the bar now.
        public var watchesCurrent: Bool
        /// Whether a student is at risk if the figure cannot reach the bar any more.
        public var watchesReach: Bool
        /// A share of the scales in percent, 0…100: a student is at risk if the figure does not reach the bar with this
        /// share in everything still to come; `nil` for no such rule.
        public var share: Exact?

        /// Creates the demands on a figure.
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

    /// The demands on a figure; `nil` for none.
    public var target: Target?
    /// The number of missing works that puts a student at risk, 1…200; `nil` for no such rule.
    public var missing: Int?

    /// Creates the rules.
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
    /// The figure does not reach the bar with the given share in everything still to come.
    case needsMore
    /// This many works are missing.
    case missing(Int)

    /// The reason in the form of rows: `below`, `out_of_reach`, `needs_more`, `missing:3`.
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
    /// `{"figure","bar","below","outOfReach","share"}` without absent rules, and `missing`.
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

    /// Reads the form of ``json``, which requests use too.
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
