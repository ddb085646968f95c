import GradingKit
import Institutions
import Records
import Shared
import Synchronization

/// The caller's own records and their entries as a search sees them: as far as they are released.
///
/// They are read from the records themselves, within bounds; what was read of a version is kept for the next search.
final class OwnDocuments: Sendable {
    /// What a search sees of one record.
    struct Content: Sendable {
        let record: SearchDocument
        let entries: [SearchDocument]
    }

    private struct Kept: Sendable {
        let revision: Revision
        let title: String
        let content: Content
    }

    /// The greatest number of records that are searched, the oldest first.
    static let mostRecords = 64
    /// The greatest number of entries that are searched.
    static let mostEntries = 4_000
    /// The number of bytes of documents after which no further record is read.
    static let mostBytes = 1 << 20
    private static let chunk = 8

    private let records: RecordService
    private let kept = Mutex(BoundedMemory<RecordID, Kept>(capacity: 16 << 20))

    init(_ records: RecordService) { self.records = records }

    /// Returns the content of an account's own records that it may read.
    func contents(of account: AccountID) async throws -> [Content] {
        var (contents, cursor, bytes, count, entries) = ([Content](), RecordID?.none, 0, 0, 0)
        while count < Self.mostRecords, bytes < Self.mostBytes, entries < Self.mostEntries {
            let found = try await records.store.records(
                student: account, program: nil, after: cursor, limit: Self.chunk)
            for snapshot in try await records.readable(found, by: account) {
                guard bytes < Self.mostBytes, entries < Self.mostEntries else { break }
                bytes += snapshot.content(.released).tree.count + snapshot.content(.released).standing.count
                let content = try await content(of: snapshot)
                entries += content.entries.count
                contents.append(content)
            }
            count += found.count
            guard found.count == Self.chunk, let last = found.last else { break }
            cursor = last.head.id
        }
        return contents
    }

    private func content(of snapshot: RecordSnapshot) async throws -> Content {
        let program = try await records.institutions.programs.find(snapshot.head.program)
        let title = program?.title ?? ""
        let revision = snapshot.revision(.released)
        let known = kept.withLock { $0.value(for: snapshot.head.id) }
        if let known, known.revision == revision, known.title == title { return known.content }
        let tree = snapshot.content(.released).tree
        // A long document is read away from the event loops.
        let content = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try Self.content(of: snapshot.head, titled: title, tree)
        }
        kept.withLock {
            $0.keep(
                Kept(revision: revision, title: title, content: content), for: snapshot.head.id, bytes: 2 * tree.count)
        }
        return content
    }

    private static func content(of head: RecordHead, titled title: String, _ tree: [UInt8]) throws -> Content {
        let place: JSONObject = ["institution": .string(head.institution.text), "program": .string(head.program.text)]
        let record = SearchDocument(id: head.id.text, title: title, members: place)
        var (entries, waiting) = ([SearchDocument](), Array((try JSON.parse(tree)["entries"]?.array ?? []).reversed()))
        while let entry = waiting.popLast(), entries.count < mostEntries {
            waiting += (entry["children"]?.array ?? []).reversed()
            let texts = (entry["fields"]?.object ?? [:]).compactMap { $0.value.string }
            guard let id = entry["id"]?.string, let name = texts.first(where: { !$0.isEmpty }) else { continue }
            let members: JSONObject = [
                "record": .string(head.id.text), "entry": .string(id), "recordTitle": .string(title),
            ]
            entries.append(
                SearchDocument(id: "\(head.id)/\(id)", title: name, texts: texts, members: members))
        }
        return Content(record: record, entries: entries)
    }
}
