import GradingKit

/// The contents of a standing as facts that can be compared whatever the order of entries.
struct StandingFacts: Equatable {
    private struct Key: Hashable, Comparable {
        let subject: LawSubject
        let part: String

        var text: String { (part.isEmpty ? "" : part + " of ") + "\(subject.name) of \(subject.entry ?? "record")" }

        static func < (left: Key, right: Key) -> Bool { left.text < right.text }
    }

    private var facts: [Key: String] = [:]

    mutating func note(_ name: String, of entry: String?, _ fact: String, part: String = "") {
        facts[Key(subject: LawSubject(name: name, entry: entry), part: part)] = fact
    }

    mutating func note(_ figure: StandingFigure, of entry: String?) {
        note(figure.name, of: entry, "\(figure.current) \(figure.display) \(figure.band ?? "")")
        note(figure.name, of: entry, "\(figure.floor)", part: "floor")
        note(figure.name, of: entry, "\(figure.ceiling)", part: "ceiling")
    }

    /// What differs in other facts, and in which figure or outcome; `nil` if nothing does.
    func difference(from other: StandingFacts) -> (text: String, subject: LawSubject)? {
        if facts == other.facts { return nil }
        let keys = Set(facts.keys).union(other.facts.keys).sorted()
        guard let key = keys.first(where: { facts[$0] != other.facts[$0] }) else { return nil }
        return ("\(key.text): \(facts[key] ?? "absent") instead of \(other.facts[key] ?? "absent")", key.subject)
    }
}

/// A figure or an outcome of an entry, or of the record if `entry` is `nil`.
struct LawSubject: Hashable {
    let name: String
    let entry: String?

    /// Whether it is a figure or an outcome, and not a letter or all warnings.
    var isFigure: Bool { name != "letter" && name != "warnings" }

    /// The name without the key of a group.
    var plainName: String { String(name.prefix { $0 != ":" }) }
}
