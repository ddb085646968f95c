/// What people give: figures and outcomes beside the computed ones.
extension Proposal {
    /// Whether a step gives values and changes nothing else.
    static func isGift(_ members: JSONObject) -> Bool {
        members["given"] != nil && members.allSatisfy { ["given", "reason", "hidden"].contains($0.name) }
    }

    /// Returns whether a step only gives outcomes. People may give these to an entry whose figures a class gives.
    func givesOutcomesAlone(_ members: JSONObject) -> Bool {
        writer.takesGiven && members["given"] != nil && members["given"]?["figures"] == nil
            && members.allSatisfy { $0.name == "given" || $0.name == "reason" }
    }

    /// Reads `given` and its `reason`, and merges the values name by name; `null` takes one back.
    mutating func give(_ members: JSONObject, to index: Int, at path: String) {
        guard let sent = members["given"] else {
            if members["reason"] != nil { note(Fault(.unknownField, at: path + "/reason")) }
            return
        }
        guard let author = writer.giving else { return note(Fault(.givingNotAllowed, at: path + "/given")) }
        guard rules.remote == nil else { return note(Fault(.notSupported, at: path + "/given")) }
        guard let reason = reason(members["reason"] ?? .null, at: path + "/reason") else { return }
        guard let given = sent.object else {
            return note(Fault(.wrongType, at: path + "/given", ["expected": "object"]))
        }
        let kind = rules.kinds[draft.nodes[index].kind]
        let noted = GivenNote(author: author.account, time: author.time, reason: reason)
        var values = draft.extra(of: index).people ?? GivenValues()
        for member in given {
            let path = path + "/given" + JSONPointer.step(member.name)
            switch member.name {
            case "figures":
                merge(
                    member.value, into: &values.figures, noted, of: kind.shown.map(\.name), at: path,
                    reading: { _, json in GivenValues.figure(json) })
            case "outcomes":
                merge(
                    member.value, into: &values.outcomes, noted, of: kind.outcomes.map(\.name), at: path,
                    reading: { name, json in Self.outcome(json, of: kind.outcomes.first { $0.name == name }) })
            default: note(Fault(.unknownField, at: path))
            }
        }
        draft.give(values, to: index)
        if !reasons.contains(reason) { reasons.append(reason) }
    }

    /// Restores values that people had given. Only those who may give values may do this.
    mutating func regive(_ values: GivenValues?, to index: Int, at path: String) {
        guard draft.extra(of: index).people != values else { return }
        guard writer.giving != nil else { return note(Fault(.givingNotAllowed, at: path)) }
        draft.give(values, to: index)
    }

    private mutating func merge<Value>(
        _ json: JSON, into values: inout [String: GivenValue<Value>], _ noted: GivenNote, of names: [String],
        at path: String, reading read: (_ name: String, JSON) -> Result<Value, Fault>
    ) {
        guard let object = json.object else { return note(Fault(.wrongType, at: path, ["expected": "object"])) }
        for member in object {
            // Values given under earlier rules can be taken back.
            guard names.contains(member.name) || values[member.name] != nil && member.value.isNull else {
                note(unknown: member.name, among: names, at: path)
                continue
            }
            if member.value.isNull {
                values[member.name] = nil
                continue
            }
            switch read(member.name, member.value) {
            case .success(let value): values[member.name] = GivenValue(value, note: noted)
            case .failure(let fault): note(fault.prefixed(path + JSONPointer.step(member.name)))
            }
        }
    }

    private mutating func reason(_ json: JSON, at path: String) -> String? {
        guard !json.isNull else {
            note(Fault(.missingField, at: path))
            return nil
        }
        guard let text = json.string else {
            note(Fault(.wrongType, at: path, ["expected": "string"]))
            return nil
        }
        guard !text.allSatisfy(\.isWhitespace) else {
            note(Fault(.missingField, at: path))
            return nil
        }
        // A text has no more scalars than bytes, and each control character is a byte below 0x20.
        let limit = GivenValues.longestReason
        guard text.utf8.count <= limit || text.unicodeScalars.count <= limit else {
            note(Fault(.outOfRange, at: path, ["maxLength": .number(String(limit))]))
            return nil
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 }) else {
            note(Fault(.textInvalid, at: path))
            return nil
        }
        return text
    }

    /// Reads a named value of an outcome or, if the outcome has none, `met` or `unmet`.
    private static func outcome(_ json: JSON, of outcome: CompiledOutcome?) -> Result<GivenOutcome, Fault> {
        let values = outcome?.values ?? []
        let known =
            values.isEmpty
            ? [Decision.State.met, .unmet].map { (name: $0.rawValue, given: GivenOutcome($0)) }
            : values.map { (name: $0.name, given: GivenOutcome($0.state, $0.name)) }
        guard let found = known.first(where: { $0.name == json.string }) else {
            return .failure(Fault(.outOfRange, .allowing(known.map(\.name))))
        }
        return .success(found.given)
    }
}

extension GivenValues {
    /// Reads a given figure like a field of the usual precision: at most 9 digits and 4 decimals.
    public static func figure(_ json: JSON) -> Result<Exact, Fault> {
        check.decode(json).flatMap { value in
            guard case .number(let number) = value else { return .failure(Fault(.notANumber)) }
            return .success(number)
        }
    }

    private static let check = FieldCheck(
        .number(Field<Exact>("value"), LocalizedText("Value", fr: "Valeur", zh: "数值")).withDecimalComma(), among: [])
}

extension RecordWriter {
    /// Whether steps of this author may have the members `given` and `reason` at all.
    var takesGiven: Bool { if case .staff = self { true } else { false } }
}
