/// One kind of entry: its fields, the number allowed in one place, and the kinds inside it.
public struct KindShape: Sendable {
    /// The kind.
    public let kind: Kind
    /// The label for people.
    public let label: LocalizedText
    /// The kind of its parents; `nil` for the record itself.
    public internal(set) var parent: Kind?
    /// The names under which earlier versions of the shape stored entries of this kind.
    public private(set) var formerNames: [String] = []
    /// How many levels deep entries of this kind may be nested; 1 for a kind that is not nested.
    public private(set) var nested = 1
    /// What entries of this kind are frozen copies of: `record` for an earlier record of the same student, or the kind of
    /// the copied entries in it; `nil` for an ordinary kind.
    public private(set) var copies: String?
    /// The number allowed in one parent.
    public let count: ClosedRange<Int>
    /// The fault code for too many.
    public let excessFault: FaultCode
    /// The fields, in the order in which forms show them.
    public let fields: [FieldShape]
    /// The statuses that people may give an entry of this kind.
    public let statuses: [Status]
    /// The labels of the scheme's own statuses.
    public let statusLabels: [Status: LocalizedText]
    let children: [KindShape]
    /// The checks of the values, by index of the field.
    let checks: [FieldCheck]
    /// The name keys, by index of the field.
    let keys: [NameKey]

    /// Creates a kind of entry.
    ///
    /// - Parameters:
    ///   - count: the number allowed in one parent; an upper bound matters only below a record's 1,000 entries.
    ///   - excess: the fault code for too many.
    ///   - statuses: the statuses that people may give.
    ///   - statusLabels: the labels of the scheme's own statuses.
    public init(
        _ kind: Kind, _ label: LocalizedText, count: ClosedRange<Int> = 0...RecordShape.greatestEntryCount,
        excess: FaultCode = .entryLimit, statuses: [Status] = [],
        statusLabels: [Status: LocalizedText] = [:], fields: [FieldShape], children: [KindShape] = []
    ) {
        self.kind = kind
        self.label = label
        self.count = count
        excessFault = excess
        self.statuses = statuses
        self.statusLabels = statusLabels
        self.fields = fields
        checks = fields.map { FieldCheck($0, among: fields) }
        keys = fields.map(\.key)
        self.children = children
    }

    /// Also reads entries stored under former names of the kind, so that a rename loses nothing.
    public func formerly(_ names: String...) -> KindShape { formerly(names) }
    /// Also reads entries stored under former names of the kind.
    public func formerly(_ names: [String]) -> KindShape {
        var copy = self
        copy.formerNames += names
        return copy
    }

    /// The greatest nesting depth of a kind.
    public static let mostNested = 8

    /// Allows entries of the kind to be nested in each other, up to this many levels in all.
    public func nested(_ levels: Int) -> KindShape {
        var copy = self
        copy.nested = min(max(levels, 1), Self.mostNested)
        return copy
    }

    /// Declares the kind a copy of an earlier record of the same student: of the record itself or, for a kind inside
    /// it, of the entries of a kind there. The figures and outcomes that the scheme registers for it are copied; their
    /// own formulas apply if the earlier record has none.
    public func copying(_ source: Kind = .record) -> KindShape {
        var copy = self
        copy.copies = source.name
        return copy
    }

    /// Reads a value of one of the fields from a request; `nil` for a field that the kind does not have. Ranges are
    /// checked later, on the whole record.
    public func value(_ json: JSON, of field: String) -> Result<FieldValue, Fault>? {
        slot(of: NameKey(field)).map { checks[$0].decode(json) }
    }

    func slot(of key: NameKey) -> Int? { keys.firstIndex(of: key) }

    /// The index of the field with a former name.
    func slot(formerly name: String) -> Int? { fields.firstIndex { $0.formerNames.contains(name) } }

    /// Writes the statuses that people may give, and as `statusLabels` the labels of the scheme's own statuses.
    public func write(statusesTo writer: inout JSONWriter) {
        write(statuses: statuses.map(\.rawValue), to: &writer)
    }

    /// Writes the statuses of something that accepts more than people may give an entry, with the same labels.
    public func write(statuses names: [String], to writer: inout JSONWriter) {
        writer.member("statuses", .array(names.map { .string($0) }))
        let labels = statuses.compactMap { status in statusLabels[status].map { (status.rawValue, $0.json) } }
        if !labels.isEmpty {
            writer.member("statusLabels", .object(labels.reduce(into: JSONObject()) { $0[$1.0] = $1.1 }))
        }
    }
}

/// The shape of a scheme's records: the source of the checks, the client's forms, the JSON Schema and the import
/// mapping.
public struct RecordShape: Sendable {
    /// The greatest number of entries in a record.
    public static let greatestEntryCount = 1_000

    /// All kinds: the record itself first, parents before children.
    public let kinds: [KindShape]
    /// By number of a kind, the numbers of its child kinds.
    let childKinds: [[Int]]
    /// By number of a kind, the form in which its entries are stored.
    let stored: [StoredKind]
    /// Whether records hold copies of earlier ones.
    let hasCopies: Bool
    /// By number of a kind, its name key.
    private let keys: [NameKey]

    /// Creates a shape from record-level fields and the outermost kinds.
    public init(fields: [FieldShape] = [], kinds outermost: [KindShape]) {
        let record = KindShape(
            .record, LocalizedText("Record", fr: "Relevé", zh: "成绩单"), fields: fields, children: outermost)
        var flat: [KindShape] = []
        Self.flatten(record, into: nil, &flat)
        kinds = flat
        childKinds = flat.map { kind in flat.indices.filter { flat[$0].stands(in: kind) } }
        stored = flat.map { StoredKind($0) }
        keys = flat.map(\.kind.key)
        hasCopies = flat.contains { $0.copies != nil }
    }

    private static func flatten(_ shape: KindShape, into parent: Kind?, _ flat: inout [KindShape]) {
        var shape = shape
        shape.parent = parent
        flat.append(shape)
        for child in shape.children { flatten(child, into: shape.kind, &flat) }
    }

    /// Whether entries of one kind, by its number, may be direct children of another.
    func admits(_ kind: Int, in parent: Int) -> Bool { kinds[kind].stands(in: kinds[parent]) }

    /// The kind of the record itself.
    public var record: KindShape { kinds[0] }

    func index(of kind: Kind) -> Int? { keys.firstIndex(of: kind.key) }
    func index(named name: String) -> Int? { kinds.firstIndex { $0.kind.name == name } }

    /// The number of the kind in a stored record, by its current name or a former one.
    func index(stored name: String) -> Int? {
        index(named: name) ?? kinds.firstIndex { $0.formerNames.contains(name) }
    }

    /// The kind in a stored record, by its current name or a former one.
    public func kind(stored name: String) -> KindShape? { index(stored: name).map { kinds[$0] } }

    /// The faults of the shape itself: names used twice, bounds that name no field.
    public var violations: [String] {
        var found: [String] = []
        for (index, shape) in kinds.enumerated() {
            if kinds[..<index].contains(where: { $0.kind.key == shape.kind.key }) {
                found.append("kind \(shape.kind) twice")
            }
            for name in shape.formerNames where kinds.count(where: { $0.answers(to: name) }) > 1 {
                found.append("two kinds are or were \(name)")
            }
            for name in shape.fields.flatMap(\.formerNames)
            where shape.fields.count(where: { $0.name == name || $0.formerNames.contains(name) }) > 1 {
                found.append("two fields of \(shape.kind) are or were \(name)")
            }
            let keys = Set(shape.fields.map(\.key))
            if keys.count != shape.fields.count { found.append("a field of \(shape.kind) twice") }
            for field in shape.fields {
                let bounds = [field.highestField, field.bestGradeField].compactMap(\.self)
                for bound in bounds where !shape.fields.contains(where: { $0.name == bound }) {
                    found.append("\(shape.kind).\(field.name) is bounded by \(bound), which is no field")
                }
            }
        }
        return found
    }
}

extension KindShape {
    /// Whether its entries may be direct children of another kind.
    public func stands(in other: KindShape) -> Bool {
        parent == other.kind || nested > 1 && kind == other.kind
    }

    fileprivate func answers(to name: String) -> Bool { kind.name == name || formerNames.contains(name) }
}
