import Classes
public import GradingKit
public import Records
public import Shared

/// Decides the acts of a class: their effect on rows, and on the records that follow them.
///
/// Pure except for what it caches: a store calls it again inside its transaction.
public struct Gradebook: Sendable {
    /// The rules, by version of the program.
    private let rules: [Version: RecordRules]
    /// Versions that cannot judge records, such as those of a scheme that is not installed any more.
    private let unusable: Set<Version>
    private let bookCache: ClassBookCache?
    private let makers: Set<AccountID>
    let judgements: JudgementCache

    /// A gradebook with the rules of these versions.
    ///
    /// - Parameters:
    ///   - unusable: versions without available rules; rows that they judge are refused individually.
    ///   - bookCache: caches books of stored structures.
    ///   - makers: the people who may be acting through a service account; empty if a person acts.
    ///   - judgements: caches how rows were judged, for one act that is decided several times.
    public init(
        rules: [RecordRules], unusable: Set<Version> = [], bookCache: ClassBookCache? = nil,
        makers: Set<AccountID> = [],
        judgements: JudgementCache = JudgementCache()
    ) {
        self.rules = Dictionary(rules.map { ($0.programVersion, $0) }, uniquingKeysWith: { first, _ in first })
        self.unusable = unusable
        self.bookCache = bookCache
        self.makers = makers
        self.judgements = judgements
    }

    /// Whether a row belongs to the acting account, or to one of the people behind a service account.
    func isOwn(_ enrolment: Enrolment, of account: AccountID?) -> Bool {
        guard let student = enrolment.student else { return false }
        return student == account || makers.contains(student)
    }

    /// The wording of possible refusals, in the words of the newest rules.
    public var catalog: MessageCatalog {
        let own = MessageCatalog.classes
        return rules.keys.max().flatMap { rules[$0] }.map { $0.rules.catalog.adding(own) } ?? own
    }

    /// The rules of a version.
    ///
    /// - Throws: `StoreError.moved` for a version that has been published meanwhile; `RowUnusable`.
    func rules(_ version: Version) throws -> RecordRules {
        if let known = rules[version] { return known }
        guard unusable.contains(version) else { throw StoreError.moved }
        throw RowUnusable(fault: Fault(.rulesUnusable, ["version": .number(String(version))]))
    }

    /// The rules of the newest known version.
    func newestRules() throws -> RecordRules { try rules(rules.keys.max() ?? 0) }

    fileprivate func book(_ structure: ClassStructure, _ version: Version, of stored: ClassID?) throws -> ClassBook {
        let rules = try rules(version)
        let newest = try newestRules()
        guard let stored, let bookCache else {
            return try ClassBook(structure, under: rules, renamedBy: newest.rules)
        }
        return try bookCache.book(structure, of: stored, under: rules, renamedBy: newest)
    }
}

/// The books of one structure, one for each version of the program that its rows use.
struct ClassBooks {
    private let gradebook: Gradebook
    let structure: ClassStructure
    private let stored: ClassID?
    private var known: [Version: Result<ClassBook, RowUnusable>] = [:]

    /// - Parameter stored: the class with this stored structure; `nil` for a proposed structure.
    init(_ gradebook: Gradebook, _ structure: ClassStructure, of stored: ClassID? = nil) {
        self.gradebook = gradebook
        self.structure = structure
        self.stored = stored
    }

    /// The book that judges records of a version.
    ///
    /// - Throws: `StoreError.moved`, or `RowUnusable` if the version's rules refuse the structure.
    mutating func book(_ version: Version) throws -> ClassBook {
        if let book = known[version] { return try book.get() }
        do {
            let book = try gradebook.book(structure, version, of: stored)
            known[version] = .success(book)
            return book
        } catch let faults as FaultList {
            let refusal = RowUnusable(
                fault: Fault(.rulesUnusable, ["code": .string(faults.faults.first?.code.text ?? "")]))
            known[version] = .failure(refusal)
            throw refusal
        } catch let refusal as RowUnusable {
            known[version] = .failure(refusal)
            throw refusal
        }
    }
}

/// A row that cannot be judged: its record cannot be read, or its version of the program does not allow the structure.
/// It does not affect other rows.
struct RowUnusable: Error {
    let fault: Fault
}

/// A fault of a row under the rules: in a line, or in the record that follows the row.
struct RowFault: Sendable {
    let code: FaultCode
    let entry: EntryID?
    let field: String?
    let arguments: JSONObject

    init(_ fault: EntryFault) {
        (code, entry, field, arguments) = (fault.code, fault.entry, fault.field, fault.arguments)
    }

    init(_ fault: Fault) { (code, entry, field, arguments) = (fault.code, nil, nil, fault.arguments) }
}

/// Rows that the rules refuse.
struct RowsRefused: Error {
    var rows: [(enrolment: EnrolmentID, faults: [RowFault])] = []
}

extension Gradebook {
    /// Judges rows, and updates their entries and records.
    ///
    /// - Returns: the rows that cannot be judged, each with the reason; their records stay unchanged.
    /// - Throws: `RowsRefused` with the faults of every row that the rules refuse.
    func follow(
        _ rows: [EnrolledRow], _ books: inout ClassBooks, _ ground: ActGround, in plan: inout ActPlan
    ) throws -> [EnrolmentID: Fault] {
        var (refused, unusable) = (RowsRefused(), [EnrolmentID: Fault]())
        for enrolled in rows {
            let (id, record) = (enrolled.enrolment.id, enrolled.enrolment.record)
            switch try judgement(of: enrolled, ground.records[record], &books, ground) {
            case .unchanged: continue
            case .unusable(let fault): unusable[id] = fault
            case .refused(let faults): refused.rows.append((id, faults))
            case .amended(let amendment): plan.amendments.append((record, amendment))
            }
        }
        if !refused.rows.isEmpty { throw refused }
        return unusable
    }

    private func judgement(
        of enrolled: EnrolledRow, _ snapshot: RecordSnapshot?, _ books: inout ClassBooks, _ ground: ActGround
    ) throws -> RowJudgement {
        guard let snapshot else { return .unusable(Fault(.recordUnreadable)) }
        let place = JudgementCache.Place(
            row: enrolled, record: snapshot.head.id, version: snapshot.fullVersion, structure: books.structure.number)
        if let known = judgements[place] { return known }
        let judgement = try judged(enrolled, snapshot, &books, ground)
        judgements[place] = judgement
        return judgement
    }

    private func judged(
        _ enrolled: EnrolledRow, _ snapshot: RecordSnapshot, _ books: inout ClassBooks, _ ground: ActGround
    ) throws -> RowJudgement {
        do {
            let judged = try books.book(snapshot.head.programVersion).judged(enrolled)
            guard judged.faults.isEmpty else { return .refused(judged.faults.map { RowFault($0) }) }
            return try amendment(of: snapshot, judged, enrolled, ground).map { .amended($0) } ?? .unchanged
        } catch let unusable as RowUnusable {
            return .unusable(unusable.fault)
        } catch is RecordUnreadable {
            return .unusable(Fault(.recordUnreadable))
        } catch let faults as FaultList {
            return .refused(faults.faults.map { RowFault($0) })
        }
    }

    /// The change of a judged row's record; `nil` if the entry that stands for the row stays unchanged.
    private func amendment(
        of snapshot: RecordSnapshot, _ judged: JudgedRow, _ enrolled: EnrolledRow, _ ground: ActGround
    ) throws -> Amendment? {
        let rules = try rules(snapshot.head.programVersion)
        let entry = enrolled.enrolment.entry
        let tree = try rules.visibleTree(of: snapshot, view: .full)
        let link = judged.part.linking(entry, to: judged.given)
        if let now = tree.entry(entry), now == link.entry(entry) { return nil }
        return try rules.amendment(
            of: snapshot, byClass: [.put(entry, of: judged.part, as: judged.given, parent: nil)],
            reason: ground.snapshot.head.id.text)
    }
}
