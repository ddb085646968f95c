import Application
import Configuration
import DataStore
import Forms
import GradingKit
import Institutions
import Shared

/// Creates the institutions and programs of the configuration that are missing.
struct Provisioner {
    let installation: Installation

    func provide() async throws {
        let act = AuditContext(by: nil, from: "config", at: installation.store.clock.now)
        for wish in installation.configuration.institutions {
            do {
                let institution = try await installation.institutions.provisioning.institution(
                    slug: wish.slug, title: wish.title, isOpen: wish.isOpen, by: act)
                for program in wish.programs {
                    _ = try await installation.institutions.provisioning.program(
                        NewProgram.form.input(program), in: institution.id, by: act)
                }
            } catch let faults as FaultList {
                let lines = faults.faults.map { "  \($0.path): \($0.code)" }
                throw Failure("The institution \(wish.slug) cannot be opened:\n" + lines.joined(separator: "\n"))
            }
        }
    }
}
