public import Classes
public import GradingKit
public import Records
import Shared

/// A record with the class rows for which its entries stand, read at one moment.
public struct LinkedRecord: Sendable {
    /// The record.
    public let snapshot: RecordSnapshot
    /// The rows, by the entries that stand for them. Rows of students who have left are absent: their entries keep
    /// their given figures.
    public let rows: [EntryID: MarkedRow]

    /// A record with some rows.
    public init(_ snapshot: RecordSnapshot, rows: [EntryID: MarkedRow] = [:]) {
        self.snapshot = snapshot
        self.rows = rows
    }
}

/// A record in which the lines of its classes replace the entries that stand for them, as one view shows it.
/// Explanations, what-ifs and goals use this form.
///
/// Outside these entries it has the same figures as the record. While the rules do not take a row yet, it counts as its
/// entry does: its lines are there, but it has only the figures that people gave.
public struct AssembledRecord: Sendable {
    /// The most entries of a record with its rows.
    public static let greatestSize = 2_000

    /// An entry that its row has replaced.
    private struct Mounted: Sendable {
        let entry: EntryID
        let link: ClassLink
        /// The given figures while the rules do not take the row.
        let untaken: Given
    }

    private let snapshot: RecordSnapshot
    private let view: RecordView
    private let rules: RecordRules
    private let mounted: [Mounted]
    /// The record with the lines of its classes.
    public let tree: RecordTree

    /// Assembles a record.
    ///
    /// The class of a row decides what a student may see of it: nothing while it is a draft.
    ///
    /// - Parameter books: the book of a row's class under `rules`; `nil` if they refuse the structure.
    /// - Throws: `entry_limit` above ``greatestSize``, `RecordUnreadable`, or `StoreError.moved` if another version
    ///   judges the record.
    public init(
        _ linked: LinkedRecord, view: RecordView, under rules: RecordRules, books: (ClassSnapshot) -> ClassBook?
    ) throws {
        let seen = try rules.visibleTree(of: linked.snapshot, view: view)
        var (parts, mounted, count) = ([EntryID: RecordTree](), [Mounted](), seen.count)
        for (entry, link) in seen.links {
            guard let row = linked.rows[entry], row.enrolled.enrolment.id.text == link.enrolment,
                view == .full || row.snapshot.head.state != .draft, let book = books(row.snapshot)
            else { continue }
            let whole = book.part(of: row.enrolled)
            let part = view == .full ? whole : whole.released
            guard part.entry(entry) != nil else { continue }
            count += part.count
            parts[entry] = part
            mounted.append(Mounted(entry: entry, link: link, untaken: book.untaken(row.enrolled)))
        }
        guard count <= Self.greatestSize else {
            throw FaultList([Fault(.entryLimit, ["limit": .number(String(Self.greatestSize))])])
        }
        (snapshot, self.view, self.rules, self.mounted) = (linked.snapshot, view, rules, mounted)
        tree = parts.isEmpty ? seen : seen.assembled(links: parts)
    }

    /// Returns the record and its standing, with the state of its classes:
    /// `{"record","standing","classes":[{"entry","class","enrolment","complete","given"?}]}`. While the rules do not
    /// take the row, `given` has the figures that count.
    public func document() throws -> [UInt8] {
        let judged = try judged(tree)
        var writer = JSONWriter()
        try writer.object { writer in
            writer.name("record")
            writer.raw(tree.stored(as: snapshot.head.id.text, of: snapshot.head.program.text).text)
            writer.name("standing")
            writer.raw(try rules.standing(of: judged, head: snapshot.head))
            writer.member("classes") { writer in
                writer.array { writer in
                    for place in mounted {
                        let isTaken = judged.entry(place.entry)?.link == nil
                        writer.object {
                            $0.member("entry", place.entry.text)
                            $0.member("class", place.link.classID)
                            $0.member("enrolment", place.link.enrolment)
                            $0.member("complete", isTaken)
                            if !isTaken { $0.member("given", place.untaken.full.json) }
                        }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Returns the standing with explanations of figures.
    public func explanation(_ selection: TraceSelection) throws -> [UInt8] {
        try rules.standing(of: try judged(tree), head: snapshot.head, explaining: selection)
    }

    /// Returns the standing after some changes; stores nothing.
    ///
    /// - Throws: `FaultList`, `EntryNotFound`.
    public func preview(_ changes: [RecordChange], explaining selection: TraceSelection = .none) throws -> [UInt8] {
        let changed = try rules.preview(of: tree, by: changes, view: view)
        return try rules.standing(of: try judged(changed), head: snapshot.head, explaining: selection)
    }

    /// Computes which open grades the record needs to reach a goal; stores nothing.
    ///
    /// - Throws: `FaultList`, `EntryNotFound`.
    public func answer(to goal: Goal) throws -> [UInt8] {
        try rules.rules.answer(to: goal, in: try judged(tree)).json(in: rules.language)
    }

    /// Lets entries stand for rows that the rules do not take.
    private func judged(_ tree: RecordTree) throws -> RecordTree {
        var judged = tree
        for place in mounted {
            guard let part = tree.part(of: place.entry), try !rules.rules.faults(of: part).isEmpty else { continue }
            judged = judged.linking(place.entry, to: place.untaken)
        }
        return judged
    }
}
