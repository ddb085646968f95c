/// Who gave a figure or an outcome, when, and why.
public struct GivenNote: Sendable, Hashable {
    /// The account that gave it.
    public let author: String
    /// When it was given, as RFC 3339.
    public let time: String
    /// Why, in the words of the person who gave it; `nil` in the student's view.
    public let reason: String?

    /// Creates a note.
    public init(author: String, time: String, reason: String?) {
        self.author = author
        self.time = time
        self.reason = reason
    }

    /// Whether the value has an author. In a stateless calculation it has none.
    var isSigned: Bool { !author.isEmpty }

    /// The note as the student sees it.
    var released: GivenNote { GivenNote(author: author, time: time, reason: nil) }
}

/// An outcome that a person gives: its state, and its value if the outcome has named values.
public struct GivenOutcome: Sendable, Equatable {
    /// The state: met or unmet.
    public let state: Decision.State
    /// The name of the value; `nil` if the outcome has no named values.
    public let name: String?

    /// Creates an outcome that a person gives.
    public init(_ state: Decision.State, _ name: String? = nil) {
        self.state = state
        self.name = name
    }
}

/// A value given by a person. It counts instead of the computed one.
public struct GivenValue<Value: Sendable & Equatable>: Sendable, Equatable {
    /// The value.
    public let value: Value
    /// Who gave it, when, and why.
    public let note: GivenNote
    /// The computed value at that time, as text; `nil` in the student's view and until the change is checked.
    public internal(set) var computed: String?

    /// Creates a value that a person gave.
    public init(_ value: Value, note: GivenNote) {
        self.value = value
        self.note = note
    }

    fileprivate var released: GivenValue { GivenValue(value, note: note.released) }
}

/// The figures and outcomes that people gave an entry or the record itself, by name.
public struct GivenValues: Sendable, Equatable {
    /// The most characters of a reason.
    public static let longestReason = 500
    /// The most figures and outcomes that people give in one record.
    public static let mostInRecord = 256

    /// The figures.
    public var figures: [String: GivenValue<Exact>] = [:]
    /// The outcomes. Never `pending`, which people cannot give.
    public var outcomes: [String: GivenValue<GivenOutcome>] = [:]

    /// Creates values.
    public init(
        figures: [String: GivenValue<Exact>] = [:], outcomes: [String: GivenValue<GivenOutcome>] = [:]
    ) {
        self.figures = figures
        self.outcomes = outcomes
    }

    /// Whether there are none.
    public var isEmpty: Bool { figures.isEmpty && outcomes.isEmpty }

    /// The values as the student sees them: without reasons and without the computed values.
    var released: GivenValues {
        GivenValues(figures: figures.mapValues(\.released), outcomes: outcomes.mapValues(\.released))
    }

    /// The values without author, time, reason and computed value.
    var unsigned: GivenValues {
        let note = GivenNote(author: "", time: "", reason: nil)
        return GivenValues(
            figures: figures.mapValues { GivenValue($0.value, note: note) },
            outcomes: outcomes.mapValues { GivenValue($0.value, note: note) })
    }

    /// The values, replaced by those of `others` with the same names.
    func overridden(by others: GivenValues) -> GivenValues {
        GivenValues(
            figures: figures.merging(others.figures) { $1 }, outcomes: outcomes.merging(others.outcomes) { $1 })
    }

    /// Whether the student sees less of the values than staff.
    var isForStaff: Bool { self != released }

    /// The accounts that gave them.
    var authors: [String] { figures.values.map(\.note.author) + outcomes.values.map(\.note.author) }

    /// The number of figures and outcomes.
    fileprivate var count: Int { figures.count + outcomes.count }

    /// Whether a computed value is still to be noted beside one of them.
    var isUnnoted: Bool {
        figures.values.contains { $0.computed == nil } || outcomes.values.contains { $0.computed == nil }
    }
}

/// The form in a record:
///
///     "given":{"figures":{"average":{"value":"12","by":"A…","at":"2026-07-03T10:00:00Z","reason":"Jury",
///      "computed":"29/3"}},"outcomes":{"diploma":{"value":"met","by":"A…","at":"…","reason":"…","computed":"unmet"}}}
///
/// For an outcome with named values, `value` is the name, with its `state` beside it.
extension GivenValues {
    /// The stored form.
    public var json: JSON {
        var object = JSONObject()
        if !figures.isEmpty {
            object["figures"] = Self.object(figures) { ["value": .string($0.reduced.description)] }
        }
        if !outcomes.isEmpty {
            object["outcomes"] = Self.object(outcomes) { outcome in
                guard let name = outcome.name else { return ["value": .string(outcome.state.rawValue)] }
                return ["value": .string(name), "state": .string(outcome.state.rawValue)]
            }
        }
        return .object(object)
    }

    /// Reads the form of `json`; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let object = json.object else { return nil }
        for member in object["figures"]?.object ?? JSONObject() {
            guard let value = member.value["value"].flatMap({ Exact(givenIn: $0) }),
                let given = Self.value(value, of: member.value)
            else { return nil }
            figures[member.name] = given
        }
        for member in object["outcomes"]?.object ?? JSONObject() {
            guard let outcome = GivenOutcome(member.value), let given = Self.value(outcome, of: member.value)
            else { return nil }
            outcomes[member.name] = given
        }
    }

    private static func object<Value>(
        _ values: [String: GivenValue<Value>], _ write: (Value) -> JSONObject
    ) -> JSON {
        var object = JSONObject()
        for (name, given) in values.sorted(by: { $0.key < $1.key }) {
            var members = write(given.value)
            if given.note.isSigned {
                members["by"] = .string(given.note.author)
                members["at"] = .string(given.note.time)
            }
            if let reason = given.note.reason { members["reason"] = .string(reason) }
            if let computed = given.computed { members["computed"] = .string(computed) }
            object[name] = .object(members)
        }
        return .object(object)
    }

    private static func value<Value>(_ value: Value, of json: JSON) -> GivenValue<Value>? {
        let (author, time) = (json["by"]?.string ?? "", json["at"]?.string ?? "")
        var given = GivenValue(value, note: GivenNote(author: author, time: time, reason: json["reason"]?.string))
        given.computed = json["computed"]?.string
        return given
    }
}

extension GivenOutcome {
    /// Reads `value`, with `state` if `value` names a value of the outcome; `nil` for anything else.
    fileprivate init?(_ json: JSON) {
        guard let value = json["value"]?.string else { return nil }
        guard let state = Decision.State(rawValue: json["state"]?.string ?? value) else { return nil }
        self.init(state, json["state"] == nil ? nil : value)
    }
}

extension RecordTree {
    /// Returns what people gave an entry; `nil` for nothing.
    public func givenByPeople(to entry: EntryID) -> GivenValues? {
        body.index(of: entry).flatMap { body.givenByPeople(to: $0) }
    }

    /// The record without the author, time and reason of given figures and outcomes.
    var unsigned: RecordTree {
        guard body.extras.contains(where: { $0.people != nil }) else { return self }
        var draft = RecordDraft(self)
        for index in body.nodes.indices {
            if let given = body.givenByPeople(to: index) { draft.give(given.unsigned, to: index) }
        }
        return draft.tree
    }

    /// The number of figures and outcomes that people gave in the record.
    var givenCount: Int { body.extras.reduce(0) { $0 + ($1.people?.count ?? 0) } }

    /// Returns the record with figures and outcomes that a person gives an entry, or the record itself if `entry` is
    /// `nil`. A value of `nil` takes back a given one. Names that the entry's kind does not have are ignored.
    public func giving(
        _ values: GivenValues?, to entry: EntryID? = nil
    ) -> RecordTree {
        guard let index = body.index(of: entry ?? .record) else { return self }
        var draft = RecordDraft(self)
        draft.give(values, to: index)
        return draft.tree
    }
}

extension RecordDraft {
    /// Sets what people gave an entry, or the record itself.
    mutating func give(_ values: GivenValues?, to index: Int) {
        var extra = extra(of: index)
        extra.people = values?.isEmpty == false ? values : nil
        set(extra, of: index)
    }
}

extension Quantity.State {
    /// The value as an integer or a ratio in lowest terms, or the code of the reason why it is missing.
    var text: String {
        switch self {
        case .value(let value): value.reduced.description
        case .undefined(let reason): reason.text
        }
    }
}
