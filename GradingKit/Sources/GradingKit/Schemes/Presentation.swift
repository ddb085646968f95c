/// A figure's name, declared once as a typed constant by the scheme that computes it.
public struct Figure: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in JSON.
    public let name: String
    let key: NameKey

    /// Creates a figure with a name.
    public init(_ name: String) {
        self.name = name
        key = NameKey(name)
    }

    /// Creates a figure with a name.
    public init(stringLiteral value: String) { self.init(value) }
}

/// How one figure is shown: rule, label, letter, colour and text. Each method returns a refined copy.
public struct Presentation: Sendable {
    /// Shared by everything that shows the figure, because standings refer to it for each figure of each entry.
    private final class Details: Sendable {
        let label: LocalizedText
        let rule: FigureRule
        let traits: Traits
        /// The JSON members that describe the rounding, up to the rounding's name.
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
        var countsPoints = false
        var isShortened = false
        var colour: (@Sendable (Exact?) -> String?)?
        var words: (@Sendable (String?) -> LocalizedText?)?
        var article: String?
    }

    private let details: Details

    /// Creates the presentation of a figure that a rule rounds and judges.
    public init(_ label: LocalizedText, _ rule: FigureRule) { details = Details(label, rule, Traits()) }

    /// The label for people.
    public var label: LocalizedText { details.label }
    /// The rule that rounds, displays and judges the figure.
    public var rule: FigureRule { details.rule }
    /// The scale that determines the entry's letter and points.
    public var letters: Bands? { details.traits.letters }
    /// The scale whose labels a goal may name: that of the letters, otherwise that of the colours.
    var scale: Bands? { letters ?? colours }
    /// The scale of the colours; `nil` if a function determines them.
    var colours: Bands? { details.traits.colours }
    /// The article of the regulations that the figure implements; `nil` if none is named.
    public var article: String? { details.traits.article }
    /// Whether floor and ceiling are shown with the current value.
    public var hasRange: Bool { details.traits.hasRange }
    /// Whether the figure counts points, or compares them with a number of points.
    public var countsPoints: Bool { details.traits.countsPoints }
    /// Whether the display omits trailing zeros.
    public var isShortened: Bool { details.traits.isShortened }

    /// Adds the letter and points of a scale to the figure's entry or record.
    public func lettered(by bands: Bands) -> Presentation { with { $0.letters = bands } }

    /// Adds a band from a scale, or `otherwise` while the figure is undefined.
    public func coloured(by bands: Bands, otherwise: String) -> Presentation {
        with {
            $0.colours = bands
            $0.colour = { $0.flatMap { bands.band(for: $0)?.label } ?? otherwise }
        }
    }

    /// Adds a band determined by a function; its argument is `nil` while the figure is undefined.
    public func coloured(_ rule: @escaping @Sendable (Exact?) -> String?) -> Presentation {
        with { $0.colour = rule }
    }

    /// Adds a text; the argument is the displayed value, `nil` while the figure is undefined.
    public func worded(_ words: @escaping @Sendable (String?) -> LocalizedText?) -> Presentation {
        with { $0.words = words }
    }

    /// Names the article of the regulations that the figure implements.
    public func citing(_ article: String) -> Presentation { with { $0.article = article } }

    /// Shows only the current value, without floor and ceiling.
    public func withoutRange() -> Presentation { with { $0.hasRange = false } }

    /// Declares that the figure counts points, or compares them with a number of points. So doubling points and maxima
    /// changes its value, and without points it is 0.
    public func countingPoints() -> Presentation { with { $0.countsPoints = true } }

    /// Shows 12 and 12.5 rather than 12.00 and 12.50.
    public func shortened() -> Presentation { with { $0.isShortened = true } }

    func band(_ value: Exact?) -> String? { details.traits.colour?(value) }
    func text(_ display: String?) -> LocalizedText? { details.traits.words?(display) }

    /// Writes the members that describe the rounding, after those before it.
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
