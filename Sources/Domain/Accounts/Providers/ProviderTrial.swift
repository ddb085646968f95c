public import Messages

/// A provider tried without a person: what a sign-in needs of it, step by step.
public struct ProviderTrial: Sendable, Equatable {
    /// What a sign-in needs. Each kind of provider has some of them.
    public enum Step: String, Sendable, CaseIterable {
        /// What the provider tells of itself.
        case metadata
        /// PKCE: an intercepted code is worth nothing.
        case pkce
        /// The keys by which its signatures are checked.
        case keys
        /// That it knows this server and the secret that both share.
        case client
        /// That it validates tickets.
        case tickets
    }

    /// How a step went.
    public enum Outcome: Sendable, Equatable {
        /// It is as it should be.
        case passed
        /// It may be wrong, and a sign-in is not stopped by it here.
        case doubtful(Fault)
        /// A sign-in fails.
        case failed(Fault)
        /// It was not tried, because a step before it failed.
        case skipped
    }

    /// A step and how it went.
    public struct Taken: Sendable, Equatable {
        /// Which step.
        public let step: Step
        /// How it went.
        public let outcome: Outcome
    }

    /// The steps, in the order in which they were tried.
    public private(set) var steps: [Taken] = []

    /// Whether a sign-in would go on.
    public var works: Bool {
        steps.allSatisfy { step in
            switch step.outcome {
            case .passed, .doubtful: true
            case .failed, .skipped: false
            }
        }
    }

    /// Nothing tried yet.
    public init() {}

    /// Tries a step, and answers what the next ones need of it; `nil` when it failed.
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

    /// Notes how steps went, or that they were not tried.
    public mutating func note(_ outcome: Outcome, of names: Step...) { for name in names { note(name, outcome) } }

    private mutating func note(_ step: Step, _ outcome: Outcome) {
        steps.append(Taken(step: step, outcome: outcome))
    }
}
