/// One kind of entry: its fields, how many there may be in one place, and what nests in it.
public struct KindShape: Sendable {
    /// The kind.
    public let kind: Kind
    /// What people read.
    public let label: LocalizedText
    /// The kind it stands in; `nil` for the record itself.
    public internal(set) var parent: Kind?
    /// How many may stand in one parent.
    public let count: ClosedRange<Int>
    /// What one too many is called.
    public let excessFault: FaultCode
    /// The fields, in the order of forms.
    public let fields: [FieldShape]
    /// The statuses an entry of this kind may be given by hand.
    public let statuses: [Status]
    let children: [KindShape]
    /// By place of a field, what it asks of values.
    let checks: [FieldCheck]
    /// By place of a field, its name.
    let keys: [NameKey]

    /// A kind of entry.
    ///
    /// - Parameters:
    ///   - count: how many may stand in one parent; its upper bound counts only below a record's 1,000 entries.
    ///   - excess: what one too many is called.
    public init(
        _ kind: Kind, _ label: LocalizedText, count: ClosedRange<Int> = 0...RecordShape.greatestEntryCount,
        excess: FaultCode = .entryLimit, statuses: [Status] = [], fields: [FieldShape], children: [KindShape] = []
    ) {
        self.kind = kind
        self.label = label
        self.count = count
        excessFault = excess
        self.statuses = statuses
        self.fields = fields
        checks = fields.map { FieldCheck($0, among: fields) }
        keys = fields.map(\.key)
        self.children = children
    }

    /// Reads a value for one of the fields, as a request spells it; `nil` for a field that the kind does not have. Ranges
    /// are checked later, on the whole record.
    public func value(_ json: JSON, of field: String) -> Result<FieldValue, Fault>? {
        slot(of: NameKey(field)).map { checks[$0].decode(json) }
    }

    func slot(of key: NameKey) -> Int? { keys.firstIndex(of: key) }
}

/// What records of a scheme look like. From it come the checks, the forms of the client, the JSON Schema and the
/// import mapping.
public struct RecordShape: Sendable {
    /// The most entries a record may have.
    public static let greatestEntryCount = 1_000

    /// Every kind, the record itself first, parents before children.
    public let kinds: [KindShape]
    /// By number of a kind, the numbers of those that stand in it.
    let childKinds: [[Int]]
    /// By number of a kind, how its entries are stored.
    let stored: [StoredKind]
    /// By number of a kind, its name.
    private let keys: [NameKey]

    /// A shape of record-level fields and the kinds that stand in a record.
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

    /// The record itself.
    public var record: KindShape { kinds[0] }

    func index(of kind: Kind) -> Int? { keys.firstIndex(of: kind.key) }
    func index(named name: String) -> Int? { kinds.firstIndex { $0.kind.name == name } }

    /// What is wrong with the shape itself: names used twice, bounds that name no field.
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
