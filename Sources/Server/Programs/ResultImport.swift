import GradingKit
import Records
import Storage

/// An import of results, as far as it is.
struct ResultImport: Sendable {
    /// Imports of at most so many rows list every row; longer ones what was refused.
    static let fullyListed = 500
    /// The most rows that are listed.
    static let longestList = 1_000

    enum State: String, Sendable {
        case running
        case done
        /// It was stopped on the way; `done` rows were dealt with.
        case failed
    }

    /// What became of one row.
    struct Item: Sendable {
        let row: Int
        let outcome: Outcome
    }

    enum Outcome: Sendable {
        case accepted(record: RecordID, version: Version)
        case refused([Fault], MessageCatalog?)
    }

    let id: String
    let program: ProgramID
    let startedAt: Instant
    let total: Int
    var state = State.running
    private(set) var done = 0
    private(set) var accepted = 0
    private(set) var refused = 0
    private var items: [Item] = []

    init(id: String, program: ProgramID, startedAt: Instant, total: Int) {
        self.id = id
        self.program = program
        self.startedAt = startedAt
        self.total = total
    }

    /// Counts a row.
    mutating func add(_ item: Item) {
        done += 1
        var isListed = total <= Self.fullyListed
        switch item.outcome {
        case .accepted: accepted += 1
        case .refused:
            refused += 1
            isListed = true
        }
        if isListed, items.count < Self.longestList { items.append(item) }
    }

    /// Writes the import.
    func write(to writer: inout JSONWriter, in language: Language) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("program", program.text)
            writer.member("state", state.rawValue)
            writer.member("startedAt", startedAt.description)
            writer.member("done", done)
            writer.member("total", total)
            writer.member("accepted", accepted)
            writer.member("refused", refused)
            writer.member("rows") { writer in
                writer.array { for item in items.sorted(by: { $0.row < $1.row }) { item.write(to: &$0, in: language) } }
            }
        }
    }
}

extension ResultImport.Item {
    fileprivate func write(to writer: inout JSONWriter, in language: Language) {
        writer.object { writer in
            writer.member("row", row)
            switch outcome {
            case .accepted(let record, let version):
                writer.member("state", "accepted")
                writer.member("record", record.text)
                writer.member("version", version)
            case .refused(let faults, let catalog):
                writer.member("state", "refused")
                writer.member("faults") { writer in
                    writer.array { for fault in faults { fault.write(to: &$0, in: language, catalog) } }
                }
            }
        }
    }
}
