/// A figure's name, written once as a typed constant by the scheme that computes it.
public struct Figure: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name on the wire.
    public let name: String
    let key: UInt64

    /// Names a figure.
    public init(_ name: String) {
        self.name = name
        key = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Names a figure.
    public init(stringLiteral value: String) { self.init(value) }
}

/// How one figure is shown: rule, label, letter, colour and text. A value, refined step by step.
public struct Presentation: Sendable {
    /// What people read beside the figure.
    public let label: LocalizedText
    /// How it is rounded, shown and judged.
    public let rule: FigureRule
    /// The scale that gives its entry a letter and points.
    public private(set) var letters: Bands?
    /// Whether floor and ceiling are shown beside the current value.
    public private(set) var hasRange = true
    /// Whether trailing zeros are left out of the display.
    public private(set) var isShortened = false
    private var colour: (@Sendable (Exact?) -> String?)?
    private var words: (@Sendable (String?) -> LocalizedText?)?

    /// A figure shown by a rule.
    public init(_ label: LocalizedText, _ rule: FigureRule) {
        self.label = label
        self.rule = rule
    }

    /// Gives the figure's entry the letter and the points of a scale.
    public func lettered(by bands: Bands) -> Presentation { with { $0.letters = bands } }

    /// Gives the figure a band from a scale, and `otherwise` while it is undefined.
    public func coloured(by bands: Bands, otherwise: String) -> Presentation {
        with { $0.colour = { $0.flatMap { bands.band(for: $0)?.label } ?? otherwise } }
    }

    /// Gives the figure a band by any rule; the argument is `nil` while the figure is undefined.
    public func coloured(_ rule: @escaping @Sendable (Exact?) -> String?) -> Presentation {
        with { $0.colour = rule }
    }

    /// Gives the figure a text; the argument is its display, `nil` while the figure is undefined.
    public func worded(_ words: @escaping @Sendable (String?) -> LocalizedText?) -> Presentation {
        with { $0.words = words }
    }

    /// Shows the current value alone.
    public func withoutRange() -> Presentation { with { $0.hasRange = false } }

    /// Shows 12 and 12.5 rather than 12.00 and 12.50.
    public func shortened() -> Presentation { with { $0.isShortened = true } }

    func band(_ value: Exact?) -> String? { colour?(value) }
    func text(_ display: String?) -> LocalizedText? { words?(display) }

    func display(_ value: Exact) -> String {
        isShortened ? (rule.shown(value).decimalText ?? rule.display(value)) : rule.display(value)
    }

    private func with(_ change: (inout Presentation) -> Void) -> Presentation {
        var copy = self
        change(&copy)
        return copy
    }
}
