import Deadlines
public import GradingKit
import Institutions

extension ConfigurationCheck {
    /// Creates a check that asks the installed schemes.
    ///
    /// - Parameter executor: runs the slow work of reading and proving regulation documents.
    public static func asking(_ schemes: SchemeRegistry, on executor: any LowPriorityExecutor) -> ConfigurationCheck {
        ConfigurationCheck { scheme, preset, configuration in
            guard let installed = schemes[SchemeIdentifier(scheme)] else {
                throw FaultList([Fault("scheme_unknown", at: "/scheme")])
            }
            let draft = try await executor.perform(installed) {
                try installed.draft(preset: preset, configuration: .object(configuration))
            }
            return Accepted(configuration: draft.configuration.bytes, warnings: draft.warnings)
        } proving: { scheme, configuration, spending in
            guard let installed = schemes[SchemeIdentifier(scheme)], installed.isDocument else { return false }
            try await executor.perform(installed) {
                let start = ProcessorTime.ofThread()
                defer { spending(ProcessorTime.ofThread() - start) }
                try installed.checkPublishable(JSON.parse(configuration))
            }
            return true
        }
    }
}

extension LowPriorityExecutor {
    /// Runs work with a scheme: on this executor if the scheme reads a document, otherwise wherever the scheme runs.
    func perform<Value: Sendable>(
        _ scheme: InstalledScheme, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard scheme.isDocument else { return try await scheme.perform(work) }
        let (answers, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
        await run(.second) { continuation.yield(Result { try work() }) }
        continuation.finish()
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }
}
