public import Messages

/// The results of testing a provider without a person: each step that a sign-in needs.
public struct ProviderTrial: Sendable, Equatable {
    /// A step of a trial. Each kind of provider has some of them.
    public enum Step: String, Sendable, CaseIterable {
        /// The provider's metadata.
        case metadata
        /// Support for PKCE, which makes an intercepted code useless.
        case pkce
        /// The keys that verify its signatures.
        case keys
        /// That it knows this server and their shared secret.
        case client
        /// That it validates tickets.
        case tickets
    }

    /// The outcome of a step.
    public enum Outcome: Sendable, Equatable {
        /// The step succeeded.
        case passed
        /// Something may be wrong, but does not stop a sign-in.
        case doubtful(Fault)
        /// A sign-in would fail.
        case failed(Fault)
        /// The step was skipped because an earlier one failed.
        case skipped
    }

    /// A step and its outcome.
    public struct Taken: Sendable, Equatable {
        /// The step.
        public let step: Step
        /// The outcome.
        public let outcome: Outcome
    }

    /// The steps in the order in which they were tried.
    public private(set) var steps: [Taken] = []

    /// Whether a sign-in would get through all steps.
    public var works: Bool {
        steps.allSatisfy { step in
            switch step.outcome {
            case .passed, .doubtful: true
            case .failed, .skipped: false
            }
        }
    }

    /// Creates a trial without steps.
    public init() {}

    /// Runs a step and stores its outcome; returns what the next steps need, or `nil` if it failed.
    @discardableResult public mutating func take<Value>(
        _ step: Step, _ attempt: () async throws(Fault) -> Value
    ) async -> Value? {
        do throws(Fault) {
            let value = try await attempt()
            note(step, .passed)
            return value
        } catch {
            note(step, .failed(error))
            return nil
        }
    }

    /// Stores the outcome of some steps.
    public mutating func note(_ outcome: Outcome, of names: Step...) { for name in names { note(name, outcome) } }

    private mutating func note(_ step: Step, _ outcome: Outcome) {
        steps.append(Taken(step: step, outcome: outcome))
    }
}
