import Classes
public import Gradebook
public import GradingKit
public import Records
import Shared

/// A history item; if an act of a class made the change, with the results that the act changed.
public struct DetailedHistoryItem: Sendable {
    /// The history item.
    public let item: HistoryItem
    /// The changed results; `nil` for changes that no class made, and for acts without a line in the ledger.
    public let results: ResultChanges?
    private let titles: LineTitles

    init(_ item: HistoryItem, _ results: ResultChanges? = nil, titles: LineTitles) {
        self.item = item
        self.results = results
        self.titles = titles
    }

    /// Writes the item as a JSON object.
    public func write(to writer: inout JSONWriter) {
        let change = item.change
        writer.object { writer in
            writer.member("version", item.version)
            writer.member("at", item.at.description)
            writer.member("by", ["id": .text(item.account?.text), "displayName": .text(item.displayName)])
            writer.member("op", change.operation)
            writer.member("entry", change.entry)
            writer.name("before")
            writer.raw(change.before ?? Array("null".utf8))
            writer.name("after")
            writer.raw(change.after ?? Array("null".utf8))
            writer.name("figures")
            writer.raw(change.figures)
            if let executable = item.executable { writer.member("executable", executable.json) }
            if let act = change.act { writer.member("class", act.classID.text) }
            if let results { write(results, to: &writer) }
            writer.member("reason", change.act == nil ? change.reason : nil)
        }
    }

    private func write(_ results: ResultChanges, to writer: inout JSONWriter) {
        writer.member("cells") { writer in
            writer.array { writer in
                for cell in results.cells {
                    writer.object {
                        $0.member("line", cell.line?.id.text)
                        $0.member("title", cell.line.flatMap { titles.title(of: $0) })
                        $0.member("before", cell.before.json)
                        $0.member("after", cell.after.json)
                    }
                }
            }
        }
        for (name, lines) in [("shown", results.shown), ("hidden", results.hidden)] where !lines.isEmpty {
            writer.member(name) { writer in
                writer.array { writer in
                    for line in lines {
                        writer.object {
                            $0.member("line", line.id.text)
                            $0.member("title", titles.title(of: line))
                        }
                    }
                }
            }
        }
    }
}

/// The titles of lines of classes.
struct LineTitles: Sendable {
    /// The shape of records in the program; `nil` if its rules cannot be had.
    let shape: RecordShape?
    let language: Language

    /// Returns the title of a line; `nil` for one of a kind that the rules do not know.
    func title(of line: ClassLine) -> String? {
        shape?.kind(stored: line.kind).map { line.label(as: $0)(language) }
    }
}

extension GradebookStore {
    /// About how many bytes a changed cell takes in an answer.
    private static var bytesOfCell: Int { 256 }

    /// Adds the results that classes changed to history items, newest first. The page ends early if the changed results use
    /// up a ``PageBudget``.
    func detailed(
        _ items: [HistoryItem], of record: RecordID, view: RecordView, titles: LineTitles
    ) async throws -> [DetailedHistoryItem] {
        let details = try await details(of: items.compactMap(\.change.act), in: record)
        var (page, budget): ([DetailedHistoryItem], _) = ([], PageBudget())
        for item in items where !budget.isSpent {
            let results = item.change.act.flatMap { details[$0] }.map { ResultChanges($0, view: view) }
            // Only what the view shows counts, so that the length of a page tells nothing of hidden results.
            budget.take((results?.cells.count ?? 0) * Self.bytesOfCell)
            page.append(DetailedHistoryItem(item, results, titles: titles))
        }
        return page
    }
}
