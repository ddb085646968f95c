/// Who of staff entered which of some numbered things. Whatever it does not name, the student entered.
///
/// Most records have nothing that staff entered; then it holds nothing.
struct Authorship: Sendable {
    /// Everybody named.
    private var people: [String] = []
    /// By number, the place of the author in `people` counted from 1, or 0 for the student. May end early.
    private var marks: [UInt32] = []

    /// Whether the student entered everything.
    var isEmpty: Bool { marks.isEmpty }

    /// Who of staff entered a thing; `nil` for the student.
    subscript(number: Int) -> String? {
        get {
            guard number < marks.count, marks[number] > 0 else { return nil }
            return people[Int(marks[number]) - 1]
        }
        set {
            guard newValue != nil || number < marks.count else { return }
            let mark = newValue.map { self.mark(of: $0) } ?? 0
            reach(number + 1)
            marks[number] = mark
        }
    }

    /// Those of a range of numbers, numbered from 0.
    func part(_ range: Range<Int>) -> Authorship {
        var part = Authorship()
        guard range.lowerBound < marks.count else { return part }
        part.people = people
        part.marks = Array(marks[range.lowerBound..<min(range.upperBound, marks.count)])
        return part
    }

    /// Puts as many things before the one of a number.
    mutating func insert(_ others: Authorship, count: Int, at number: Int) {
        if others.isEmpty, number >= marks.count { return }
        var inserted = others.marks.map { $0 == 0 ? 0 : mark(of: others.people[Int($0) - 1]) }
        inserted.append(contentsOf: repeatElement(0, count: count - inserted.count))
        reach(number)
        marks.insert(contentsOf: inserted, at: number)
    }

    /// Takes things out.
    mutating func remove(_ range: Range<Int>) {
        guard range.lowerBound < marks.count else { return }
        marks.removeSubrange(range.lowerBound..<min(range.upperBound, marks.count))
    }

    private mutating func reach(_ count: Int) {
        if marks.count < count { marks.append(contentsOf: repeatElement(0, count: count - marks.count)) }
    }

    private mutating func mark(of person: String) -> UInt32 {
        if let place = people.firstIndex(of: person) { return UInt32(place) + 1 }
        people.append(person)
        return UInt32(people.count)
    }
}

extension Authorship: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        (0..<max(left.marks.count, right.marks.count)).allSatisfy { left[$0] == right[$0] }
    }
}

/// Who of staff entered what a record, or one entry, says.
struct RecordAuthors: Sendable, Equatable {
    /// By the number of a value.
    var values = Authorship()
    /// By the number of an entry.
    var statuses = Authorship()

    /// Whether the student entered everything.
    var isEmpty: Bool { values.isEmpty && statuses.isEmpty }
}
