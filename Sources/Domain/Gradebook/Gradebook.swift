import Classes
public import GradingKit
public import Records
import Shared

/// Decides the acts of a class: what becomes of rows, and of the records that follow them.
///
/// Pure: a store calls it inside its transaction.
public struct Gradebook: Sendable {
    /// The rules by the versions of the program.
    private let rules: [Version: RecordRules]

    /// A gradebook that knows the rules of these versions.
    public init(rules: [RecordRules]) {
        self.rules = Dictionary(rules.map { ($0.programVersion, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The wording of what may be refused, in the words of the newest rules.
    public var catalog: MessageCatalog {
        let own = MessageCatalog.classes
        return rules.keys.max().flatMap { rules[$0] }.map { $0.rules.catalog.adding(own) } ?? own
    }

    /// The rules of a version. One that is not known yet has been published meanwhile: the caller tries again.
    func rules(_ version: Version) throws(StoreError) -> RecordRules {
        guard let known = rules[version] else { throw .moved }
        return known
    }

    /// The rules of the newest version that is known.
    func newestRules() throws(StoreError) -> RecordRules {
        guard let newest = rules.keys.max() else { throw .moved }
        return try rules(newest)
    }
}

/// The books of one structure, one for each version of the program that its rows use.
struct ClassBooks {
    private let gradebook: Gradebook
    let structure: ClassStructure
    private var known: [Version: ClassBook] = [:]
    private var authors = 0
    private static let greatestAuthors = 50

    init(_ gradebook: Gradebook, _ structure: ClassStructure) {
        self.gradebook = gradebook
        self.structure = structure
    }

    /// Who put a cell there, for the first conflicts of an act: each look walks the row's ledger on the writer's thread.
    mutating func author(of enrolment: EnrolmentID, _ line: Int, in truth: any ClassTruth) throws -> CellAuthor? {
        guard authors < Self.greatestAuthors else { return nil }
        authors += 1
        return try truth.author(of: enrolment, line)
    }

    mutating func book(_ version: Version) throws -> ClassBook {
        if let book = known[version] { return book }
        let book = try ClassBook(structure, under: try gradebook.rules(version))
        known[version] = book
        return book
    }
}

extension Gradebook {
    /// Judges rows and lets their entries and records follow.
    ///
    /// - Parameter old: the rows before the act.
    /// - Throws: `RowsRefused` with the faults of every row that its rules refuse.
    func follow(
        _ rows: [EnrolledRow], _ books: inout ClassBooks, _ truth: any ClassTruth, in plan: inout ActPlan
    ) throws {
        var refused = RowsRefused()
        for enrolled in rows {
            guard let snapshot = try truth.record(enrolled.enrolment.record) else { continue }
            let judged = try books.book(snapshot.head.programVersion).judged(enrolled)
            guard judged.faults.isEmpty else {
                refused.rows.append((enrolled.enrolment.id, judged.faults))
                continue
            }
            guard refused.rows.isEmpty, let amendment = try amendment(of: snapshot, judged, enrolled, plan, truth)
            else { continue }
            plan.amendments.append((snapshot.head.id, amendment))
        }
        if !refused.rows.isEmpty { throw refused }
    }

    /// What a judged row makes of its record; `nil` where the entry that stands for it stays as it is.
    private func amendment(
        of snapshot: RecordSnapshot, _ judged: JudgedRow, _ enrolled: EnrolledRow, _ plan: ActPlan,
        _ truth: any ClassTruth
    ) throws -> Amendment? {
        let rules = try rules(snapshot.head.programVersion)
        let entry = enrolled.enrolment.entry
        let tree = try rules.visibleTree(of: snapshot, view: .full)
        let link = judged.part.linking(entry, to: judged.given)
        if let now = tree.entry(entry), now == link.entry(entry) { return nil }
        return try rules.amendment(
            of: snapshot, byClass: [.put(entry, of: judged.part, as: judged.given, parent: nil)],
            reason: truth.snapshot.head.id.text)
    }
}

/// Rows that their rules refuse.
struct RowsRefused: Error {
    var rows: [(enrolment: EnrolmentID, faults: [EntryFault])] = []
}
