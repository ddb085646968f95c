public import GradingKit
import Institutions

/// Checks a configuration with its scheme. This module does not know the schemes; the module that does passes in the
/// checks.
public struct ConfigurationCheck: Sendable {
    /// A configuration the scheme has accepted.
    public struct Accepted: Sendable, Equatable {
        /// The whole configuration, with defaults filled in, as canonical JSON text.
        public let configuration: [UInt8]
        /// Settings that are allowed but probably unintended.
        public let warnings: [Fault]

        /// The preset that the configuration names, in schemes that have it as a setting; otherwise `nil`.
        public var preset: String? { (try? JSON.parse(configuration))?["preset"]?.string }

        /// Creates an accepted configuration.
        public init(configuration: [UInt8], warnings: [Fault]) {
            self.configuration = configuration
            self.warnings = warnings
        }
    }

    /// Checks a configuration, given the scheme, the preset (`nil` for the scheme's defaults), and the keys that
    /// override it.
    ///
    /// Throws a `FaultList` with paths as in the request: `/scheme`, `/preset`, `/configuration/…`.
    public typealias Question = @Sendable (String, String?, JSONObject) async throws -> Accepted

    /// Receives the processor time that a proof took, in nanoseconds, also of one that failed.
    public typealias Spending = @Sendable (Int64) -> Void

    /// Checks that a scheme's configuration may be published. Returns whether there was anything to check; throws a
    /// `FaultList` with the same paths if it may not.
    public typealias Proof =
        @Sendable (
            _ scheme: String, _ configuration: [UInt8], _ spending: @escaping Spending
        ) async throws -> Bool

    private let question: Question
    private let proof: Proof

    /// Creates a check that uses `question` for every configuration and `proof` for one that is about to be published.
    public init(_ question: @escaping Question, proving proof: @escaping Proof = { _, _, _ in false }) {
        self.question = question
        self.proof = proof
    }

    func callAsFunction(scheme: String, preset: String?, configuration: JSONObject) async throws -> Accepted {
        try await question(scheme, preset, configuration)
    }

    /// Checks that a program's draft may be published; returns whether there was anything to check.
    func prove(_ draft: ProgramDraft, of program: Program, spending: @escaping Spending) async throws -> Bool {
        try await proof(program.scheme, draft.configuration, spending)
    }
}
