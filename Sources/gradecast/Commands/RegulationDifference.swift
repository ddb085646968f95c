import GradingKit
import Regulations

/// How two documents of regulations differ: in lines, by article, and in the results of the first one's examples.
struct RegulationDifference {
    /// The longest part of an article, in lines, that is compared line by line; a longer part is shown as replaced.
    private static let mostLines = 2_000

    private let before: [UInt8]
    private let after: [UInt8]

    init(from before: [UInt8], to after: [UInt8]) {
        (self.before, self.after) = (before, after)
    }

    // MARK: Lines

    /// A line without its end, compared by its bytes: letters composed in different ways are different text.
    private typealias Line = ArraySlice<UInt8>

    /// An article: its heading, and the lines below it.
    private struct Article {
        /// The heading, and the article's number among those with it.
        struct Key: Hashable {
            let heading: Line
            let number: Int
        }

        let key: Key
        var lines: [Line] = []

        static func all(of text: [UInt8]) -> [Article] {
            var articles = [Article(key: Key(heading: [], number: 0))]
            var counts: [Line: Int] = [:]
            var isInBlock = false
            var all = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // The empty text after the last line end is not a line.
            if all.last?.isEmpty == true { all.removeLast() }
            for whole in all {
                let line = whole.last == UInt8(ascii: "\r") ? whole.dropLast() : whole
                if line.starts(with: "```".utf8) { isInBlock.toggle() }
                guard line.first == UInt8(ascii: "#"), !isInBlock else {
                    articles[articles.count - 1].lines.append(line)
                    continue
                }
                let count = counts[line, default: 0]
                counts[line] = count + 1
                articles.append(Article(key: Key(heading: line, number: count)))
            }
            return articles
        }
    }

    /// The lines that only one document has, as `- …` and `+ …` below the heading of their article: first the second
    /// document's articles, in its order, then those that only the first has. The headings of moved articles come last,
    /// as `~ …`.
    func lines() -> [String] {
        let (old, new) = (Article.all(of: before), Article.all(of: after))
        let known = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
        let kept = Set(new.map(\.key))
        var lines: [String] = []
        for article in new {
            guard let earlier = known[article.key] else {
                lines += ([article.key.heading] + article.lines).map { Self.text("+", $0) }
                continue
            }
            let changes = Self.changes(from: earlier.lines, to: article.lines)
            if changes.isEmpty { continue }
            if !article.key.heading.isEmpty { lines.append(Self.text(" ", article.key.heading)) }
            lines += changes
        }
        for article in old where !kept.contains(article.key) {
            lines += ([article.key.heading] + article.lines).map { Self.text("-", $0) }
        }
        return lines
            + Self.moves(from: old.map(\.key).filter(kept.contains), to: new.map(\.key).filter { known[$0] != nil })
    }

    private static func text(_ mark: String, _ line: Line) -> String {
        "\(mark) \(String(decoding: line, as: UTF8.self))"
    }

    private static func moves(from old: [Article.Key], to new: [Article.Key]) -> [String] {
        guard old != new else { return [] }
        guard old.count <= mostLines else { return ["~ articles in another order"] }
        return new.difference(from: old).insertions.compactMap { change in
            guard case .insert(_, let key, _) = change else { return nil }
            return text("~", key.heading)
        }
    }

    private static func changes(from old: [Line], to new: [Line]) -> [String] {
        let shared = zip(old, new).prefix { $0 == $1 }.count
        let (oldRest, newRest) = (old.dropFirst(shared), new.dropFirst(shared))
        let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
        let (gone, come) = (Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)))
        guard gone.count + come.count <= mostLines else {
            return gone.map { text("-", $0) } + come.map { text("+", $0) }
        }
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in come.difference(from: gone) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [String] = []
        var (place, next) = (0, 0)
        while place < gone.count || next < come.count {
            if removed.contains(place) {
                lines.append(text("-", gone[place]))
                place += 1
            } else if added.contains(next) {
                lines.append(text("+", come[next]))
                next += 1
            } else {
                (place, next) = (place + 1, next + 1)
            }
        }
        return lines
    }

    // MARK: Examples

    /// The differences between the two documents' results for the first one's examples, one per line; empty if either
    /// document has faults.
    func examples() throws -> [String] {
        let (old, new) = (Regulation(before), Regulation(after))
        guard let earlier = old.rulebook, let later = new.rulebook else { return [] }
        var lines: [String] = []
        for item in old.outline.array ?? [] where item["sort"] == "example" {
            guard let name = item["name"]?.string, let record = old.record(ofExample: name) else { continue }
            let label = item["label"]?["en"]?.string ?? name
            let other = Self.tree(of: record, under: later)
            guard let tree = Self.tree(of: record, under: earlier) else {
                if other != nil { lines.append("\(label): refused → accepted") }
                continue
            }
            guard let other else {
                lines.append("\(label): accepted → refused")
                continue
            }
            let standing = try StandingComparison(with: earlier.standing(of: tree).json(of: nil, in: .english))
            for change in standing.changes(in: try later.standing(of: other)) where change.aspect != .bar {
                let owner = change.entry.flatMap { other.names(of: $0).last }.map { " of \($0)" } ?? ""
                lines.append("\(label): \(change.name)\(owner) \(change.before ?? "–") → \(change.after ?? "–")")
            }
        }
        return lines
    }

    /// An example as a record; `nil` if the rules refuse it.
    private static func tree(of record: (fields: JSON, entries: JSON), under rules: Rulebook) -> RecordTree? {
        var made = 0
        return try? rules.calculation(fields: record.fields, entries: record.entries) {
            made += 1
            return EntryID("e\(made)")
        }
    }
}
