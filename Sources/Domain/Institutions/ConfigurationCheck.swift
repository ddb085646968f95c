public import GradingKit

/// Asks a scheme whether a configuration is one of its own. The schemes are not known here; the module that knows them
/// hands in the question.
public struct ConfigurationCheck: Sendable {
    /// A configuration the scheme has accepted.
    public struct Accepted: Sendable, Equatable {
        /// The whole configuration, defaults filled in, as canonical JSON text.
        public let configuration: [UInt8]
        /// What is allowed but probably not meant.
        public let warnings: [Fault]

        /// The preset that the configuration itself names, in schemes where one of the settings is the preset.
        public var preset: String? { (try? JSON.parse(configuration))?["preset"]?.string }

        /// An accepted configuration.
        public init(configuration: [UInt8], warnings: [Fault]) {
            self.configuration = configuration
            self.warnings = warnings
        }
    }

    /// The question: scheme, preset (`nil` for the scheme's defaults), and the keys that override it.
    ///
    /// Throws a `FaultList` with paths as in the request: `/scheme`, `/preset`, `/configuration/…`.
    public typealias Question = @Sendable (String, String?, JSONObject) async throws -> Accepted

    private let question: Question

    /// A check by that question.
    public init(_ question: @escaping Question) { self.question = question }

    func callAsFunction(scheme: String, preset: String?, configuration: JSONObject) async throws -> Accepted {
        try await question(scheme, preset, configuration)
    }
}
