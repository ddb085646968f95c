/// A changed record before it is checked: its new state, the entries that were touched, and the place of each change in
/// the request.
struct Proposal {
    var draft: RecordDraft
    private(set) var effects: [ChangeEffect] = []
    private(set) var references: [String: EntryID] = [:]
    private(set) var touched: Set<EntryID> = []
    private(set) var origins: [EntryID: String] = [:]
    private var decoder: EntryDecoder
    let writer: RecordWriter
    let rules: CompiledScheme
    /// The reasons for given or withdrawn values, each once.
    var reasons: [String] = []
    /// Whether a copy of an earlier record was taken or removed.
    private(set) var copiesEarlier = false
    /// The entries that the student deleted but staff still see.
    private var withdrawn: Set<EntryID> = []

    var faults: FaultList { decoder.faults }

    /// Notes a fault of the request.
    mutating func note(_ fault: Fault) { decoder.note(fault) }

    /// Notes a member that is unknown, with the known name that was probably meant.
    mutating func note(unknown name: String, among known: [String], at path: String) {
        decoder.note(unknown: name, among: known, at: path)
    }

    /// The record after the steps applied so far.
    var tree: RecordTree { draft.tree }

    init(
        of tree: RecordTree, by writer: RecordWriter, under rules: CompiledScheme, newID: @escaping () -> EntryID
    ) {
        draft = RecordDraft(tree)
        self.writer = writer
        self.rules = rules
        decoder = EntryDecoder(
            shape: tree.shape, source: .request(isStaff: writer.isStaff, mayName: writer.storesNothing), newID: newID)
        decoder.rules = rules
    }

    /// Applies one step; `path` is its place in the request.
    mutating func apply(_ change: RecordChange, at path: String) throws(EntryNotFound) {
        switch change {
        case .add(let entry, let parent, let ref): try add(entry, to: parent, as: ref, at: path)
        case .patch(let id, let members): try patch(id, members, at: path)
        case .delete(let id): try delete(id, at: path)
        case .takeEarlier(let name, let copy, let reason): takeEarlier(name, copy, reason, at: path)
        case .record(let members):
            mergeIntoRecord(members, at: path)
            origins[.record] = path
        case .restore(let entry, let parent, let position): try restore(entry, to: parent, at: position)
        case .revert(let entry): try revert(entry)
        case .revertFields(let memoir): revertFields(memoir, at: path)
        }
    }

    /// Returns the number of the entry that a step names, by its identifier or by the name that an earlier step gave
    /// it.
    private func find(_ name: String) throws(EntryNotFound) -> Int {
        let id = references[name] ?? EntryID(name)
        guard let index = draft.ids.place(of: id), index > 0, !isWithdrawn(index) else {
            throw EntryNotFound(entry: id.text)
        }
        return index
    }

    private mutating func add(
        _ json: JSON, to name: String?, as ref: String?, at path: String
    ) throws(EntryNotFound) {
        let parent = try name.map { name throws(EntryNotFound) in try find(name) } ?? 0
        if holdsLink(parent..<(parent + 1)) { return decoder.note(Fault(.classEntry, at: path)) }
        var part = RecordDraft(partOf: draft.shape)
        decoder.entry(json, in: (draft.nodes[parent].kind, 0), of: &part, at: path)
        guard let id = part.ids.first else { return }
        let places = decoder.takeOrigins()
        if let known = part.ids.first(where: { draft.ids.place(of: $0) != nil }) {
            let place = (places[known] ?? path) + "/id"
            return decoder.note(Fault(.duplicateID, at: place, ["id": .string(known.text)]))
        }
        if let author = writer.author { part.enterAll(by: author) }
        origins.merge(places) { _, new in new }
        if let ref, references.updateValue(id, forKey: ref) != nil {
            decoder.note(Fault(.duplicateID, at: path + "/ref", ["id": .string(ref)]))
        }
        insert(part, in: parent, at: .max, path: path)
    }

    private mutating func takeEarlier(_ name: String, _ copy: JSON?, _ reason: String?, at path: String) {
        guard rules.remote?.takesGiven ?? true else { return decoder.note(Fault(.notSupported, at: path)) }
        guard let giving = writer.giving else { return decoder.note(Fault(.givingNotAllowed, at: path)) }
        let kinds = draft.shape.kinds
        guard let number = kinds.indices.first(where: { kinds[$0].kind.name == name && kinds[$0].copies != nil }),
            kinds[number].parent == .record
        else { return decoder.note(Fault(.wrongKind, at: path, ["kind": .string(name)])) }
        var part = RecordDraft(partOf: draft.shape)
        if let copy {
            decoder.copyNote = GivenNote(author: giving.account, time: giving.time, reason: reason)
            decoder.entry(copy, in: (0, 0), of: &part, at: path)
            decoder.copyNote = nil
        }
        // From last to first, so that no number changes before its entry is visited.
        for index in draft.nodes.indices.dropFirst().reversed() where draft.nodes[index].kind == number {
            note(.delete, draft.ids[index])
            draft.remove(index)
        }
        copiesEarlier = true
        guard !part.ids.isEmpty else { return }
        if let author = writer.author { part.enterAll(by: author) }
        origins.merge(decoder.takeOrigins()) { _, new in new }
        insert(part, in: 0, at: 0)
    }

    private mutating func insert(_ part: RecordDraft, in parent: Int, at place: Int, path: String = "") {
        let kind = part.nodes[0].kind
        if kind == draft.nodes[parent].kind {
            let levels = part.nodes.indices.map { part.level(of: $0, kind) }.max() ?? 1
            guard draft.level(of: parent, kind) + levels <= draft.shape.kinds[kind].nested else {
                let limit = JSON.number(String(draft.shape.kinds[kind].nested))
                return decoder.note(Fault(.tooDeep, at: path, ["limit": limit]))
            }
        }
        let index = draft.insert(part, in: parent, at: place)
        touched.formUnion(part.ids)
        note(.add, draft.ids[index])
    }

    private mutating func patch(_ name: EntryID, _ members: JSONObject, at path: String) throws(EntryNotFound) {
        let index = try find(name.text)
        let id = draft.ids.identifier(at: index, like: name)
        if isCopy(index) { return decoder.note(Fault(.earlierEntry, at: path)) }
        if holdsLink(index..<(index + 1)), !givesOutcomesAlone(members) {
            return decoder.note(Fault(.classEntry, at: path))
        }
        if !writer.isStaff, let shown = draft.shown[id] {
            // A student's changes apply to what the student sees; the hidden content stays as staff left it.
            let hidden = draft.content(of: index)
            draft.assign(shown, to: index)
            merge(members, into: index, at: path)
            draft.show(draft.content(of: index), for: index)
            draft.assign(hidden, to: index)
        } else {
            let hides = members["hidden"] != nil && !draft.nodes[index].isHidden
            let before = hides ? draft.content(of: index) : nil
            merge(members, into: index, at: path)
            if !draft.nodes[index].isHidden {
                draft.show(nil, for: index)
            } else if let before, members.contains(where: { ["fields", "status", "given"].contains($0.name) }) {
                // Content that is hidden in the same step as it is written was never visible, so the student still sees
                // the earlier content; hiding alone withdraws what was visible.
                draft.show(before, for: index)
            }
        }
        touched.insert(id)
        origins[id] = path
        note(Self.isGift(members) ? .give : .patch, id)
    }

    private mutating func merge(_ members: JSONObject, into index: Int, at path: String) {
        let before = contentToSign(of: index)
        for member in members {
            let position = path + JSONPointer.step(member.name)
            switch member.name {
            case "fields":
                decoder.fields(member.value, of: index, in: &draft, at: position)
                takePlaceOfMissing(member.value, at: index)
            case "position": decoder.note(Fault(.unknownField, at: position))
            case "given" where writer.takesGiven, "reason" where writer.takesGiven: break
            default: decoder.envelope(member.name, member.value, of: index, in: &draft, at: position)
            }
        }
        if writer.takesGiven { give(members, to: index, at: path) }
        let sent = members["fields"]?.object
        if let before { sign(index, after: before, sending: sent, status: members["status"] != nil, at: path) }
    }

    /// A tried result replaces what missing work of a class counts as.
    private mutating func takePlaceOfMissing(_ fields: JSON, at index: Int) {
        var extra = draft.extra(of: index)
        guard extra.adjustments.contains(where: { $0.cause == .missing }) else { return }
        let grades = draft.shape.kinds[draft.nodes[index].kind].fields.filter(\.isGrade)
        let tried = grades.map(\.name).filter { fields[$0] != nil }
        guard !tried.isEmpty else { return }
        extra.adjustments.removeAll { $0.cause == .missing && tried.contains(where: $0.concerns) }
        draft.set(extra, of: index)
    }

    /// Returns an entry's content before a change; `nil` if no author is recorded before or after it.
    private func contentToSign(of index: Int) -> EntryContent? {
        if case .preview = writer { return nil }
        return writer.author == nil && draft.authors.isEmpty ? nil : draft.content(of: index)
    }

    /// Records who entered the new values of an entry, and refuses a student's change of what staff entered.
    ///
    /// If staff send the value that is already there and the student had entered it, they become its author.
    private mutating func sign(
        _ index: Int, after before: EntryContent, sending sent: JSONObject?, status isStatusSent: Bool, at path: String
    ) {
        let now = draft.content(of: index)
        let names = draft.shape.kinds[draft.nodes[index].kind].fields.map(\.name)
        for (slot, (old, new)) in zip(before.values, now.values).enumerated() where sent?[names[slot]] != nil {
            let author = before.authors.values[slot]
            guard old != new || author == nil else { continue }
            if author != nil, writer == .student {
                decoder.note(Fault(.enteredByStaff, at: path + "/fields" + JSONPointer.step(names[slot])))
            }
            draft.enter(slot, of: index, by: new == .none ? nil : writer.author)
        }
        let author = before.authors.statuses[0]
        guard isStatusSent, before.status != now.status || author == nil else { return }
        if author != nil, writer == .student { decoder.note(Fault(.enteredByStaff, at: path + "/status")) }
        draft.enterStatus(of: index, by: now.status == nil ? nil : writer.author)
    }

    private mutating func delete(_ id: EntryID, at path: String) throws(EntryNotFound) {
        let index = try find(id.text)
        if holdsLink(index..<draft.nodes[index].end) { return decoder.note(Fault(.classEntry, at: path)) }
        // A copy is removed as a whole, and only by those who may take one.
        if isCopy(index), writer.giving == nil || draft.nodes[index].parent > 0 {
            return decoder.note(Fault(.earlierEntry, at: path))
        }
        note(.delete, draft.ids[index])
        guard writer == .student else { return draft.remove(index) }
        let subtree = index..<draft.nodes[index].end
        if isEnteredByStaff(subtree) { return decoder.note(Fault(.enteredByStaff, at: path)) }
        guard subtree.contains(where: { draft.nodes[$0].isHidden }) else { return draft.remove(index) }
        // Staff still see what the student cannot, and the answer to the student does not mention it.
        withdrawn.insert(draft.ids[index])
        draft.hide(index, true)
        draft.show(nil, for: index)
    }

    /// Returns whether an entry is part of a copy of an earlier record.
    private func isCopy(_ index: Int) -> Bool { draft.shape.kinds[draft.nodes[index].kind].copies != nil }

    /// Returns whether any of some entries stands for a row of a class, which can only be changed in the class.
    private func holdsLink(_ entries: Range<Int>) -> Bool {
        !draft.extras.isEmpty && entries.contains { draft.extra(of: $0).given != nil }
    }

    /// Returns whether staff entered anything that the student sees in a subtree.
    private func isEnteredByStaff(_ subtree: Range<Int>) -> Bool {
        if draft.authors.isEmpty, draft.shown.isEmpty, draft.extras.isEmpty { return false }
        var index = subtree.lowerBound
        while index < subtree.upperBound {
            let isHidden = draft.nodes[index].isHidden
            guard let seen = isHidden ? draft.shown[draft.ids[index]] : draft.content(of: index) else {
                index = draft.nodes[index].end
                continue
            }
            let isStaffs =
                seen.authors.statuses[0] != nil || seen.given != nil
                || seen.values.indices.contains {
                    seen.authors.values[$0 - seen.values.startIndex] != nil
                }
            if isStaffs { return true }
            index += 1
        }
        return false
    }

    private func isWithdrawn(_ index: Int) -> Bool {
        if withdrawn.isEmpty { return false }
        var index = index
        while index > 0 {
            if withdrawn.contains(draft.ids[index]) { return true }
            index = draft.nodes[index].parent
        }
        return false
    }

    /// Merges members into the record itself.
    private mutating func mergeIntoRecord(_ members: JSONObject, at path: String) {
        let before = contentToSign(of: 0)
        for member in members {
            switch member.name {
            case "fields": decoder.fields(member.value, of: 0, in: &draft, at: path + "/fields")
            case "given" where writer.takesGiven, "reason" where writer.takesGiven: break
            default: decoder.note(Fault(.unknownField, at: path + JSONPointer.step(member.name)))
            }
        }
        if writer.takesGiven { give(members, to: 0, at: path) }
        if let before { sign(0, after: before, sending: members["fields"]?.object, status: false, at: path) }
        noteFields(Self.isGift(members) ? .give : .fields)
    }

    private mutating func revertFields(_ memoir: JSON, at path: String) {
        decoder.fields(memoir["fields"] ?? .null, of: 0, in: &draft, at: path)
        decoder.authors(memoir["enteredBy"] ?? .null, of: 0, in: &draft)
        regive(memoir["given"].flatMap { GivenValues($0) }, to: 0, at: path)
        noteFields(.fields)
    }

    private mutating func noteFields(_ operation: ChangeEffect.Operation) {
        touched.insert(.record)
        effects.append(ChangeEffect(operation: operation, entry: nil))
    }

    private mutating func restore(_ entry: Entry, to parent: EntryID?, at position: Int) throws(EntryNotFound) {
        let parent = try parent.map { id throws(EntryNotFound) in try find(id.text) } ?? 0
        let part = RecordDraft(entry)
        if part.extras.contains(where: { $0.given != nil }) { return decoder.note(Fault(.classEntry)) }
        insert(part, in: parent, at: position - 1)
    }

    private mutating func revert(_ entry: Entry) throws(EntryNotFound) {
        let index = try find(entry.id.text)
        guard draft.nodes[index].kind == entry.kind else { throw EntryNotFound(entry: entry.id.text) }
        if holdsLink(index..<(index + 1)) {
            // Changes by a class are undone in the class; values that people gave beside it are undone here.
            guard entry.link != nil else { return decoder.note(Fault(.classEntry)) }
            regive(entry.content.given, to: index, at: "")
            touched.insert(entry.id)
            return note(.patch, draft.ids[index])
        }
        if entry.link != nil { return decoder.note(Fault(.classEntry)) }
        if entry.content.given != draft.extra(of: index).people, writer.giving == nil {
            return decoder.note(Fault(.givingNotAllowed))
        }
        if !writer.isStaff, draft.nodes[index].isHidden, draft.content(of: index) != entry.content {
            // Staff have changed the entry since and hidden it: only what the student sees is reverted.
            draft.show(entry.seen, for: index)
        } else {
            draft.assign(entry, to: index)
        }
        touched.insert(entry.id)
        note(.patch, draft.ids[index])
    }

    private mutating func note(_ operation: ChangeEffect.Operation, _ id: EntryID) {
        effects.append(ChangeEffect(operation: operation, entry: id))
    }
}

/// The effect of one step of a change, for the audit trail, the history and undo. The trees before and after tell the
/// rest.
public struct ChangeEffect: Sendable, Equatable {
    /// The kind of step.
    public enum Operation: String, Sendable {
        case add, patch, delete, fields
        /// A person gave figures or outcomes, or took them back, and changed nothing else.
        case give
    }

    /// The kind of step.
    public let operation: Operation
    /// The entry concerned; `nil` for the record-level fields.
    public let entry: EntryID?
}

/// A change that passed every check. Only the kit creates one.
public struct ValidatedChange: Sendable {
    /// The record after the change.
    public let tree: RecordTree
    /// The effects, step by step.
    public let effects: [ChangeEffect]
    /// The entries that steps named with `ref`.
    public let references: [String: EntryID]
    /// The reasons for given or withdrawn values, each once. They are for staff.
    public let reasons: [String]

    init(
        tree: RecordTree, effects: [ChangeEffect], references: [String: EntryID], reasons: [String] = []
    ) {
        self.tree = tree
        self.effects = effects
        self.references = references
        self.reasons = reasons
    }
}
