public import Cryptography
public import GradingKit
public import Institutions
import Records
public import Shared
import Synchronization

/// The rules of every program version in use. A published version never changes, so what is made once is kept.
public final class RecordRulesCache: Sendable {
    private struct Key: Hashable {
        let program: ProgramID
        let version: Version
    }

    private static let capacity = 4_096
    /// The rules of a document take many times the memory of its text, in bytes.
    private static let longestTexts = 8 << 20
    private let schemes: SchemeRegistry
    private let programs: Programs
    private let tenants: Tenants
    private let identifiers: UUIDSource
    private let memory = RecordTreeCache()
    private let keepShape: @Sendable (_ shape: [UInt8], ProgramID, Version) async throws -> Void
    private let entries = Mutex<(rules: [Key: RecordRules], texts: Int)>(([:], 0))

    /// An empty cache.
    ///
    /// - Parameter keepShape: keeps by which shape a version's records are judged, where the scheme is an executable.
    public init(
        schemes: SchemeRegistry, institutions: InstitutionServices, identifiers: UUIDSource,
        keepShape: @escaping @Sendable (_ shape: [UInt8], ProgramID, Version) async throws -> Void = { _, _, _ in }
    ) {
        self.keepShape = keepShape
        self.schemes = schemes
        programs = institutions.programs
        tenants = institutions.tenants
        self.identifiers = identifiers
    }

    /// The build that computes a scheme, where that runs in a process of its own.
    func executable(of scheme: String) -> SchemeExecutable? { schemes[SchemeIdentifier(scheme)]?.executable }

    /// The rules of one version, if they have been asked for before.
    func recent(_ program: ProgramID, _ version: Version) -> RecordRules? {
        entries.withLock { $0.rules[Key(program: program, version: version)] }
    }

    /// The rules of one version of a program.
    ///
    /// Throws `not_computable` when its scheme is not installed (any more) or refuses its configuration.
    func rules(of program: Program, version: Version) async throws -> RecordRules {
        if let made = recent(program.id, version) { return made }
        guard let published = try await programs.version(version, of: program.id),
            let institution = try await tenants.find(program.institution.text)
        else { throw StoreError.notFound }
        let made = RecordRules(
            rules: try await rules(program.scheme, published.configuration), programVersion: version,
            language: institution.locale, memory: memory, newID: { [identifiers] in EntryID(identifiers.next()) })
        // Before anything is judged by it. One that could not be kept is kept when the rules are next read.
        if made.rules.executable != nil { try? await keepShape(made.rules.shape.described, program.id, version) }
        entries.withLock { entries in
            if entries.rules.count >= Self.capacity || entries.texts > Self.longestTexts { entries = ([:], 0) }
            let isNew = entries.rules.updateValue(made, forKey: Key(program: program.id, version: version)) == nil
            if isNew { entries.texts += published.configuration.count }
        }
        return made
    }

    /// Throws what is wrong with a configuration by which no record can be judged, as a document with faults.
    func check(_ scheme: String, _ configuration: [UInt8]) async throws {
        guard let installed = schemes[SchemeIdentifier(scheme)], installed.isDocument else { return }
        try await installed.perform { _ = try installed.rulebook(configuration: JSON.parse(configuration)) }
    }

    /// The rules of any configuration.
    func rules(_ scheme: String, _ configuration: [UInt8]) async throws -> Rulebook {
        guard let installed = schemes[SchemeIdentifier(scheme)] else {
            throw UseCaseError.notComputable("The scheme \(scheme) is not installed")
        }
        do {
            return try await installed.perform {
                try installed.rulebook(configuration: JSON.parse(configuration))
            }
        } catch let faults as FaultList where faults.isNotComputable {
            throw faults
        } catch {
            throw UseCaseError.notComputable("The scheme \(scheme) refuses its configuration")
        }
    }
}
