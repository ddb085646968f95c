public import Cryptography
public import GradingKit
import Institutions
import Records
public import Shared
import Synchronization

/// The rules of the program versions in use. A published version never changes, so what is made once is kept, as long as
/// there is room.
public final class RecordRulesCache: Sendable {
    private struct Key: Hashable {
        let program: ProgramID
        let version: Version
    }

    /// A document that is being read.
    private struct Making: Hashable {
        let scheme: String
        let configuration: [UInt8]
    }

    private typealias Waiting = CheckedContinuation<Rulebook?, any Error>

    /// How much memory the rules may take together, in bytes.
    private static let capacity = 256 << 20
    private let schemes: SchemeRegistry
    private let programs: Programs
    private let tenants: Tenants
    private let identifiers: UUIDSource
    private let memory = RecordTreeCache()
    private let keepShape: @Sendable (_ shape: [UInt8], ProgramID, Version) async throws -> Void
    private let entries = Mutex(BoundedMemory<Key, RecordRules>(capacity: capacity, largest: capacity))
    /// Who waits for a document that another caller reads.
    private let waiting = Mutex<[Making: [Waiting]]>([:])

    /// Creates an empty cache.
    ///
    /// - Parameter keepShape: stores the shape by which a version's records are judged, where the scheme is an
    ///   executable.
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

    /// Returns the build that computes a scheme; `nil` for one built into the server, or not installed.
    func executable(of scheme: String) -> SchemeExecutable? { schemes[SchemeIdentifier(scheme)]?.executable }

    /// Returns the rules of one version if they are cached.
    func recent(_ program: ProgramID, _ version: Version) -> RecordRules? {
        entries.withLock { $0.value(for: Key(program: program, version: version)) }
    }

    /// Returns the rules of one version of a program.
    ///
    /// - Throws: `not_computable` when the scheme is not installed or refuses its configuration.
    func rules(of program: Program, version: Version) async throws -> RecordRules {
        if let made = recent(program.id, version) { return made }
        guard let published = try await programs.version(version, of: program.id),
            let institution = try await tenants.find(program.institution.text)
        else { throw StoreError.notFound }
        let made = RecordRules(
            rules: try await rules(program.scheme, published.configuration), programVersion: version,
            language: institution.locale, memory: memory, newID: { [identifiers] in EntryID(identifiers.next()) })
        // Stored before anything is judged by it. If that fails, the next time the rules are built tries again.
        if made.rules.executable != nil { try? await keepShape(made.rules.shape.described, program.id, version) }
        // What a scheme makes of its settings takes about as much as its shape and wording.
        let size = made.rules.workBound?.memory ?? (128 << 10) + 16 * published.configuration.count
        entries.withLock { $0.keep(made, for: Key(program: program.id, version: version), bytes: size) }
        return made
    }

    /// Throws the faults of a document configuration by which no record can be judged. Accepts every other
    /// configuration.
    func check(_ scheme: String, _ configuration: [UInt8]) async throws {
        guard let installed = schemes[SchemeIdentifier(scheme)], installed.isDocument else { return }
        try await installed.perform { _ = try installed.rulebook(configuration: JSON.parse(configuration)) }
    }

    /// Returns the rules of any configuration.
    func rules(_ scheme: String, _ configuration: [UInt8]) async throws -> Rulebook {
        guard let installed = schemes[SchemeIdentifier(scheme)] else {
            throw UseCaseError.notComputable("The scheme \(scheme) is not installed")
        }
        do {
            guard installed.isDocument else { return try await Self.make(installed, configuration) }
            return try await once(Making(scheme: scheme, configuration: configuration)) {
                try await Self.make(installed, configuration)
            }
        } catch let faults as FaultList where faults.isNotComputable {
            throw faults
        } catch {
            throw UseCaseError.notComputable("The scheme \(scheme) refuses its configuration")
        }
    }

    private static func make(_ scheme: InstalledScheme, _ configuration: [UInt8]) async throws -> Rulebook {
        try await scheme.perform { try scheme.rulebook(configuration: JSON.parse(configuration)) }
    }

    /// Reads a document once for all who ask for it meanwhile: a class of students that opens its records after a restart
    /// asks for one.
    private func once(_ making: Making, _ make: () async throws -> Rulebook) async throws -> Rulebook {
        let shared: Rulebook? = try await withCheckedThrowingContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[making] == nil else {
                    waiting[making]?.append(continuation)
                    return false
                }
                waiting[making] = []
                return true
            }
            if isFirst { continuation.resume(returning: nil) }
        }
        if let shared { return shared }
        let result: Result<Rulebook, any Error>
        do { result = .success(try await make()) } catch { result = .failure(error) }
        let others = waiting.withLock { $0.removeValue(forKey: making) ?? [] }
        for other in others { other.resume(with: result.map { Optional($0) }) }
        return try result.get()
    }
}
