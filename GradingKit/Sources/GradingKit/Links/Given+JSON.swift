/// How entries hold what is given to them:
///
///     "class":"C…","enrolment":"E…","given":{"figures":{"grade":{"current":"577/40","floor":"9","ceiling":"19"}},
///      "awaitsGrade":false,"released":{"figures":{…},"awaitsGrade":false}},"adjust":[…]
extension EntryExtra {
    /// Writes the members, each after a comma.
    func write(to writer: inout JSONWriter) {
        if let given {
            if let link = given.link {
                writer.part(",\"class\":", link.classID)
                writer.part(",\"enrolment\":", link.enrolment)
            }
            writer.part(",\"given\":")
            writer.value(given.json)
        }
        if !adjustments.isEmpty {
            writer.part(",\"adjust\":")
            writer.value(.array(adjustments.map(\.json)))
        }
    }

    /// Reads one of the members; `false` for one that is not as it is written here.
    mutating func read(_ name: String, _ value: JSON) -> Bool {
        switch name {
        case "class", "enrolment":
            guard let text = value.string else { return false }
            var changed = given ?? Given(GivenFigures([:]), by: nil, at: nil)
            changed.link = ClassLink(
                classID: name == "class" ? text : changed.link?.classID ?? "",
                enrolment: name == "class" ? changed.link?.enrolment ?? "" : text)
            given = changed
        case "given":
            guard let read = Given(value) else { return false }
            let link = given?.link
            given = read
            given?.link = link
        case "adjust":
            guard let list = value.array else { return false }
            adjustments = list.compactMap { GradeAdjustment($0) }
            return adjustments.count == list.count
        default: return false
        }
        return true
    }
}

extension Given {
    var json: JSON {
        var object = full.members
        if let released { object["released"] = .object(released.members) }
        if let author { object["by"] = .string(author) }
        if let time { object["at"] = .string(time) }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard let full = GivenFigures(json) else { return nil }
        self.init(full, by: json["by"]?.string, at: json["at"]?.string)
        guard let released = json["released"] else { return }
        guard let seen = GivenFigures(released) else { return nil }
        self.released = seen
    }
}

extension GivenFigures {
    /// `{"figures":{…},"awaitsGrade":…}`.
    public var json: JSON { .object(members) }

    fileprivate var members: JSONObject {
        var object = JSONObject()
        for (name, figure) in figures.sorted(by: { $0.key < $1.key }) { object[name] = figure.json }
        return ["figures": .object(object), "awaitsGrade": .bool(awaitsGrade)]
    }

    /// Reads what `json` writes; `nil` for anything else.
    public init?(_ json: JSON) {
        var figures: [String: GivenFigure] = [:]
        for member in json["figures"]?.object ?? JSONObject() {
            guard let figure = GivenFigure(member.value) else { return nil }
            figures[member.name] = figure
        }
        self.init(figures, awaitsGrade: json["awaitsGrade"]?.bool ?? false)
    }
}

extension GivenFigure {
    /// `{"current":…}`, with `floor` and `ceiling` where they are others; a value is a decimal or a ratio in a string,
    /// and none is `{"reason":…}`.
    var json: JSON {
        var object: JSONObject = ["current": current.json]
        if floor != current { object["floor"] = floor.json }
        if ceiling != current { object["ceiling"] = ceiling.json }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard let current = json["current"].flatMap({ Quantity.State(givenIn: $0) }) else { return nil }
        var ends: [Quantity.State] = []
        for name in ["floor", "ceiling"] {
            guard let end = json[name] else {
                ends.append(current)
                continue
            }
            guard let state = Quantity.State(givenIn: end) else { return nil }
            ends.append(state)
        }
        self.init(current, floor: ends[0], ceiling: ends[1])
    }
}

extension Quantity.State {
    fileprivate var json: JSON {
        switch self {
        case .value(let value): .string(value.reduced.description)
        case .undefined(let reason): ["reason": .string(reason.text)]
        }
    }

    fileprivate init?(givenIn json: JSON) {
        if let reason = json["reason"]?.string {
            self = .undefined(FaultCode(reason))
        } else if let value = Exact(givenIn: json) {
            self = .value(value)
        } else {
            return nil
        }
    }
}
