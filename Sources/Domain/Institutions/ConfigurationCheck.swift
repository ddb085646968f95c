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

    /// Throws, with the same paths, what keeps a scheme's configuration from being published; whether there was anything
    /// to find out.
    public typealias Proof = @Sendable (_ scheme: String, _ configuration: [UInt8]) async throws -> Bool

    private let question: Question
    private let proof: Proof

    /// A check by that question, and of what is to be published by that proof.
    public init(_ question: @escaping Question, proving proof: @escaping Proof = { _, _ in false }) {
        self.question = question
        self.proof = proof
    }

    func callAsFunction(scheme: String, preset: String?, configuration: JSONObject) async throws -> Accepted {
        try await question(scheme, preset, configuration)
    }

    /// Throws what keeps a program's draft from being published; whether there was anything to find out.
    func prove(_ draft: ProgramDraft, of program: Program) async throws -> Bool {
        try await proof(program.scheme, draft.configuration)
    }
}
