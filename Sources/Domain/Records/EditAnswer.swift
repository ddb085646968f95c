import GradingKit
import Shared

/// The body of an answer to an edit, rendered once the version is known.
struct EditAnswer: Sendable {
    let form: RecordEdit.Answer
    let tree: RecordTree
    let content: RecordContent
    /// The entries that the edit added, each before what is in it, in the order of the request.
    let added: [EntryID]
    let references: [String: EntryID]
    var kind = StoredAnswer.Kind.changed
    /// The record, if it was created.
    var record: RecordID?

    /// The answer to the edit that made a version.
    ///
    /// - Parameter current: The version of what is shown, for an edit that is repeated after later changes.
    func rendered(version: Version, current: Version? = nil) -> StoredAnswer {
        let body: [UInt8] =
            switch form {
            case .added: self.body(version, current, entry: added.first)
            case .patched(let entry): self.body(version, current, entry: entry)
            case .deleted: self.body(version, current, entry: nil)
            case .listed: self.body(version, current, entry: nil, references: references)
            case .whole: content.document(version: current ?? version)
            case .none: []
            }
        var kind = kind
        if case .added = form { kind = .created }
        return StoredAnswer(kind, body: body, facts: facts.bytes)
    }

    private var facts: EditFacts {
        switch form {
        case .added: .added(added)
        case .listed: .references(references)
        case .whole: record.map { .record($0) } ?? .nothing
        case .patched, .deleted, .none: .nothing
        }
    }

    private func body(
        _ version: Version, _ current: Version?, entry: EntryID?, references: [String: EntryID]? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: content.standing.count + 512)
        writer.object { writer in
            if let entry {
                writer.name("entry")
                tree.write(entry, to: &writer)
            }
            writer.member("version", version)
            if let current {
                writer.member("current", current)
                if case .added = form { writer.member("added", JSON.array(added.map { .string($0.text) })) }
            }
            writer.name("standing")
            writer.raw(content.standing)
            if let references {
                writer.member("entries") { writer in
                    writer.object {
                        for (name, id) in references.sorted(by: { $0.key < $1.key }) { $0.member(name, id.text) }
                    }
                }
            }
        }
        return writer.bytes
    }
}

/// What is kept of the answer to an edit beside the version that it made: identifiers. All else is in the record.
enum EditFacts: Equatable {
    case nothing
    /// The entries that the edit added.
    case added([EntryID])
    /// The entries that the request gave names.
    case references([String: EntryID])
    /// The record that was created.
    case record(RecordID)

    /// The stored form: a letter, and what follows from it.
    var bytes: [UInt8] {
        switch self {
        case .nothing: Array("-".utf8)
        case .added(let entries): Array(("+" + entries.map(\.text).joined(separator: " ")).utf8)
        case .references(let names):
            Array("=".utf8)
                + JSON.array(names.sorted { $0.key < $1.key }.flatMap { [.string($0), .string($1.text)] }).bytes
        case .record(let id): Array(("@" + id.text).utf8)
        }
    }

    /// Reads the stored form; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        let rest = bytes.dropFirst()
        switch first {
        case UInt8(ascii: "-"): self = .nothing
        case UInt8(ascii: "+"):
            self = .added(String(decoding: rest, as: UTF8.self).split(separator: " ").map { EntryID(String($0)) })
        case UInt8(ascii: "="):
            guard let words = try? JSON.parse(Array(rest)).array?.compactMap(\.string) else { return nil }
            var names: [String: EntryID] = [:]
            for place in stride(from: 0, to: words.count - 1, by: 2) { names[words[place]] = EntryID(words[place + 1]) }
            self = .references(names)
        case UInt8(ascii: "@"): self = .record(RecordID(String(decoding: rest, as: UTF8.self)))
        default: return nil
        }
    }
}

extension RecordTree {
    /// The identifiers of an entry and of all in it, each entry before what is in it.
    func entryAndWithin(_ id: EntryID) -> [EntryID] {
        var (found, waiting) = ([EntryID](), entry(id).map { [$0] } ?? [])
        while let next = waiting.popLast() {
            found.append(next.id)
            waiting.append(contentsOf: next.children.reversed())
        }
        return found
    }
}
