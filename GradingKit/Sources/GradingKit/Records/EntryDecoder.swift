/// A decoder of entries, which collects all faults and remembers the place of each entry in the request.
///
/// Paths are written only for faults and remembered entries, because most records are read without either.
struct EntryDecoder {
    /// The source of the JSON, which determines what it may contain.
    enum Source {
        /// A request: new identifiers are generated, unless it stores nothing and may name its entries itself; only staff
        /// may send `hidden`.
        case request(isStaff: Bool, mayName: Bool)
        /// A stateless calculation: the caller may choose identifiers.
        case calculation
        /// The store: all members are present.
        case store

        /// The members that an entry may have, for suggestions when a name is unknown.
        var envelope: [String] {
            switch self {
            case .request(let isStaff, let mayName):
                (mayName ? ["id"] : []) + ["kind", "fields", "children", "status"] + (isStaff ? ["hidden"] : [])
            case .calculation:
                ["id", "kind", "fields", "children", "status", "adjust", "given", "class", "enrolment"]
            case .store: []
            }
        }

        /// Whether faults name their place in the request.
        var isRequested: Bool {
            if case .store = self { false } else { true }
        }
    }

    let shape: RecordShape
    let source: Source
    let newID: () -> EntryID
    private(set) var faults = FaultList()
    private(set) var origins: [EntryID: String] = [:]
    /// The note for the figures and outcomes of copies of earlier records; `nil` if no copies are taken.
    var copyNote: GivenNote?
    /// The rules that define the values of copied outcomes and know the former names of figures; `nil` if neither is
    /// read.
    var rules: CompiledScheme?
    /// Whether stored kinds and fields that the shape lacks are noted among the losses instead of the faults.
    var isLosing = false
    /// What the shape has no place for.
    private(set) var losses: [RecordLoss] = []
    private var seen: Set<EntryID> = []

    init(shape: RecordShape, source: Source, newID: @escaping () -> EntryID) {
        self.shape = shape
        self.source = source
        self.newID = newID
        if case .calculation = source { copyNote = GivenNote(author: "", time: "", reason: nil) }
    }

    mutating func note(_ fault: Fault) { faults.add(fault) }

    mutating func note(unknown name: String, among known: [String], at path: String) {
        faults.add(unknown: name, among: known, at: path)
    }

    /// Returns the places of the entries read since the last call.
    mutating func takeOrigins() -> [EntryID: String] {
        defer { origins.removeAll(keepingCapacity: true) }
        return origins
    }

    /// Reads an entry into its parent; appends nothing if the kind cannot be determined.
    mutating func entry(
        _ json: JSON, in place: (kind: Int, index: Int), of draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        guard let object = json.object else { return faults.add(.wrongType, at: path(), ["expected": "object"]) }
        guard let kind = kind(object, in: place.kind, at: path()) else { return }
        if case .request = source, shape.kinds[kind].copies != nil, copyNote == nil {
            return faults.add(.earlierEntry, at: path())
        }
        if kind == place.kind, draft.level(of: place.index, kind) >= shape.kinds[kind].nested {
            return faults.add(.tooDeep, at: path(), ["limit": .number(String(shape.kinds[kind].nested))])
        }
        let id = identifier(object, at: path())
        let index = draft.append(id, kind: kind, in: place.index)
        if source.isRequested { origins[id] = path() }
        if case .calculation = source { link(object, of: index, in: &draft, at: path()) }
        for member in object {
            switch member.name {
            case "kind", "id": break
            case "fields": fields(member.value, of: index, in: &draft, at: path() + "/fields")
            case "children": entries(member.value, in: (kind, index), of: &draft, at: path() + "/children")
            default:
                envelope(member.name, member.value, of: index, in: &draft, at: path() + JSONPointer.step(member.name))
            }
        }
        if case .calculation = source, draft.extra(of: index).given != nil, draft.nodes.count > index + 1 {
            faults.add(.classEntry, at: path() + "/children")
        }
        draft.close(index)
    }

    /// Reads a list of entries.
    mutating func entries(
        _ json: JSON, in place: (kind: Int, index: Int), of draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        if json.isNull { return }
        guard let elements = json.array else {
            return faults.add(.wrongType, at: path(), ["expected": "array"])
        }
        for (index, element) in elements.enumerated() {
            entry(element, in: place, of: &draft, at: path() + JSONPointer.step(index))
        }
    }

    /// Merges members into an entry's values, key by key; `null` clears a value.
    mutating func fields(
        _ json: JSON, of index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        guard let object = json.object else {
            if !json.isNull { faults.add(.wrongType, at: path(), ["expected": "object"]) }
            return
        }
        let kind = draft.nodes[index].kind
        for (place, member) in object.members.enumerated() {
            guard let slot = slot(named: member.name, in: kind, near: place) else {
                // A stored member without a value is harmless once its field no longer exists.
                if isLosing {
                    lose(member, of: draft.ids[index])
                } else if source.isRequested || !member.value.isNull {
                    faults.add(unknown: member.name, among: shape.kinds[kind].fields.map(\.name), at: path())
                }
                continue
            }
            if shape.kinds[kind].fields[slot].isSuperseded(member.name, in: object) {
                if isLosing { lose(member, of: draft.ids[index]) }
                continue
            }
            switch shape.kinds[kind].checks[slot].decode(member.value) {
            case .success(let value): draft.set(slot, of: index, to: value)
            case .failure(let fault):
                draft.set(slot, of: index, to: .unreadable)
                faults.add(fault.prefixed(path() + JSONPointer.step(member.name)))
            }
        }
    }

    /// Returns the slot of a field; immediately if the fields come in the shape's order, as the kit writes them.
    private func slot(named name: String, in kind: Int, near place: Int) -> Int? {
        if place < shape.kinds[kind].fields.count, shape.kinds[kind].fields[place].name == name { return place }
        // Two names can have the same key.
        if let slot = shape.kinds[kind].slot(of: NameKey(name)), shape.kinds[kind].fields[slot].name == name {
            return slot
        }
        return shape.kinds[kind].fields.indices.first { shape.kinds[kind].fields[$0].name == name }
            ?? (source.isRequested ? nil : shape.kinds[kind].slot(formerly: name))
    }

    /// Records that a stored value has no field. A field that is stored twice, hidden and shown, counts once.
    private mutating func lose(_ member: JSONObject.Member, of entry: EntryID) {
        guard let value = FieldValue(member.value), value != .none else { return }
        let isKnown = losses.contains { $0.entry == entry && $0.field == member.name }
        if !isKnown {
            losses.append(RecordLoss(entry: entry == .record ? nil : entry, field: member.name, value: value.told))
        }
    }

    /// Reads a member other than `fields`.
    mutating func envelope(
        _ name: String, _ value: JSON, of index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        switch (name, source) {
        case ("status", _): status(value, of: index, in: &draft, at: path())
        case ("hidden", .request(isStaff: true, _)), ("hidden", .store):
            guard let flag = value.bool else {
                return faults.add(.wrongType, at: path(), ["expected": "boolean"])
            }
            draft.hide(index, flag)
        case ("enteredBy", .store): authors(value, of: index, in: &draft)
        case ("shown", .store): shown(value, for: index, in: &draft, at: path())
        case ("class", .store), ("enrolment", .store), ("given", .store), ("adjust", .store):
            var extra = draft.extra(of: index)
            guard extra.read(name, value) else {
                return faults.add(.wrongType, at: path(), ["expected": "object"])
            }
            if name == "given" { rename(&extra, of: draft.ids[index], kind: draft.nodes[index].kind) }
            draft.set(extra, of: index)
        case ("adjust", .calculation): adjustments(value, of: index, in: &draft, at: path())
        case ("class", .calculation), ("enrolment", .calculation): break
        case ("given", .calculation) where holdsGiven(value, for: index, in: draft):
            giveAgain(value, to: index, in: &draft, at: path())
        case ("given", _) where copyNote != nil && shape.kinds[draft.nodes[index].kind].copies != nil:
            copied(value, to: index, in: &draft, at: path())
        case ("position", .store): break
        default: faults.add(unknown: name, among: source.envelope, below: path())
        }
    }

    /// Reads the adjustments of an entry's grade, as classes write them.
    private mutating func adjustments(
        _ value: JSON, of index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        guard (value.array?.count ?? 0) <= GradeAdjustment.mostOfEntry else {
            return faults.add(.entryLimit, at: path(), ["limit": .number(String(GradeAdjustment.mostOfEntry))])
        }
        // Reading a number takes time that grows with the square of its length.
        guard GradeAdjustment.holdsShortNumbers(value) else { return faults.add(.tooPrecise, at: path()) }
        var extra = draft.extra(of: index)
        guard extra.read("adjust", value) else {
            return faults.add(.wrongType, at: path(), ["expected": "array"])
        }
        draft.set(extra, of: index)
    }

    /// Reads the row for which an entry stands. This determines the meaning of its given values.
    private mutating func link(
        _ object: JSONObject, of index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        var extra = draft.extra(of: index)
        for name in ["class", "enrolment"] {
            guard let value = object[name], !value.isNull else { continue }
            guard extra.read(name, value) else {
                faults.add(.wrongType, at: path() + JSONPointer.step(name), ["expected": "string"])
                continue
            }
        }
        draft.set(extra, of: index)
    }

    /// Whether a value is in the stored form of given values, not in the form in which a calculation describes a copy.
    private func holdsGiven(_ value: JSON, for index: Int, in draft: RecordDraft) -> Bool {
        if shape.kinds[draft.nodes[index].kind].copies == nil { return true }
        return GradeAdjustment.holdsShortNumbers(value) && GivenValues(value) != nil
    }

    /// Reads what a class or people gave an entry or the record itself, for another calculation. The author does not
    /// matter.
    mutating func giveAgain(
        _ value: JSON, to index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        if value.isNull { return }
        guard rules?.remote?.takesGiven ?? true else { return faults.add(.notSupported, at: path()) }
        guard GradeAdjustment.holdsShortNumbers(value) else { return faults.add(.tooPrecise, at: path()) }
        var extra = draft.extra(of: index)
        guard extra.read("given", value) else { return faults.add(.wrongType, at: path(), ["expected": "object"]) }
        extra.people = extra.people?.unsigned
        draft.set(extra, of: index)
    }

    /// Reads which staff member entered which value and the status, in the stored form.
    func authors(_ value: JSON, of index: Int, in draft: inout RecordDraft) {
        for (slot, field) in shape.kinds[draft.nodes[index].kind].fields.enumerated() {
            let names = [field.name] + field.formerNames
            draft.enter(slot, of: index, by: names.lazy.compactMap { value["fields"]?[$0]?.string }.first)
        }
        draft.enterStatus(of: index, by: value["status"]?.string)
    }

    /// Reads what people gave, in the stored form; `null` means nothing.
    mutating func given(
        _ value: JSON, to index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        let values = value.isNull ? nil : GivenValues(value)
        if values == nil, !value.isNull { faults.add(.wrongType, at: path(), ["expected": "object"]) }
        var extra = EntryExtra()
        extra.people = values
        rename(&extra, of: draft.ids[index], kind: draft.nodes[index].kind)
        draft.give(extra.people, to: index)
    }

    /// Gives stored values the names that figures and outcomes have now.
    private mutating func rename(_ extra: inout EntryExtra, of entry: EntryID, kind: Int) {
        guard let superseded = rules?.kinds[kind].formerNames.rename(&extra), isLosing else { return }
        for (name, value) in superseded {
            losses.append(RecordLoss(entry: entry == .record ? nil : entry, field: name, value: value))
        }
    }

    /// Reads the figures and outcomes of a copy: `{"figures":{"total":"61/5"},"outcomes":{"diploma":"met"}}`. An
    /// outcome with a value is `{"value":"ADM","state":"met"}`, or just `"ADM"` if the rules name that value.
    private mutating func copied(
        _ value: JSON, to index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        guard let note = copyNote, !value.isNull else { return }
        guard let object = value.object else { return faults.add(.wrongType, at: path(), ["expected": "object"]) }
        var given = GivenValues()
        for member in object where member.name != "figures" && member.name != "outcomes" {
            faults.add(unknown: member.name, among: ["figures", "outcomes"], below: path())
        }
        for member in object["figures"]?.object ?? JSONObject() where !member.value.isNull {
            guard let number = Exact(copied: member.value) else {
                faults.add(.notANumber, at: path() + "/figures" + JSONPointer.step(member.name))
                continue
            }
            given.figures[member.name] = GivenValue(number, note: note)
        }
        for member in object["outcomes"]?.object ?? JSONObject() where !member.value.isNull {
            let known = rules?.kinds[draft.nodes[index].kind].outcomes.first { $0.name == member.name }?.values ?? []
            let named = known.first { $0.name == member.value.string }.map { GivenOutcome($0.state, $0.name) }
            guard let outcome = named ?? GivenOutcome(copied: member.value) else {
                faults.add(
                    .outOfRange, at: path() + "/outcomes" + JSONPointer.step(member.name),
                    .allowing(["met", "unmet"] + known.map(\.name)))
                continue
            }
            given.outcomes[member.name] = GivenValue(outcome, note: note)
        }
        draft.give(given, to: index)
    }

    private mutating func shown(
        _ value: JSON, for index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        if value.isNull { return }
        var part = RecordDraft(partOf: shape)
        part.append(draft.ids[index], kind: draft.nodes[index].kind, in: 0)
        status(value["status"] ?? .null, of: 0, in: &part, at: path() + "/status")
        fields(value["fields"] ?? .null, of: 0, in: &part, at: path() + "/fields")
        authors(value["enteredBy"] ?? .null, of: 0, in: &part)
        given(value["given"] ?? .null, to: 0, in: &part, at: path() + "/given")
        draft.show(part.content(of: 0), for: index)
    }

    private mutating func status(
        _ value: JSON, of index: Int, in draft: inout RecordDraft, at path: @autoclosure () -> String
    ) {
        if value.isNull || value == "graded" {
            draft.set(nil, of: index)
        } else if let text = value.string {
            let allowed = shape.kinds[draft.nodes[index].kind].statuses
            guard let status = Status(rawValue: text), allowed.contains(status) else {
                return faults.add(.outOfRange, at: path(), .allowing(["graded"] + allowed.map(\.rawValue)))
            }
            draft.set(status, of: index)
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
        let number = source.isRequested ? shape.index(named: name) : shape.index(stored: name)
        guard let kind = number, shape.admits(kind, in: parent) else {
            if isLosing, let id = object["id"]?.string {
                losses.append(RecordLoss(entry: EntryID(id), field: nil, value: name))
                return nil
            }
            faults.add(.wrongKind, at: path() + "/kind", ["kind": .string(name)])
            return nil
        }
        return kind
    }

    private mutating func identifier(_ object: JSONObject, at path: @autoclosure () -> String) -> EntryID {
        guard let value = object["id"] else { return newID() }
        if case .request(_, mayName: false) = source {
            faults.add(.unknownField, at: path() + "/id")
            return newID()
        }
        guard let text = value.string, (1...128).contains(text.utf8.count) else {
            faults.add(.wrongType, at: path() + "/id", ["expected": "string"])
            return newID()
        }
        let id = EntryID(text)
        guard seen.insert(id).inserted else {
            faults.add(.duplicateID, at: path() + "/id", ["id": .string(text)])
            return newID()
        }
        return id
    }
}

extension FieldShape {
    /// Whether stored fields also have the value under another name that counts before this one: the field's own, or a
    /// former name that is declared earlier.
    fileprivate func isSuperseded(_ name: String, in fields: JSONObject) -> Bool {
        guard name != self.name, formerNames.contains(name) else { return false }
        let first = ([self.name] + formerNames).first { fields[$0].map { !$0.isNull } ?? false }
        return first != nil && first != name
    }
}
