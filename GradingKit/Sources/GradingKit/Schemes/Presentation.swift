/// A figure's name, written once as a typed constant by the scheme that computes it.
public struct Figure: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name on the wire.
    public let name: String
    let key: NameKey

    /// Names a figure.
    public init(_ name: String) {
        self.name = name
        key = NameKey(name)
    }

    /// Names a figure.
    public init(stringLiteral value: String) { self.init(value) }
}

/// How one figure is shown: rule, label, letter, colour and text. A value, refined step by step.
public struct Presentation: Sendable {
    /// Shared by everything that shows the figure, since standings hold one for each figure of each entry.
    private final class Details: Sendable {
        let label: LocalizedText
        let rule: FigureRule
        let traits: Traits
        /// What a figure says of its rounding, up to the rounding's name.
        let rounding: [UInt8]

        init(_ label: LocalizedText, _ rule: FigureRule, _ traits: Traits) {
            self.label = label
            self.rule = rule
            self.traits = traits
            rounding = Array(",\"scale\":\(rule.shown.grid.scale),\"rounding\":".utf8)
        }
    }

    private struct Traits: Sendable {
        var letters: Bands?
        var colours: Bands?
        var hasRange = true
        var isShortened = false
        var colour: (@Sendable (Exact?) -> String?)?
        var words: (@Sendable (String?) -> LocalizedText?)?
        var article: String?
    }

    private let details: Details

    /// A figure shown by a rule.
    public init(_ label: LocalizedText, _ rule: FigureRule) { details = Details(label, rule, Traits()) }

    /// What people read beside the figure.
    public var label: LocalizedText { details.label }
    /// How it is rounded, shown and judged.
    public var rule: FigureRule { details.rule }
    /// The scale that gives its entry a letter and points.
    public var letters: Bands? { details.traits.letters }
    /// The scale whose labels a goal may name: that of the letters, else that of the colours.
    var scale: Bands? { letters ?? colours }
    /// The scale of its colours, where they come from one.
    var colours: Bands? { details.traits.colours }
    /// The article of the regulations that the figure carries out; `nil` where none is named.
    public var article: String? { details.traits.article }
    /// Whether floor and ceiling are shown beside the current value.
    public var hasRange: Bool { details.traits.hasRange }
    /// Whether trailing zeros are left out of the display.
    public var isShortened: Bool { details.traits.isShortened }

    /// Gives the figure's entry, or the record, the letter and the points of a scale.
    public func lettered(by bands: Bands) -> Presentation { with { $0.letters = bands } }

    /// Gives the figure a band from a scale, and `otherwise` while it is undefined.
    public func coloured(by bands: Bands, otherwise: String) -> Presentation {
        with {
            $0.colours = bands
            $0.colour = { $0.flatMap { bands.band(for: $0)?.label } ?? otherwise }
        }
    }

    /// Gives the figure a band by any rule; the argument is `nil` while the figure is undefined.
    public func coloured(_ rule: @escaping @Sendable (Exact?) -> String?) -> Presentation {
        with { $0.colour = rule }
    }

    /// Gives the figure a text; the argument is its display, `nil` while the figure is undefined.
    public func worded(_ words: @escaping @Sendable (String?) -> LocalizedText?) -> Presentation {
        with { $0.words = words }
    }

    /// Names the article of the regulations that the figure carries out.
    public func citing(_ article: String) -> Presentation { with { $0.article = article } }

    /// Shows the current value alone.
    public func withoutRange() -> Presentation { with { $0.hasRange = false } }

    /// Shows 12 and 12.5 rather than 12.00 and 12.50.
    public func shortened() -> Presentation { with { $0.isShortened = true } }

    func band(_ value: Exact?) -> String? { details.traits.colour?(value) }
    func text(_ display: String?) -> LocalizedText? { details.traits.words?(display) }

    /// Writes how the figure is rounded, after the members before it.
    func write(to writer: inout JSONWriter) {
        writer.part(details.rounding[...])
        writer.string(details.rule.shown.rounding.rawValue)
    }

    /// The text of a value of the figure.
    public func display(_ value: Exact) -> String {
        isShortened
            ? (details.rule.shown(value).decimalText ?? details.rule.display(value)) : details.rule.display(value)
    }

    private init(_ details: Details) { self.details = details }

    private func with(_ change: (inout Traits) -> Void) -> Presentation {
        var traits = details.traits
        change(&traits)
        return Presentation(Details(details.label, details.rule, traits))
    }
}
