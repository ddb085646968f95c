/// Reads entries from JSON, collecting every fault and remembering where in the request each entry stood.
///
/// Places are written out only where a fault stands or an entry is remembered: most records are read without any.
struct EntryDecoder {
    /// Who wrote the JSON, and what it may therefore contain.
    enum Source {
        /// A request: new identifiers are made, `hidden` is for staff.
        case request(isStaff: Bool)
        /// A stateless calculation: the caller may choose identifiers.
        case calculation
        /// The store: the envelope is complete.
        case store

        /// Whether somebody waits to be told where in the request a fault is.
        var isRequested: Bool {
            if case .store = self { false } else { true }
        }
    }

    let shape: RecordShape
    let source: Source
    let newID: () -> EntryID
    private(set) var faults = FaultList()
    private(set) var origins: [EntryID: String] = [:]
    private var seen: Set<EntryID> = []

    init(shape: RecordShape, source: Source, newID: @escaping () -> EntryID) {
        self.shape = shape
        self.source = source
        self.newID = newID
    }

    mutating func note(_ fault: Fault) { faults.add(fault) }

    /// Reads an entry that is to stand in an entry of kind `parent`; `nil` when not even its kind can be told.
    mutating func entry(_ json: JSON, in parent: Int, at path: @autoclosure () -> String) -> Entry? {
        guard let object = json.object else {
            faults.add(.wrongType, at: path(), ["expected": "object"])
            return nil
        }
        guard let kind = kind(object, in: parent, at: path()) else { return nil }
        var entry = Entry(
            id: identifier(object, at: path()), kind: kind,
            values: [FieldValue](repeating: .none, count: shape.kinds[kind].fields.count))
        if source.isRequested { origins[entry.id] = path() }
        for member in object {
            switch member.name {
            case "kind", "id": break
            case "fields": fields(member.value, into: &entry, at: path() + "/fields")
            case "children": entry.children = entries(member.value, in: kind, at: path() + "/children")
            default:
                envelope(member.name, member.value, into: &entry, at: path() + JSONPointer.step(member.name))
            }
        }
        return entry
    }

    /// Reads a list of entries.
    mutating func entries(_ json: JSON, in parent: Int, at path: @autoclosure () -> String) -> [Entry] {
        if json.isNull { return [] }
        guard let elements = json.array else {
            faults.add(.wrongType, at: path(), ["expected": "array"])
            return []
        }
        var entries: [Entry] = []
        entries.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            if let entry = entry(element, in: parent, at: path() + JSONPointer.step(index)) { entries.append(entry) }
        }
        return entries
    }

    /// Merges members into an entry's values, key by key; `null` clears.
    mutating func fields(_ json: JSON, into entry: inout Entry, at path: @autoclosure () -> String) {
        guard let object = json.object else {
            if !json.isNull { faults.add(.wrongType, at: path(), ["expected": "object"]) }
            return
        }
        let shapes = shape.kinds[entry.kind].fields
        for (place, member) in object.members.enumerated() {
            guard let slot = Self.slot(named: member.name, of: shapes, near: place) else {
                faults.add(.unknownField, at: path() + JSONPointer.step(member.name))
                continue
            }
            switch shapes[slot].decode(member.value) {
            case .success(let value): entry.values[slot] = value
            case .failure(let fault):
                entry.values[slot] = .unreadable
                faults.add(fault.prefixed(path() + JSONPointer.step(member.name)))
            }
        }
    }

    /// The slot of a field. Whoever writes all fields in the shape's order, as the store does, is served at once.
    private static func slot(named name: String, of shapes: [FieldShape], near place: Int) -> Int? {
        if place < shapes.count, shapes[place].name == name { return place }
        return shapes.indices.first { shapes[$0].name == name }
    }

    /// Reads what may stand beside `fields`.
    mutating func envelope(_ name: String, _ value: JSON, into entry: inout Entry, at path: @autoclosure () -> String) {
        switch (name, source) {
        case ("status", _): status(value, into: &entry, at: path())
        case ("hidden", .request(isStaff: true)), ("hidden", .store):
            guard let flag = value.bool else {
                faults.add(.wrongType, at: path(), ["expected": "boolean"])
                return
            }
            entry.isHidden = flag
        case ("shown", .store): entry.shown = shown(value, of: entry.kind, at: path())
        case ("position", .store): break
        default: faults.add(.unknownField, at: path())
        }
    }

    private mutating func shown(_ value: JSON, of kind: Int, at path: @autoclosure () -> String) -> Entry.Shown? {
        if value.isNull { return nil }
        var seen = Entry(
            id: .record, kind: kind, values: [FieldValue](repeating: .none, count: shape.kinds[kind].fields.count))
        status(value["status"] ?? .null, into: &seen, at: path() + "/status")
        fields(value["fields"] ?? .null, into: &seen, at: path() + "/fields")
        return Entry.Shown(status: seen.status, values: seen.values)
    }

    private mutating func status(_ value: JSON, into entry: inout Entry, at path: @autoclosure () -> String) {
        if value.isNull || value == "graded" {
            entry.status = nil
        } else if let text = value.string {
            let allowed = shape.kinds[entry.kind].statuses
            guard let status = Status(rawValue: text), allowed.contains(status) else {
                faults.add(.outOfRange, at: path())
                return
            }
            entry.status = status
        } else {
            faults.add(.wrongType, at: path(), ["expected": "string"])
        }
    }

    private mutating func kind(_ object: JSONObject, in parent: Int, at path: @autoclosure () -> String) -> Int? {
        guard let value = object["kind"] else {
            faults.add(.missingField, at: path() + "/kind")
            return nil
        }
        guard let name = value.string else {
            faults.add(.wrongType, at: path() + "/kind", ["expected": "string"])
            return nil
        }
        guard let kind = shape.index(named: name), shape.kinds[kind].parent == shape.kinds[parent].kind else {
            faults.add(.wrongKind, at: path() + "/kind", ["kind": .string(name)])
            return nil
        }
        return kind
    }

    private mutating func identifier(_ object: JSONObject, at path: @autoclosure () -> String) -> EntryID {
        guard let value = object["id"] else { return newID() }
        if case .request = source {
            faults.add(.unknownField, at: path() + "/id")
            return newID()
        }
        guard let text = value.string, (1...128).contains(text.utf8.count) else {
            faults.add(.wrongType, at: path() + "/id", ["expected": "string"])
            return newID()
        }
        let id = EntryID(text)
        guard seen.insert(id).inserted else {
            faults.add(.outOfRange, at: path() + "/id")
            return newID()
        }
        return id
    }
}
