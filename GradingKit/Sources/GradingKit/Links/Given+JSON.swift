/// The JSON form of given values:
///
///     "class":"C…","enrolment":"E…","given":{"figures":{"grade":{"current":"577/40","floor":"9","ceiling":"19"}},
///      "awaitsGrade":false,"released":{"figures":{…},"awaitsGrade":false}},"adjust":[…]
///
/// Without `class`, people gave them (see ``GivenValues``). An entry that stands for a row of a class has the figures
/// of that row, and `given` may also have the `outcomes` that people gave.
extension EntryExtra {
    /// Writes the members, each after a comma.
    func write(to writer: inout JSONWriter) {
        if let given {
            writer.part(",\"class\":", given.link.classID)
            writer.part(",\"enrolment\":", given.link.enrolment)
            writer.part(",\"given\":")
            var object = given.members
            object["outcomes"] = people?.json["outcomes"]
            writer.value(.object(object))
        } else if let people {
            writer.part(",\"given\":")
            writer.value(people.json)
        }
        if !adjustments.isEmpty {
            writer.part(",\"adjust\":")
            writer.value(.array(adjustments.map(\.json)))
        }
    }

    /// Reads one of the members; `false` if its form is not the one written here.
    mutating func read(_ name: String, _ value: JSON) -> Bool {
        switch name {
        case "class", "enrolment":
            guard let text = value.string else { return false }
            let known = given?.link
            let link = ClassLink(
                classID: name == "class" ? text : known?.classID ?? "",
                enrolment: name == "class" ? known?.enrolment ?? "" : text)
            given = Given(link: link, given?.full ?? GivenFigures([:]), released: given?.released)
        case "given":
            if let link = given?.link {
                guard let read = Given(value, of: link) else { return false }
                given = read
                guard let outcomes = value["outcomes"] else { return true }
                people = GivenValues(["outcomes": outcomes])
            } else {
                people = GivenValues(value)
            }
            return people != nil
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
    fileprivate var members: JSONObject {
        var object = full.members
        if let released { object["released"] = .object(released.members) }
        return object
    }

    fileprivate init?(_ json: JSON, of link: ClassLink) {
        guard let full = GivenFigures(json) else { return nil }
        self.init(link: link, full)
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

    /// Reads the form of `json`; `nil` for anything else.
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
    /// `{"current":…}`, with `floor` and `ceiling` if they differ from it. A value is a decimal or a ratio in a string;
    /// a missing one is `{"reason":…}`.
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
