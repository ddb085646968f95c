/// Which staff member entered which of some numbered items. The student entered all items without an author.
///
/// Most records have nothing that staff entered; the value is then empty.
struct Authorship: Sendable {
    /// All authors.
    private var people: [String] = []
    /// For each item, the author's index in `people` counted from 1, or 0 for the student. May be shorter than the list
    /// of items.
    private var marks: [UInt32] = []

    /// Whether the student entered everything.
    var isEmpty: Bool { marks.isEmpty }

    /// The staff member who entered an item; `nil` for the student.
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

    /// Returns the authors of a range of items, renumbered from 0.
    func part(_ range: Range<Int>) -> Authorship {
        var part = Authorship()
        guard range.lowerBound < marks.count else { return part }
        part.people = people
        part.marks = Array(marks[range.lowerBound..<min(range.upperBound, marks.count)])
        return part
    }

    /// Inserts `count` items with their authors before an item.
    mutating func insert(_ others: Authorship, count: Int, at number: Int) {
        if others.isEmpty, number >= marks.count { return }
        var inserted = others.marks.map { $0 == 0 ? 0 : mark(of: others.people[Int($0) - 1]) }
        inserted.append(contentsOf: repeatElement(0, count: count - inserted.count))
        reach(number)
        marks.insert(contentsOf: inserted, at: number)
    }

    /// Removes a range of items.
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

/// Who of the staff entered what in a record or in one entry.
struct RecordAuthors: Sendable, Equatable {
    /// Authors by number of the value.
    var values = Authorship()
    /// Authors of statuses by number of the entry.
    var statuses = Authorship()

    /// Whether the student entered everything.
    var isEmpty: Bool { values.isEmpty && statuses.isEmpty }
}
