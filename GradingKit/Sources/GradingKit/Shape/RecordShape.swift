/// One kind of entry: its fields, the number allowed in one place, and the kinds inside it.
public struct KindShape: Sendable {
    /// The kind.
    public let kind: Kind
    /// The label for people.
    public let label: LocalizedText
    /// The kind of its parents; `nil` for the record itself.
    public internal(set) var parent: Kind?
    /// The number allowed in one parent.
    public let count: ClosedRange<Int>
    /// The fault code for too many.
    public let excessFault: FaultCode
    /// The fields, in the order in which forms show them.
    public let fields: [FieldShape]
    /// The statuses that people may give an entry of this kind.
    public let statuses: [Status]
    /// The labels of statuses that the scheme names itself.
    public let statusLabels: [Status: LocalizedText]
    let children: [KindShape]
    /// By index of the field, the checks of its values.
    let checks: [FieldCheck]
    /// By index of the field, its name key.
    let keys: [NameKey]

    /// Creates a kind of entry.
    ///
    /// - Parameters:
    ///   - count: the number allowed in one parent; an upper bound matters only below a record's 1,000 entries.
    ///   - excess: the fault code for too many.
    ///   - statuses: those that people may give.
    ///   - statusLabels: what people read of those that the scheme names itself.
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

    /// Reads a value of one of the fields from a request; `nil` for a field that the kind does not have. Ranges are
    /// checked later, on the whole record.
    public func value(_ json: JSON, of field: String) -> Result<FieldValue, Fault>? {
        slot(of: NameKey(field)).map { checks[$0].decode(json) }
    }

    func slot(of key: NameKey) -> Int? { keys.firstIndex(of: key) }

    /// Writes the statuses that people may give, and as `statusLabels` the labels of those that the scheme names itself.
    public func write(statusesTo writer: inout JSONWriter) {
        write(statuses: statuses.map(\.rawValue), to: &writer)
    }

    /// Writes the statuses of what takes more than people may give an entry, and the same labels.
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
    /// By number of a kind, its name key.
    private let keys: [NameKey]

    /// Creates a shape from record-level fields and the outermost kinds.
    public init(fields: [FieldShape] = [], kinds outermost: [KindShape]) {
        let record = KindShape(
            .record, LocalizedText("Record", fr: "Relevé", zh: "成绩单"), fields: fields, children: outermost)
        var flat: [KindShape] = []
        Self.flatten(record, into: nil, &flat)
        kinds = flat
        childKinds = flat.map { kind in flat.indices.filter { flat[$0].parent == kind.kind } }
        stored = flat.map { StoredKind($0) }
        keys = flat.map(\.kind.key)
    }

    private static func flatten(_ shape: KindShape, into parent: Kind?, _ flat: inout [KindShape]) {
        var shape = shape
        shape.parent = parent
        flat.append(shape)
        for child in shape.children { flatten(child, into: shape.kind, &flat) }
    }

    /// The kind of the record itself.
    public var record: KindShape { kinds[0] }

    func index(of kind: Kind) -> Int? { keys.firstIndex(of: kind.key) }
    func index(named name: String) -> Int? { kinds.firstIndex { $0.kind.name == name } }

    /// The faults of the shape itself: names used twice, bounds that name no field.
    public var violations: [String] {
        var found: [String] = []
        for (index, shape) in kinds.enumerated() {
            if kinds[..<index].contains(where: { $0.kind.key == shape.kind.key }) {
                found.append("kind \(shape.kind) twice")
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
