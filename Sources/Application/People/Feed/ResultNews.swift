import Classes
import Gradebook
import GradingKit
import People
import Records
import Shared

/// What classes did to the results of a feed's reader, as far as the reader sees it now. It remembers what it has looked
/// up.
actor ResultNews {
    /// The most results that one line tells.
    static let most = 20

    private struct Key: Hashable {
        let act: ClassAct
        let record: RecordID

        init?(_ event: FeedEvent) {
            guard let act = event.act, let object = event.object else { return nil }
            (self.act, record) = (act, RecordID(object))
        }
    }

    /// What an act did, as the reader sees it.
    private struct Found {
        let detail: ClassActDetail
        let cells: [ResultChanges.Cell]
    }

    private let classes: any GradebookStore
    private let bookCache: ClassBookCache
    private var found: [Key: Found?] = [:]

    init(_ classes: any GradebookStore, bookCache: ClassBookCache) {
        (self.classes, self.bookCache) = (classes, bookCache)
    }

    /// Reads what the acts in some events did, those of each record at once.
    func read(_ events: [FeedEvent]) async throws {
        let keys = Set(events.compactMap { Key($0) }).filter { found[$0] == nil }
        for (record, keys) in Dictionary(grouping: keys, by: \.record) {
            let details = try await classes.details(of: keys.map(\.act), in: record)
            for key in keys {
                let detail = details[key.act]
                found.updateValue(detail.map { Found(detail: $0, cells: $0.news) }, forKey: key)
            }
        }
    }

    /// Returns whether the reader sees anything that the act in an event did.
    func isVisible(_ event: FeedEvent) -> Bool { found(event)?.cells.isEmpty == false }

    /// Returns the account that acted; `nil` for the server itself.
    func author(of event: FeedEvent) -> AccountID? {
        guard let line = found(event)?.detail.line, line.operation != LedgerLine.missed else { return nil }
        return line.account
    }

    /// Returns the results that the acts in some events changed, each with what stood there before the first of them and
    /// after the last. Those that are as they were before are left out.
    ///
    /// - Parameters:
    ///   - events: The latest first.
    ///   - rules: The rules that judge the record.
    func results(of events: [FeedEvent], under rules: RecordRules) -> [ChangedResult] {
        let acts = events.compactMap { found($0) }
        // The classes of the latest acts come first: a line tells only so many results.
        var classes: [ClassID] = []
        for id in acts.map(\.detail.line.classID) where !classes.contains(id) { classes.append(id) }
        var cells: [ClassID: [LineID: ResultChanges.Cell]] = [:]
        var details: [ClassID: ClassActDetail] = [:]
        // Acts of one class are in the order of its ledger, whatever their times.
        for act in acts.sorted(by: { $0.detail.line.number < $1.detail.line.number }) {
            let id = act.detail.line.classID
            details[id] = act.detail
            for cell in act.cells {
                guard let line = cell.line?.id else { continue }
                let before = cells[id]?[line]?.before ?? cell.before
                cells[id, default: [:]][line] = ResultChanges.Cell(line: cell.line, before: before, after: cell.after)
            }
        }
        return classes.flatMap { id -> [ChangedResult] in
            guard let detail = details[id], let changed = cells[id],
                // A structure that the rules refuse has no names for its lines.
                let book = try? bookCache.book(detail.snapshot.structure, of: id, under: rules)
            else { return [] }
            return detail.snapshot.structure.lines.flatMap { line -> [ChangedResult] in
                guard let cell = changed[line.id] else { return [] }
                let (head, entry) = (detail.snapshot.head, detail.row.enrolment.entry)
                if let column = book.columns[line.number], column.gradeField != nil {
                    return ChangedResult.all(cell, in: column, of: head, as: entry)
                }
                guard line.number == ClassStructure.rootNumber else { return [] }
                return ChangedResult(ofTotal: cell, in: book, of: head, as: entry).map { [$0] } ?? []
            }
        }
    }

    private func found(_ event: FeedEvent) -> Found? { Key(event).flatMap { found[$0] ?? nil } }
}
