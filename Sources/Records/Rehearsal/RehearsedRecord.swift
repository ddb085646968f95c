public import GradingKit
public import Storage

/// What a rehearsal found in one record.
public struct RehearsedRecord: Sendable {
    /// The record.
    public let record: RecordID
    /// The full view's version that was compared.
    public let version: Version
    /// The program's version by which it is judged.
    public let programVersion: Version
    /// What is seen otherwise, in tree order.
    public let changes: [VerdictChange]
    /// Why the draft cannot judge it; `nil` when it can.
    public let refusal: String?

    /// What was found.
    public init(_ head: StoredTree, changes: [VerdictChange], refusal: String? = nil) {
        record = head.record
        version = head.version
        programVersion = head.programVersion
        self.changes = changes
        self.refusal = refusal
    }

    /// Whether anything is to be told.
    public var isNoteworthy: Bool { !changes.isEmpty || refusal != nil }
}

extension RehearsalCounts {
    /// Counts a record in.
    public mutating func add(_ record: RehearsedRecord) {
        if record.isNoteworthy { records += 1 }
        if record.refusal != nil { refused += 1 }
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
    /// The rows as one JSON array.
    public var rowsText: [UInt8] {
        var writer = JSONWriter(capacity: 160 * (changes.count + 1))
        writer.array { for row in rows { $0.raw(row) } }
        return writer.bytes
    }

    /// What is to be told as JSON rows without record and account:
    /// `[{"kind","entry","figure","before","after","exactBefore"?,"exactAfter"?}]`.
    public var rows: [[UInt8]] {
        if let refusal { return [Self.row(kind: "refused", entry: nil, figure: nil, before: nil, after: refusal)] }
        return changes.map { change in
            Self.row(
                kind: change.aspect.rawValue, entry: change.entry?.text, figure: change.name, before: change.before,
                after: change.after, exact: change.aspect == .figure ? (change.exactBefore, change.exactAfter) : nil)
        }
    }

    private static func row(
        kind: String, entry: String?, figure: String?, before: String?, after: String?,
        exact: (before: Exact?, after: Exact?)? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 160)
        writer.object {
            $0.member("kind", kind)
            $0.member("entry", entry)
            $0.member("figure", figure)
            $0.member("before", before)
            $0.member("after", after)
            if let exact {
                $0.member("exactBefore", exact.before?.description)
                $0.member("exactAfter", exact.after?.description)
            }
        }
        return writer.bytes
    }
}
