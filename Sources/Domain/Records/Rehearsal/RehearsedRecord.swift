public import GradingKit
public import Shared

/// A stored value, or an entry with all that stands in it, for which the draft has no place.
public struct LostValue: Sendable {
    /// What would be lost.
    public let loss: RecordLoss
    /// The names of its entry and of those around it, outermost first.
    public let path: [String]

    /// Creates a loss with the names of its place.
    public init(_ loss: RecordLoss, path: [String]) {
        self.loss = loss
        self.path = path
    }
}

/// What a rehearsal found in one record.
public struct RehearsedRecord: Sendable {
    /// The record.
    public let record: RecordID
    /// The version of the full view that was compared.
    public let version: Version
    /// The version of the program that judges the record.
    public let programVersion: Version
    /// The differences: those in the record itself in tree order, then those in the rows of its classes.
    public let changes: [VerdictChange]
    /// For each change, the names of its entry and of those around it, outermost first.
    public let names: [[String]]
    /// What the draft has no place for, in tree order.
    public let lost: [LostValue]
    /// The entries of closed classes, with the lines in them that differ.
    private let closed: Set<EntryID>
    /// The code that says why the draft cannot judge the record; `nil` if it can.
    public let refusal: String?

    /// Creates a result; `names` must have as many items as `changes`.
    public init(
        _ head: StoredTree, changes: [VerdictChange], names: [[String]], lost: [LostValue] = [],
        closed: Set<EntryID> = [], refusal: String? = nil
    ) {
        record = head.record
        version = head.version
        programVersion = head.programVersion
        self.changes = changes
        self.names = names
        self.lost = lost
        self.closed = closed
        self.refusal = refusal
    }

    /// The record as it was compared.
    public var compared: ComparedRecord {
        ComparedRecord(record: record, version: version, programVersion: programVersion)
    }

    /// Whether something of a closed class would change.
    public var changesClosed: Bool { changes.contains { isClosed($0) } }

    private func isClosed(_ change: VerdictChange) -> Bool { change.entry.map(closed.contains) ?? false }

    /// Whether there is anything to report.
    public var isNoteworthy: Bool { !changes.isEmpty || !lost.isEmpty || refusal != nil }
}

extension RehearsalCounts {
    /// Adds a record to the counts.
    public mutating func add(_ record: RehearsedRecord) {
        if record.isNoteworthy { records += 1 }
        if record.refusal != nil { refused += 1 }
        if record.changesClosed { closed += 1 }
        lost += record.lost.count
        for change in record.changes {
            switch change.aspect {
            case .figure: figures += 1
            case .letter: letters += 1
            case .outcome: outcomes += 1
            case .bar: bars += 1
            }
        }
    }
}

extension RehearsedRecord {
    /// The findings in the form of ``RehearsalFinding/rows``.
    public var rows: [UInt8] {
        var writer = JSONWriter(capacity: 80 * (changes.count + 1))
        writer.array { writer in
            if let refusal { Self.write("refused", nil, nil, nil, refusal, to: &writer) }
            for value in lost {
                let loss = value.loss
                Self.write(
                    "lost", loss.entry.map { [$0.text] + value.path }, loss.field, loss.value, nil, to: &writer)
            }
            for (change, names) in zip(changes, names) {
                Self.write(
                    change.aspect.rawValue, change.entry.map { [$0.text] + names }, change.name,
                    change.before, change.after,
                    exact: change.aspect == .figure ? [change.exactBefore, change.exactAfter] : [],
                    closed: isClosed(change), to: &writer)
            }
        }
        return writer.bytes
    }

    /// The findings as readers get them.
    public var finding: RehearsalFinding { RehearsalFinding(record: record, rows: rows) }

    private static func write(
        _ kind: String, _ place: [String]?, _ figure: String?, _ before: String?, _ after: String?,
        exact: [Exact?] = [], closed: Bool = false, to writer: inout JSONWriter
    ) {
        writer.array { writer in
            writer.string(kind)
            if let place { writer.array { for text in place { $0.string(text) } } } else { writer.null() }
            for text in [figure, before, after] + exact.map({ $0?.description }) {
                if let text { writer.string(text) } else { writer.null() }
            }
            if closed { writer.bool(true) }
        }
    }
}
