import GradingKit
import Shared

/// The body of an answer to an edit, rendered once the version is known.
struct EditAnswer: Sendable {
    let form: RecordEdit.Answer
    let tree: RecordTree
    let content: RecordContent
    let added: EntryID?
    let references: [String: EntryID]
    var kind = StoredAnswer.Kind.changed

    func rendered(version: Version) -> StoredAnswer {
        switch form {
        case .added: answer(.created, version, entry: added)
        case .patched(let entry): answer(.changed, version, entry: entry)
        case .deleted: answer(.changed, version, entry: nil)
        case .listed: answer(.changed, version, entry: nil, references: references)
        case .whole: StoredAnswer(kind, body: content.document(version: version))
        case .none: StoredAnswer(kind, body: [])
        }
    }

    private func answer(
        _ kind: StoredAnswer.Kind, _ version: Version, entry: EntryID?, references: [String: EntryID]? = nil
    ) -> StoredAnswer {
        var writer = JSONWriter(capacity: content.standing.count + 512)
        writer.object { writer in
            if let entry {
                writer.name("entry")
                tree.write(entry, to: &writer)
            }
            writer.member("version", version)
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
        return StoredAnswer(kind, body: writer.bytes)
    }
}
