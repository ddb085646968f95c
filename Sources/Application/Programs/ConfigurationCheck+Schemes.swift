public import GradingKit
public import Institutions

extension ConfigurationCheck {
    /// Asks the installed schemes.
    public static func asking(_ schemes: SchemeRegistry) -> ConfigurationCheck {
        ConfigurationCheck { scheme, preset, configuration in
            guard let installed = schemes[SchemeIdentifier(scheme)] else {
                throw FaultList([Fault("scheme_unknown", at: "/scheme")])
            }
            let rules = try await installed.perform {
                try installed.rulebook(preset: preset, configuration: .object(configuration))
            }
            return Accepted(configuration: rules.configuration.bytes, warnings: rules.warnings)
        }
    }
}
