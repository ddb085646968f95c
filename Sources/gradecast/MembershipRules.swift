import Application
import CAS
import Configuration
import DataStore
import Institutions
import Shared

extension ServerConfiguration {
    /// The names by which the configuration refers to institutions: its own, and those of providers and rules.
    var institutionNames: Set<String> {
        let homes = openIDConnect.map { ($0.institution, $0.rules) } + cas.map { ($0.institution, $0.rules) }
        return Set(
            institutions.map(\.slug) + homes.compactMap(\.0) + homes.flatMap { $0.1.map(\.institution) })
    }
}

/// The rules by which providers make people members, with their institutions and programs found in the store.
struct MembershipRules {
    /// What is wrong with the rules, each finding in words for an operator.
    private(set) var findings: [String] = []
    /// The rules that can be used, by issuer.
    private(set) var byIssuer: [String: [GrantRule]] = [:]
    private let stores: any DataStoreFactory
    /// The short names of the institutions that the configuration creates at start.
    private let opening: Set<String>

    /// Looks up what the rules of a configuration name.
    ///
    /// - Throws: ``Failure`` if the store cannot be read.
    init(of configuration: ServerConfiguration, over stores: any DataStoreFactory) throws {
        self.stores = stores
        let opened = configuration.institutions.map(\.slug)
        opening = opened.isEmpty ? [ServerConfiguration.Institution.demoSlug] : Set(opened)
        for provider in configuration.openIDConnect {
            try read(provider.rules, of: provider.id, issuer: provider.issuer, within: provider.institution)
        }
        for provider in configuration.cas {
            try read(
                provider.rules, of: provider.id, issuer: CASProvider.issuer(at: provider.url),
                within: provider.institution)
        }
    }

    private mutating func read(
        _ rules: [ServerConfiguration.MembershipRule], of provider: String, issuer: String, within own: String?
    ) throws {
        let home = try own.flatMap { try found($0) }
        if let own, home == nil, !opening.contains(own) {
            findings.append("The provider \(provider) is of the institution \(own), which does not exist.")
        }
        for (index, rule) in rules.enumerated() {
            let place = "The rule \(index + 1) of the provider \(provider)"
            let found = try found(rule.institution)
            if found == nil, !opening.contains(rule.institution) {
                findings.append("\(place) names the institution \(rule.institution), which does not exist.")
                continue
            }
            if let own, rule.institution != own, found == nil || found?.id != home?.id {
                findings.append("\(place) makes members of \(rule.institution), and the provider is of \(own) alone.")
            }
            for program in rule.programs where found?.programs.contains(ProgramID(program)) != true {
                findings.append("\(place) names the program \(program), which \(rule.institution) does not have.")
            }
            guard let found, let role = MemberRole(rawValue: rule.role.rawValue) else { continue }
            byIssuer[issuer, default: []].append(
                GrantRule(
                    claim: rule.claim, value: rule.value, institution: found.id, role: role,
                    programs: rule.programs.map { ProgramID($0) }, studentNumber: rule.studentNumber))
        }
    }

    /// Returns the institution with this name; `nil` if the store has none.
    private func found(_ institution: String) throws -> StoredInstitution? {
        do {
            return try stores.institution(named: institution)
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }
}
