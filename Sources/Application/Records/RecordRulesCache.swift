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
    private let schemes: SchemeRegistry
    private let programs: Programs
    private let tenants: Tenants
    private let identifiers: UUIDSource
    private let memory = RecordTreeCache()
    private let keepShape: @Sendable (_ shape: [UInt8], ProgramID, Version) async throws -> Void
    private let books = Mutex<[Key: RecordRules]>([:])

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
        books.withLock { $0[Key(program: program, version: version)] }
    }

    /// The rules of one version of a program.
    ///
    /// Throws `not_computable` when its scheme is not installed (any more) or refuses its configuration.
    func book(of program: Program, version: Version) async throws -> RecordRules {
        if let book = recent(program.id, version) { return book }
        guard let published = try await programs.version(version, of: program.id),
            let institution = try await tenants.find(program.institution.text)
        else { throw StoreError.notFound }
        let book = RecordRules(
            rules: try await rules(program.scheme, published.configuration), programVersion: version,
            language: institution.locale, memory: memory, newID: { [identifiers] in EntryID(identifiers.next()) })
        // Before anything is judged by it. One that could not be kept is kept when the rules are next read.
        if book.rules.executable != nil { try? await keepShape(book.rules.shape.described, program.id, version) }
        books.withLock { books in
            if books.count >= Self.capacity { books.removeAll() }
            books[Key(program: program.id, version: version)] = book
        }
        return book
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
