/// Names a scheme among all installed ones: lower-case letters, digits and hyphens.
public struct SchemeIdentifier: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the identifier.
    public let text: String

    /// Wraps an identifier.
    public init(_ text: String) { self.text = text }
    /// Wraps an identifier.
    public init(stringLiteral value: String) { text = value }

    /// The text of the identifier.
    public var description: String { text }

    /// Compares alphabetically.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// A way of grading: the shape of records, the checks, and all computations.
///
/// A scheme is pure. The same configuration and record give the same answer at any time, on any machine: no clock,
/// no input or output, no chance.
///
/// ```swift
/// struct PassFail: GradingScheme {
///     struct Configuration: SchemeConfiguration { … }
///     static let identifier: SchemeIdentifier = "pass-fail"
///     static let title = LocalizedText("Pass or fail", fr: "Admis ou refusé", zh: "通过制")
///     let configuration: Configuration
///
///     var shape: RecordShape { RecordShape(kinds: [KindShape(course, …)]) }
///
///     func register(in registrar: inout SchemeRegistrar) {
///         registrar.calculate(passed, Presentation(…)) { record in … }
///     }
/// }
/// ```
public protocol GradingScheme: Sendable {
    /// The scheme's settings.
    associatedtype Configuration: SchemeConfiguration

    /// The identifier in JSON and URLs.
    static var identifier: SchemeIdentifier { get }
    /// The title for people.
    static var title: LocalizedText { get }
    /// The purpose of the scheme, in one sentence.
    static var summary: LocalizedText { get }
    /// The name of this build, if the scheme runs in its own process: 1 to 64 letters, digits, `.`, `+`, `-` and `_`.
    /// It is stored with the executable's digest in everything the build computes; `nil` unless given.
    static var version: String? { get }

    /// Creates the scheme with a configuration that has passed every check.
    init(configuration: Configuration)

    /// The shape of the scheme's records.
    var shape: RecordShape { get }

    /// Registers validators, calculators, decisions, warnings, templates and wording.
    func register(in registrar: inout SchemeRegistrar)
}

extension GradingScheme {
    /// By default, a scheme has no version of its own.
    public static var version: String? { nil }
}

/// A scheme's settings. They are described by key path, so that all faults are found at once, and the form, the JSON
/// Schema and the documentation come from one description.
public protocol SchemeConfiguration: Sendable {
    /// Creates the default settings.
    init()
    /// Describes every setting.
    static func describe(_ form: inout SettingsForm<Self>)
    /// Checks rules between settings. Settings that could not be read keep their previous values.
    func check(_ clashes: inout SettingClashes)
}

extension SchemeConfiguration {
    /// Checks nothing: by default, there are no rules between settings.
    public func check(_ clashes: inout SettingClashes) {}
}
