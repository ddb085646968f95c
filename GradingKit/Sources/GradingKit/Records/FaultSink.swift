/// The faults of one pass over a tree.
///
/// A fault refers to an entry and a field. It is turned into a JSON Pointer into the request only at the end, because
/// the same tree may have come from one entry's request, a list of changes or a whole record.
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
    /// The cost of the checks so far, in steps of a run.
    var steps = 0

    init(touched: Set<EntryID>) { self.touched = touched }

    /// Adds a fault of a whole entry.
    public mutating func add(_ code: FaultCode, at entry: EntryView, _ arguments: JSONObject = JSONObject()) {
        note(code, entry.id, .whole, arguments)
    }

    /// Adds a fault of one field.
    public mutating func add<Value>(
        _ code: FaultCode, at entry: EntryView, _ field: Field<Value>, _ arguments: JSONObject = JSONObject()
    ) {
        note(code, entry.id, .field(field.name), arguments)
    }

    /// Adds a fault of an entry's status.
    public mutating func addStatus(_ code: FaultCode, at entry: EntryView) {
        note(code, entry.id, .status, JSONObject())
    }

    /// Adds a fault of an entry's children.
    public mutating func addChildren(_ code: FaultCode, at entry: EntryView) {
        note(code, entry.id, .children, JSONObject())
    }

    mutating func note(_ code: FaultCode, _ entry: EntryID, _ part: Part, _ arguments: JSONObject) {
        let place = Located(
            entry: entry, part: part, code: code, arguments: arguments.map { $0.name + $0.value.text })
        located.append((place, arguments))
    }

    /// Adds `code` for every entry that has the same key as another.
    ///
    /// Of two entries with the same key, the one that the request changes gets the fault; otherwise the later one.
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

/// Read access to an entry for validators: typed, and `nil` for values that are missing or unreadable.
public struct EntryView {
    let body: RecordBody
    let index: Int

    /// The entry's identifier.
    public var id: EntryID { body.ids[index] }
    /// Its status.
    public var status: Status? { body.nodes[index].status }

    private func stored(_ field: NameKey) -> FieldValue? {
        let node = body.nodes[index]
        return body.shape.kinds[node.kind].slot(of: field).map { body.values[node.values + $0] }
    }

    /// The value of a field.
    public subscript<Value>(field: Field<Value>) -> Value? { stored(field.key).flatMap { Value(stored: $0) } }

    /// Returns whether a value was sent for the field, readable or not.
    public func has<Value>(_ field: Field<Value>) -> Bool { stored(field.key).map { $0 != .none } ?? false }

    /// Returns the children of one kind.
    public func children(_ kind: Kind) -> [EntryView] {
        guard let number = body.shape.index(of: kind) else { return [] }
        return body.children(of: index).filter { body.nodes[$0].kind == number }
            .map { EntryView(body: body, index: $0) }
    }
}

/// Returns the form in which names are compared: trimmed, white space collapsed, lower case. Strings already treat
/// canonically equivalent texts as equal.
public func comparableName(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
}
