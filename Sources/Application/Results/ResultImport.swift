public import GradingKit
public import Records
import Shared

/// An import of results, its progress, and the list of its rows.
public struct ResultImport: Sendable {
    /// Number of rows up to which an import lists every row; a longer import lists only refused ones.
    static let fullyListed = 500
    /// The greatest number of rows listed, and of faults listed for one row.
    static let longestList = (rows: 1_000, faults: 20)
    /// The greatest length of the list, in bytes, because the sender determines how long the rows are.
    static let largestList = 1 << 20

    /// The result of one row.
    struct Item: Sendable {
        let row: Int
        /// The record and student that the row concerns.
        var subject = ResultSubject()
        /// The content of a refused row.
        var content: JSON?
        let outcome: Outcome
    }

    enum Outcome: Sendable {
        case accepted(record: RecordID, version: Version)
        case refused([Fault], MessageCatalog?)
    }

    /// The import with its progress.
    public private(set) var entry: ImportEntry
    /// The listed rows, in the order in which they were processed.
    private(set) var listed: [ImportRow] = []
    private var size = 0
    /// The number of listed rows that are already in the store.
    private var stored = 0

    /// Creates a new import, or one read from the store with its listed rows.
    init(_ entry: ImportEntry, listing rows: [ImportRow] = []) {
        self.entry = entry
        listed = rows
        size = rows.reduce(0) { $0 + $1.text.count }
        stored = rows.count
    }

    /// Counts a row, and lists it if there is room.
    mutating func add(_ item: Item) {
        entry.done += 1
        var isListed = entry.total <= Self.fullyListed
        switch item.outcome {
        case .accepted: entry.accepted += 1
        case .refused:
            entry.refused += 1
            isListed = true
        }
        guard isListed, listed.count < Self.longestList.rows, size < Self.largestList else { return }
        let text = item.text
        size += text.count
        listed.append(
            ImportRow(number: item.row, record: item.subject.record, student: item.subject.student, text: text))
    }

    /// Ends the import.
    mutating func end(_ state: ImportEntry.State, at moment: Timestamp) {
        entry.state = state
        entry.endedAt = moment
    }

    /// Stores the progress and the rows listed since the last call.
    mutating func keep(in store: any ImportStore, under lease: WorkLease) async throws {
        try await store.update(entry, listing: Array(listed.dropFirst(stored)), under: lease)
        stored = listed.count
    }

    /// The listed rows, in order, as stored.
    var items: [JSON] { listed.sorted { $0.number < $1.number }.compactMap { try? JSON.parse($0.text) } }

    /// Writes the import as a JSON object, with faults worded in one language.
    ///
    /// - Parameter people: the students of the listed records.
    public func write(to writer: inout JSONWriter, in language: Language, _ people: RecordOwners) {
        writer.object { writer in
            writer.member("id", entry.id)
            writer.member("program", entry.program.text)
            writer.member("state", entry.state.rawValue)
            writer.member("startedAt", entry.startedAt.description)
            writer.member("done", entry.done)
            writer.member("total", entry.total)
            writer.member("accepted", entry.accepted)
            writer.member("refused", entry.refused)
            writer.member("rows", .array(items.map { Self.worded($0, in: language, people) }))
        }
    }

    /// Returns a row with its student's name, and with each fault's message in one language instead of all.
    private static func worded(_ row: JSON, in language: Language, _ people: RecordOwners) -> JSON {
        guard var object = row.object else { return row }
        if let record = object["record"]?.string {
            let owner = people[RecordID(record)]
            object["student"] = .text(owner?.student.text)
            object["displayName"] = .text(owner?.displayName)
        }
        guard let faults = object["faults"]?.array else { return .object(object) }
        object["faults"] = .array(
            faults.map { fault in
                guard var object = fault.object else { return fault }
                object["message"] = object["message"]?[language.rawValue] ?? .null
                return .object(object)
            })
        return .object(object)
    }
}

extension ResultImport.Item {
    /// The row as it is stored, with its faults worded in every language, because the reader's language is not known
    /// yet.
    fileprivate var text: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("row", row)
            switch outcome {
            case .accepted(let record, let version):
                writer.member("state", "accepted")
                writer.member("record", record.text)
                writer.member("version", version)
            case .refused(let faults, let catalog):
                let words = MessageCatalog.server.adding(catalog ?? MessageCatalog())
                writer.member("state", "refused")
                writer.member("content", content ?? .null)
                writer.member("faults") { writer in
                    writer.array { writer in
                        for fault in faults.prefix(ResultImport.longestList.faults) { fault.write(to: &writer, words) }
                    }
                }
            }
        }
        return writer.bytes
    }
}

extension Fault {
    fileprivate func write(to writer: inout JSONWriter, _ words: MessageCatalog) {
        writer.object { writer in
            writer.member("code", code.text)
            writer.member("path", path)
            writer.member("message") { writer in
                writer.object { writer in
                    for language in Language.allCases {
                        writer.member(language.rawValue, words.message(self, in: language))
                    }
                }
            }
            writer.member("args", .object(arguments))
        }
    }
}
