import Classes
public import Gradebook
public import GradingKit
public import Records
import Shared

/// A version of a record with what the act of a class that made it did to results.
public struct ToldHistoryItem: Sendable {
    /// The version.
    public let item: HistoryItem
    /// What the act did; `nil` for other changes, and for acts that the ledger of the class does not tell.
    public let results: ActResults?
    private let titles: LineTitles

    init(_ item: HistoryItem, _ results: ActResults? = nil, titles: LineTitles) {
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

    private func write(_ results: ActResults, to writer: inout JSONWriter) {
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
    /// Adds what acts of classes did to the versions of a record.
    func telling(
        _ items: [HistoryItem], of record: RecordID, view: RecordView, titles: LineTitles
    ) async throws -> [ToldHistoryItem] {
        let told = try await tale(of: items.compactMap(\.change.act), in: record)
        return items.map { item in
            let act = item.change.act.flatMap { told[$0] }
            return ToldHistoryItem(item, act.map { ActResults($0, view: view) }, titles: titles)
        }
    }
}
