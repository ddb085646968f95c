/// Names a scheme among all that are installed: lower-case letters, digits and hyphens.
public struct SchemeIdentifier: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The identifier's text.
    public let text: String

    /// Wraps an identifier.
    public init(_ text: String) { self.text = text }
    /// Wraps an identifier.
    public init(stringLiteral value: String) { text = value }

    /// The identifier's text.
    public var description: String { text }

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// A way of grading: what records look like, what is checked, and how everything is computed.
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

    /// The scheme's name on the wire.
    static var identifier: SchemeIdentifier { get }
    /// What people read.
    static var title: LocalizedText { get }
    /// One sentence on what the scheme is for.
    static var summary: LocalizedText { get }
    /// What this build is called, where the scheme runs in a process of its own: 1 to 64 letters, digits, `.`, `+`, `-`
    /// and `_`. It stands beside the digest of the executable in whatever the build computes; `nil` unless given.
    static var version: String? { get }

    /// Makes the scheme under a configuration that has passed every check.
    init(configuration: Configuration)

    /// What records look like.
    var shape: RecordShape { get }

    /// Registers validators, calculators, decisions, warnings, templates and wording.
    func register(in registrar: inout SchemeRegistrar)
}

extension GradingScheme {
    /// No version of its own.
    public static var version: String? { nil }
}

/// A scheme's settings. They are described by key path, so that all faults are found at once and the form, the JSON
/// Schema and the documentation come from the same lines.
public protocol SchemeConfiguration: Sendable {
    /// The defaults.
    init()
    /// Names every setting.
    static func describe(_ form: inout SettingsForm<Self>)
    /// Checks rules across settings. Settings that could not be read by themselves hold what they held before.
    func check(_ clashes: inout SettingClashes)
}

extension SchemeConfiguration {
    /// No rule across settings.
    public func check(_ clashes: inout SettingClashes) {}
}
