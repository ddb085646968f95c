/// Where the faults of one pass over a tree come together.
///
/// A fault is noted at an entry and a field. Only at the end it becomes a JSON Pointer into the request, because
/// one and the same tree may have come from one entry's request, a list of changes or a whole record.
public struct FaultSink {
    enum Part: Hashable {
        case whole
        case field(String)
        case children
        case status
    }

    struct Located: Hashable {
        let entry: EntryID
        let part: Part
        let code: FaultCode
        let arguments: [String]
    }

    private(set) var located: [(place: Located, arguments: JSONObject)] = []
    let touched: Set<EntryID>
    /// What the checks have cost, in steps of a run.
    var steps = 0

    init(touched: Set<EntryID>) { self.touched = touched }

    /// Notes a fault of a whole entry.
    public mutating func add(_ code: FaultCode, at entry: EntryView, _ arguments: JSONObject = JSONObject()) {
        note(code, entry.id, .whole, arguments)
    }

    /// Notes a fault of one field.
    public mutating func add<Value>(
        _ code: FaultCode, at entry: EntryView, _ field: Field<Value>, _ arguments: JSONObject = JSONObject()
    ) {
        note(code, entry.id, .field(field.name), arguments)
    }

    /// Notes a fault of an entry's status.
    public mutating func addStatus(_ code: FaultCode, at entry: EntryView) {
        note(code, entry.id, .status, JSONObject())
    }

    /// Notes a fault of what stands in an entry.
    public mutating func addChildren(_ code: FaultCode, at entry: EntryView) {
        note(code, entry.id, .children, JSONObject())
    }

    mutating func note(_ code: FaultCode, _ entry: EntryID, _ part: Part, _ arguments: JSONObject) {
        let place = Located(
            entry: entry, part: part, code: code, arguments: arguments.map { $0.name + $0.value.text })
        located.append((place, arguments))
    }

    /// Notes `code` for every entry whose key another one has.
    ///
    /// Of two that share a key the one that the request touches is to blame; failing that, the later one.
    public mutating func refuseDuplicates<Key: Hashable, Value>(
        among entries: [EntryView], by key: (EntryView) -> Key?, on field: Field<Value>, as code: FaultCode
    ) {
        var owners: [Key: EntryView] = [:]
        for entry in entries {
            guard let key = key(entry) else { continue }
            guard let owner = owners[key] else {
                owners[key] = entry
                continue
            }
            if touched.contains(owner.id), !touched.contains(entry.id) {
                add(code, at: owner, field)
            } else {
                add(code, at: entry, field)
            }
        }
    }
}

/// Read access to an entry for validators: typed, and `nil` for what is not there or could not be read.
public struct EntryView {
    let body: RecordBody
    let index: Int

    /// Which entry it is.
    public var id: EntryID { body.ids[index] }
    /// Its status.
    public var status: Status? { body.nodes[index].status }

    private func stored(_ field: NameKey) -> FieldValue? {
        let node = body.nodes[index]
        return body.shape.kinds[node.kind].slot(of: field).map { body.values[node.values + $0] }
    }

    /// The value of a field.
    public subscript<Value>(field: Field<Value>) -> Value? { stored(field.key).flatMap { Value(stored: $0) } }

    /// Whether something was sent for the field, readable or not.
    public func has<Value>(_ field: Field<Value>) -> Bool { stored(field.key).map { $0 != .none } ?? false }

    /// The children of one kind.
    public func children(_ kind: Kind) -> [EntryView] {
        guard let number = body.shape.index(of: kind) else { return [] }
        return body.children(of: index).filter { body.nodes[$0].kind == number }
            .map { EntryView(body: body, index: $0) }
    }
}

/// The form in which two names are compared: trimmed, white space collapsed, lower case. Canonically equivalent
/// texts are equal strings already.
public func comparableName(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
}
