import Classes
import Gradebook
import GradingKit
import Institutions
import Records
import Shared
import Synchronization

/// The caller's own records and their entries, with the lines of classes, as a search sees them: as far as they are
/// released.
///
/// They are read from the records themselves, within bounds; what was read of a version is kept for the next search.
final class OwnDocuments: Sendable {
    /// What a search sees of one record.
    struct Content: Sendable {
        let record: SearchDocument
        let entries: [SearchDocument]
    }

    /// What the content of a record follows from. A row may change while its record stays the same.
    private struct Basis: Equatable {
        let released: Revision
        /// An entry that stands for a row may come before students see it.
        let full: Revision
        let rows: [EnrolmentID: RowMark]

        init(_ snapshot: RecordSnapshot, rows: [EnrolmentID: RowMark]) {
            released = snapshot.revision(.released)
            full = snapshot.revision(.full)
            self.rows = rows
        }
    }

    private struct Kept: Sendable {
        let basis: Basis
        let title: String
        let content: Content
        /// The length of the document that was read.
        let bytes: Int
    }

    /// The greatest number of records that are searched, the oldest first.
    static let mostRecords = 64
    /// The greatest number of entries that are searched.
    static let mostEntries = 4_000
    /// The number of bytes of documents after which no further record is read.
    static let mostBytes = 1 << 20
    private static let chunk = 8

    private let records: RecordService
    private let gradebook: any GradebookStore
    private let bookCache: ClassBookCache
    private let kept = Mutex(BoundedMemory<RecordID, Kept>(capacity: 16 << 20))

    init(_ records: RecordService, gradebook: any GradebookStore, bookCache: ClassBookCache) {
        self.records = records
        self.gradebook = gradebook
        self.bookCache = bookCache
    }

    /// Returns the content of an account's own records that it may read.
    func contents(of account: AccountID) async throws -> [Content] {
        var (contents, cursor, bytes, count, entries) = ([Content](), RecordID?.none, 0, 0, 0)
        while count < Self.mostRecords, bytes < Self.mostBytes, entries < Self.mostEntries {
            let found = try await records.store.records(
                student: account, program: nil, after: cursor, limit: Self.chunk)
            for snapshot in try await records.readable(found, by: account) {
                guard bytes < Self.mostBytes, entries < Self.mostEntries else { break }
                let found = try await kept(of: snapshot)
                bytes += found.bytes + snapshot.content(.released).standing.count
                entries += found.content.entries.count
                contents.append(found.content)
            }
            count += found.count
            guard found.count == Self.chunk, let last = found.last else { break }
            cursor = last.head.id
        }
        return contents
    }

    private func kept(of snapshot: RecordSnapshot) async throws -> Kept {
        let program = try await records.institutions.programs.find(snapshot.head.program)
        let title = program?.title ?? ""
        if let known = kept.withLock({ $0.value(for: snapshot.head.id) }), known.title == title,
            try await known.basis == basis(of: snapshot, known.basis.rows.keys)
        {
            return known
        }
        let linked = snapshot.holdsLinks ? try await gradebook.linked(snapshot.head.id) : nil
        let snapshot = linked?.snapshot ?? snapshot
        let marks = (linked?.rows.values).map { $0.map { ($0.enrolled.enrolment.id, $0.mark) } } ?? []
        let basis = Basis(snapshot, rows: Dictionary(marks) { $1 })
        var rules: RecordRules?
        if let program, !basis.rows.isEmpty {
            rules = try? await records.rulesCache.rules(of: program, version: snapshot.head.programVersion)
        }
        let rows = Set((linked?.rows ?? [:]).keys)
        let read = { @Sendable [bookCache, rules] () throws -> Kept in
            var tree = snapshot.content(.released).tree
            if let linked, let rules { tree = Self.assembled(linked, under: rules, bookCache) ?? tree }
            let content = try Self.content(of: snapshot.head, titled: title, tree, rows: rows)
            return Kept(basis: basis, title: title, content: content, bytes: tree.count)
        }
        // A long document is read away from the event loops.
        let found = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            if let rules { try await rules.rules.perform { try read() } } else { try read() }
        }
        kept.withLock { $0.keep(found, for: snapshot.head.id, bytes: 2 * found.bytes) }
        return found
    }

    private func basis(of snapshot: RecordSnapshot, _ rows: some Collection<EnrolmentID>) async throws -> Basis {
        Basis(snapshot, rows: rows.isEmpty ? [:] : try await gradebook.marks(of: Array(rows)))
    }

    /// Returns the document of a record with the lines of its classes, as its student sees it; `nil` if the record alone
    /// is searched, because the rules do not read it, or it has too many lines.
    private static func assembled(_ linked: LinkedRecord, under rules: RecordRules, _ bookCache: ClassBookCache)
        -> [UInt8]?
    {
        let head = linked.snapshot.head
        let record = try? AssembledRecord(linked, view: .released, under: rules) {
            try? bookCache.book($0.structure, of: $0.head.id, under: rules)
        }
        return record?.tree.stored(as: head.id.text, of: head.program.text).text
    }

    /// - Parameter rows: the entries whose rows have replaced them.
    private static func content(
        of head: RecordHead, titled title: String, _ tree: [UInt8], rows: Set<EntryID>
    ) throws -> Content {
        let place: JSONObject = ["institution": .string(head.institution.text), "program": .string(head.program.text)]
        let record = SearchDocument(id: head.id.text, title: title, members: place)
        let roots = try JSON.parse(tree)["entries"]?.array ?? []
        var (entries, waiting) = ([SearchDocument](), roots.reversed().map { (entry: $0, root: JSON?.none) })
        while let (entry, root) = waiting.popLast(), entries.count < mostEntries {
            waiting += (entry["children"]?.array ?? []).reversed().map { ($0, root ?? entry) }
            let texts = texts(of: entry)
            guard let id = entry["id"]?.string, let name = texts.first(where: { !$0.isEmpty }) else { continue }
            var members: JSONObject = [
                "record": .string(head.id.text), "entry": .string(id), "recordTitle": .string(title),
            ]
            members["within"] = root.flatMap { Self.texts(of: $0).first { !$0.isEmpty } }.map { .string($0) }
            // The page of a class is that of the entry that stands for it.
            let top = root ?? entry
            if let own = top["id"]?.string, top["class"]?.string != nil || rows.contains(EntryID(own)) {
                members["classEntry"] = .string(own)
            }
            entries.append(
                SearchDocument(id: "\(head.id)/\(id)", title: name, texts: texts, members: members))
        }
        return Content(record: record, entries: entries)
    }

    private static func texts(of entry: JSON) -> [String] {
        (entry["fields"]?.object ?? [:]).compactMap { $0.value.string }
    }
}
