public import GradingKit
public import Institutions

extension ConfigurationCheck {
    /// Asks the installed schemes.
    ///
    /// - Parameter executor: where regulations that are written as a document are read and proven, which takes a while.
    public static func asking(_ schemes: SchemeRegistry, on executor: any LowPriorityExecutor) -> ConfigurationCheck {
        ConfigurationCheck { scheme, preset, configuration in
            guard let installed = schemes[SchemeIdentifier(scheme)] else {
                throw FaultList([Fault("scheme_unknown", at: "/scheme")])
            }
            let draft = try await executor.perform(installed) {
                try installed.draft(preset: preset, configuration: .object(configuration))
            }
            return Accepted(configuration: draft.configuration.bytes, warnings: draft.warnings)
        } proving: { scheme, configuration in
            guard let installed = schemes[SchemeIdentifier(scheme)], installed.isDocument else { return false }
            try await executor.perform(installed) { try installed.checkPublishable(JSON.parse(configuration)) }
            return true
        }
    }
}

extension LowPriorityExecutor {
    /// Does work with a scheme: beside all requests where it reads a document, else where the scheme does its work.
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
