import Accounts
public import Classes
import Cryptography
import Gradebook
public import GradingKit
import Institutions
import Records
public import Shared

/// New classes: their first structure, and the entries that can stand for their rows.
extension ClassService {
    /// Creates a class in a program, with its caller as a teacher.
    ///
    /// - Parameters:
    ///   - teacher: a member of the institution's staff who also teaches it; `nil` for none. A service account has to
    ///     name a person.
    ///   - term: the institution's year or term of the class; `nil` for none.
    ///   - model: a class of the program that the caller may read, whose structure is copied; it also determines
    ///     `root`.
    ///   - root: the kind of the entries that stand for rows, and its fields.
    ///   - lines: the lines below it; a step refers to an earlier one as `#n`, and to the root as `#0`.
    public func found(
        in programID: ProgramID, title: String, term: TermID? = nil, teacher: AccountID? = nil,
        copyOf model: ClassID? = nil, root: String, fields: JSONObject, lines: [StructureChange],
        by context: AccountContext
    ) async throws -> ClassSnapshot {
        try await records.trying(context) { context, bypassingCache in
            guard let program = try await records.institutions.programs.find(programID, bypassingCache: bypassingCache),
                let institution = try await records.institutions.tenants.find(
                    program.institution.text, bypassingCache: bypassingCache)
            else { throw UseCaseError.notFound }
            let requester = try await records.access.requester(context.principal, bypassingCache: bypassingCache)
            let decision = authorize(requester, .grade, on: .program(program, in: institution))
            guard case .allowed = decision else { throw UseCaseError(decision) }
            guard
                let version = try await records.institutions.programs.version(
                    of: program, on: institution.today(at: context.now))
            else { throw FaultList([Fault("program_unpublished", at: "/program")]) }
            let book = try await records.rulesCache.rules(of: program, version: version.number)
            let bare =
                if let model { try await copy(of: model, with: fields, in: programID, for: context) } else {
                    ClassStructure(root: root, id: LineID(identifiers.next()), fields: fields)
                }
            let structure = try await self.structure(bare, lines, of: program, under: book)
            if let term { _ = try await calendar(term, of: program.institution) }
            if let teacher { try await checkStaff(teacher, of: program.institution, at: "/teacher") }
            let teachers = Set([context.account, teacher].compactMap(\.self)).sorted()
            guard try await !records.people(among: teachers).isEmpty else {
                throw FaultList([Fault(.teacherNeeded, at: "/teacher")])
            }
            let head = ClassHead(
                id: ClassID(identifiers.next()), institution: program.institution, program: programID, title: title,
                term: term, createdAt: context.now)
            return try await store.found(
                head, structure, staff: teachers.map { ClassStaff($0, as: .teacher) },
                by: act(context, requester, institution, program))
        }
    }

    /// The structure of a copy of a class in the program.
    private func copy(
        of model: ClassID, with fields: JSONObject, in program: ProgramID, for context: AccountContext
    ) async throws -> ClassStructure {
        let snapshot = try await permit(.read, model, .outline, for: context).snapshot
        guard snapshot.head.program == program else { throw FaultList([Fault(.classUnlike, at: "/copyOf")]) }
        return snapshot.structure.copied(with: fields) { LineID(identifiers.next()) }
    }

    private func structure(
        _ bare: ClassStructure, _ lines: [StructureChange], of program: Program, under book: RecordRules
    ) async throws -> ClassStructure {
        let root = bare.root.kind
        // A scheme in a process of its own cannot be asked during an act.
        guard book.rules.isImmediate, book.rules.takesGiven else {
            throw refused(MountingObstacle(figure: nil, of: nil).fault(of: Kind(root), under: book.rules), book)
        }
        if let fault = MountingObstacle.misplacement(of: Kind(root), under: book.rules) { throw refused(fault, book) }
        let ids = LineNames(lines.map { _ in LineID(identifiers.next()) }, after: bare.root.id)
        do {
            let made = lines.isEmpty ? bare : try bare.applying(lines.map { ids.resolved($0) }) { ids.next() }
            let structure = made.typed(by: book.rules.shape)
            try ClassBook(structure, under: book).checkFieldsOfStudents()
            if let obstacle = await roots.obstacle(to: Kind(root), of: program.id, book) {
                throw refused(obstacle.fault(of: Kind(root), under: book.rules), book)
            }
            return structure
        } catch let faults as FaultList {
            throw UseCaseError.invalid(faults, catalog: book.rules.catalog.adding(.classes))
        }
    }

    private func refused(_ fault: Fault, _ book: RecordRules) -> UseCaseError {
        UseCaseError.invalid(FaultList([fault]), catalog: book.rules.catalog.adding(.classes))
    }
}
