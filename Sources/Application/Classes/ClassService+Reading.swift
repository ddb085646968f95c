import Accounts
public import Classes
import Deadlines
public import Gradebook
import GradingKit
import Institutions
public import Live
import Records
public import Shared

extension ClassService {
    /// A class for its staff.
    public func snapshot(_ id: ClassID, for context: AccountContext) async throws -> ClassSnapshot {
        try await permit(.read, id, .outline, for: context).snapshot
    }

    /// The classes that the caller teaches, or the classes of a program or institution that the caller may read, in the
    /// order of their identifiers.
    public func taught(
        in selection: ClassSelection? = nil, after cursor: ClassID?, limit: Int, for context: AccountContext
    ) async throws -> [ClassSnapshot] {
        var (found, cursor): ([ClassSnapshot], ClassID?) = ([], cursor)
        let mine = ClassSelection.taught(by: context.account)
        let asked = try await named(selection) ?? mine
        let read = try await readsEveryClass(of: asked, context) ? asked : mine
        while found.count < limit {
            let page = try await store.classes(read, after: cursor, limit: limit)
            for taught in page where asked.includes(taught.head) {
                if try await mayRead(taught, context.principal) { found.append(taught) }
            }
            guard page.count == limit, let last = page.last else { break }
            cursor = last.head.id
        }
        return Array(found.prefix(limit))
    }

    /// Returns the selection with the institution's identifier in place of its short name.
    private func named(_ selection: ClassSelection?) async throws -> ClassSelection? {
        guard case .institution(let name) = selection,
            let institution = try await records.institutions.tenants.find(name.text)
        else { return selection }
        return .institution(institution.id)
    }

    /// Returns whether a caller may read all classes of a selection, as registrars may. Others may read the classes
    /// that they teach, which the store finds without going through the rest.
    private func readsEveryClass(of selection: ClassSelection, _ context: AccountContext) async throws -> Bool {
        var program: Program?
        let owner: String
        switch selection {
        case .taught: return true
        case .institution(let id): owner = id.text
        case .program(let id):
            program = try await records.institutions.programs.find(id)
            guard let program else { return false }
            owner = program.institution.text
        }
        guard let institution = try await records.institutions.tenants.find(owner) else { return false }
        let requester = try await records.access.requester(context.principal)
        let ofClass = authorize(requester, .read, on: .taughtClass(role: nil, in: institution))
        guard case .allowed = ofClass else { return false }
        guard let program else { return true }
        if case .allowed = authorize(requester, .oversee, on: .program(program, in: institution)) { return true }
        return false
    }

    /// Whether a caller may read something of a class, as its staff or as somebody who only looks.
    func mayRead(
        _ snapshot: ClassSnapshot, _ principal: Principal, _ sight: ClassSight = .outline
    ) async throws -> Bool {
        guard sight.isKnown(in: snapshot), try await may(.read, and: .oversee, snapshot, principal) else {
            return false
        }
        guard let groups = principal.account.flatMap({ snapshot.member($0) })?.groups else { return true }
        if sight.isWithin(groups) { return true }
        let requester = try await records.access.requester(principal)
        return requester.membership(in: snapshot.head.institution)?.role == .registrar
    }

    /// Whether a caller may enter results in a class.
    func mayGrade(_ snapshot: ClassSnapshot, _ principal: Principal) async throws -> Bool {
        try await may(.grade, and: .grade, snapshot, principal)
    }

    /// Whether a caller may do one thing in a class and another in its program.
    private func may(
        _ action: Action, and needed: Action, _ snapshot: ClassSnapshot, _ principal: Principal
    ) async throws -> Bool {
        guard let program = try await records.institutions.programs.find(snapshot.head.program),
            let institution = try await records.institutions.tenants.find(program.institution.text)
        else { return false }
        let requester = try await records.access.requester(principal)
        let role = principal.account.flatMap { snapshot.role(of: $0) }
        guard case .allowed = authorize(requester, action, on: .taughtClass(role: role, in: institution)),
            case .allowed = authorize(requester, needed, on: .program(program, in: institution))
        else { return false }
        return true
    }

    /// A class with its columns and the names of its staff.
    public func document(of snapshot: ClassSnapshot) async throws -> ClassDocument {
        ClassDocument(
            snapshot: snapshot, columns: try await grids.columns(of: snapshot),
            roster: try await store.roster(of: snapshot.head.id),
            names: try await records.names(of: snapshot.staff.map(\.account)))
    }

    /// One part of the rows that changed after a version. After the last part, the reader holds every row as of the
    /// version that each part states. The answer also says from which version it starts: from nothing, if the reader
    /// sent a version that never existed.
    ///
    /// - Parameter group: the group of the rows; `nil` for every row.
    public func rows(
        _ id: ClassID, of group: GroupID? = nil, at cursor: RowsCursor, for context: AccountContext
    ) async throws -> (rows: LiveRows, since: Version) {
        let permit = try await permit(.read, id, ClassSight(group), for: context)
        let since = cursor.since > permit.snapshot.version ? 0 : cursor.since
        let cursor = since == cursor.since ? cursor : RowsCursor(since: 0)
        guard let found = try await grids.rows(of: id, group, at: cursor, .answer) else { throw UseCaseError.notFound }
        try await records.readings.note(context, lists: found.shown.map { ($0.record, $0.student) }, of: permit.program)
        return (found.rows, since)
    }

    /// The epoch of the store.
    public var epoch: Epoch { store.epoch }

    /// The revision of the class, for a caller who may read its rows.
    public func revision(
        _ id: ClassID, of group: GroupID? = nil, for context: AccountContext
    ) async throws -> Revision {
        let permit = try await permit(.read, id, ClassSight(group), for: context)
        return Revision(epoch: store.epoch, version: permit.snapshot.version)
    }

    /// One row: for staff complete, for its student as released. `part` and `standing` have the form of a record's.
    public func row(
        _ enrolment: EnrolmentID, of id: ClassID, for context: AccountContext
    ) async throws -> [UInt8] {
        let (snapshot, row, isOwn) = try await readable(enrolment, of: id, for: context)
        guard let head = try await records.store.head(of: row.enrolment.record),
            let program = try await records.institutions.programs.find(snapshot.head.program)
        else { throw UseCaseError.notFound }
        if !isOwn { try await records.readings.note(context.principal, reads: head, from: context.client.source) }
        let rules = try await records.rulesCache.rules(of: program, version: head.programVersion)
        return try await rowDocument(
            of: row, in: snapshot, under: rules, isOwn: isOwn, for: context.account, in: context.language,
            asking: context.request.asker, until: context.request.deadline)
    }

    /// A row that the caller may read, with its class. Students may read their own row while they may read its record;
    /// staff may read every row.
    func readable(
        _ enrolment: EnrolmentID, of id: ClassID, for context: AccountContext
    ) async throws -> (snapshot: ClassSnapshot, row: EnrolledRow, isOwn: Bool) {
        guard let snapshot = try await store.taughtClass(id), let row = try await store.row(enrolment, of: id) else {
            throw UseCaseError.notFound
        }
        let isOwn = row.enrolment.student == context.account && snapshot.head.state != .draft
        if isOwn {
            _ = try await records.permit(.read, row.enrolment.record, for: context)
        } else {
            _ = try await permit(.read, snapshot, .row(row.enrolment), for: context)
        }
        return (snapshot, row, isOwn)
    }

    /// Whether a row is the caller's own, which students see as long as they see its record.
    func isOwn(_ row: EnrolledRow, of snapshot: ClassSnapshot, _ principal: Principal) async throws -> Bool {
        guard let account = principal.account, row.enrolment.student == account, snapshot.head.state != .draft,
            let head = try await records.store.head(of: row.enrolment.record),
            let program = try await records.institutions.programs.find(head.program)
        else { return false }
        let decision = try await records.decision(.read, head, program, for: principal)
        if case .allowed = decision { return true }
        return false
    }

    /// - Parameters:
    ///   - reader: the member of staff who reads it; `nil` for its student.
    ///   - asker: the account in whose turn the row is judged.
    func rowDocument(
        of row: EnrolledRow, in snapshot: ClassSnapshot, under rules: RecordRules, isOwn: Bool,
        for reader: AccountID? = nil, in language: Language, asking asker: Asker, until deadline: Deadline? = nil
    ) async throws -> [UInt8] {
        let comments = try await store.commentCounts(of: row.enrolment.id)
        let codes = isOwn ? try await codes(of: row.enrolment.id, in: snapshot.structure) : [:]
        let judge: @Sendable () throws -> [UInt8] = { [bookCache] in
            let book = try bookCache.book(snapshot.structure, of: snapshot.head.id, under: rules)
            let whole = book.part(of: row)
            let part = isOwn ? whole.released : whole
            let standing = try rules.rules.standing(of: book.counted(part, of: row))
            var writer = JSONWriter(capacity: 8_192)
            writer.object { writer in
                // The numbers also count what is not shown yet, so a student does not get them.
                if !isOwn {
                    writer.member("v", snapshot.version)
                    writer.member("s", snapshot.structure.number)
                    writer.member("row") { row.write(to: &$0, in: snapshot.structure, for: reader) }
                }
                writer.member("part") { writer in
                    writer.object { writer in
                        writer.member("entries") { part.writeEntries(to: &$0) }
                    }
                }
                writer.member("lines") { book.writeLines(of: row.row, comments, codes, asStudent: isOwn, to: &$0) }
                writer.member("standing") { standing.write(to: &$0, of: nil, in: language) }
            }
            return writer.bytes
        }
        guard rules.rules.isImmediate else { return try await rules.rules.perform(judge) }
        let cost = CalculationCost(judging: 1, of: snapshot.structure.lines.count)
        return try await calculations.perform(cost, for: asker, until: deadline, judge)
    }

    /// The ledger below a version, newest first: of the class, or of one row.
    public func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before version: Version?, limit: Int, for context: AccountContext
    ) async throws -> [LedgerLine] {
        var sight = ClassSight.everyRow
        if let enrolment, let row = try await store.row(enrolment, of: id) { sight = .row(row.enrolment) }
        let permit = try await permit(.read, id, sight, for: context)
        try await records.readings.note(
            context.principal, reads: id, in: permit.snapshot.head.institution, from: context.client.source)
        let lines = try await store.ledger(of: id, enrolment, before: version, limit: limit)
        return lines.map { $0.seen(by: context.account, in: permit.snapshot.structure) }
    }

    /// The structure of a class under a number, as at the time of an act in its ledger.
    public func structure(_ number: Int, of id: ClassID, for context: AccountContext) async throws -> ClassStructure {
        _ = try await permit(.read, id, .everyRow, for: context)
        guard let found = try await store.structure(number, of: id) else { throw UseCaseError.notFound }
        return found
    }
}

extension ClassBook {
    /// Writes by line: the field of its results if it is not the first grade of the kind, the due date, the effects of
    /// curve, lateness and absence on a result, and the number of comments. A student gets nothing about a result that
    /// is not shown.
    fileprivate func writeLines(
        of row: ClassRow, _ comments: [Int: CommentCount], _ codes: [Int: String], asStudent isStudent: Bool,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            let drafts = structure.drafts
            for line in structure.lines where !isStudent || !drafts.contains(line.id) {
                let cell = row[line.number]
                let isShown = !isStudent || line.shows(cell)
                let note = isShown ? columns[line.number]?.note(cell, under: structure.policy) : nil
                let counts = comments[line.number] ?? .none
                let count = isStudent ? counts.forStudent : counts.all
                let isCommented = isShown && count > 0
                let column = columns[line.number]
                // Usually it is the first grade of the kind, which readers take without being told.
                let first = column?.kind.fields.first { $0.isGrade }?.name
                let grade = column?.gradeField == first ? nil : column?.gradeField
                let isSetAside = isShown && column?.setsAside(cell, under: rules.rules.statuses) ?? false
                let says = [
                    line.due != nil, note != nil, isCommented, codes[line.number] != nil, grade != nil, isSetAside,
                ]
                guard says.contains(true) else { continue }
                writer.member(line.id.text) { writer in
                    writer.object { writer in
                        if let grade { writer.member("grade", grade) }
                        if isSetAside { writer.member("setAside", true) }
                        if let due = line.due { writer.member("due", due.description) }
                        if let code = codes[line.number] { writer.member("code", code) }
                        // The number of the newest one changes if another replaces it.
                        if isCommented {
                            writer.member("comments", count)
                            writer.member("newest", counts.newest)
                        }
                        guard let note else { return }
                        writer.member("why", note.cause.rawValue)
                        if let late = note.late { writer.member("late", late) }
                        writer.member("counts", note.counts.map { $0.decimalText ?? $0.description })
                    }
                }
            }
        }
    }
}

extension EnrolledRow {
    /// Writes the row for a member of the staff, its cells by line.
    func write(to writer: inout JSONWriter, in structure: ClassStructure, for reader: AccountID?) {
        writer.object { writer in
            writer.member("id", enrolment.id.text)
            writer.member("v", version)
            writer.member("student", enrolment.student?.text)
            writer.member("name", String?.none)
            writer.member("record", enrolment.record.text)
            writer.member("entry", enrolment.entry.text)
            if !enrolment.groups.current.isEmpty {
                writer.member("groups", JSON.array(enrolment.groups.current.map { .string($0.text) }))
            }
            writer.member("withdrawn", enrolment.isWithdrawn)
            if let status = row.status { writer.member("status", status.rawValue) }
            writer.member("cells") { writer in
                writer.object { writer in
                    for (number, cell) in row.cells.sorted(by: { $0.key < $1.key }) {
                        guard let line = structure.line(numbered: number) else { continue }
                        writer.member(line.id.text, cell.json(seenBy: reader, in: line.marking))
                    }
                }
            }
        }
    }
}

extension ClassSelection {
    /// Whether the selection includes a class that the caller teaches.
    fileprivate func includes(_ head: ClassHead) -> Bool {
        switch self {
        case .taught: true
        case .program(let program): head.program == program
        case .institution(let institution): head.institution == institution
        }
    }
}
