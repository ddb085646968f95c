import GradingKit

/// A letter grade with which a formula looks into a table whose rows or columns are named after the letters.
struct LetterKey: Sendable {
    /// The letters, best first.
    private let letters: [Band]
    private let look: LetterLook
    /// The grade that counts.
    let quantity: Code<Quantity>
    /// The index of its letter among the rows or columns.
    let place: Code<Int?>

    /// How better letters change what the formula finds.
    var trend: Trend { look.trend }

    init(_ field: FieldModel, _ way: Way, _ look: LetterLook) {
        let (points, text, letters) = (Field<Exact>(field.name), Field<String>(field.name), field.shape.letters)
        (self.letters, self.look) = (letters, look)
        quantity = way.code { $0[points] }
        place = way.code { entry -> Int? in
            guard let value = entry[points].value else { return nil }
            // If several letters are worth the same, the recorded one decides.
            let recorded = entry[text]
            let letter =
                letters.firstIndex { $0.label == recorded && $0.points == value }
                ?? (letters.last?.points == value ? letters.count - 1 : letters.firstIndex { $0.points == value })
            return letter.flatMap { look.places[$0] }
        }
    }

    /// The letters as bands whose points come from a line of a table.
    fileprivate func bands(_ line: (_ place: Int) -> Exact?) -> Bands {
        var list: [Band] = []
        for (letter, value) in zip(letters, look.places.map { $0.flatMap(line) }) {
            guard let points = letter.points, let value, list.last?.from != points else { continue }
            list.append(Band(letter.label, from: points, points: value))
        }
        var rule = FigureRule(.halfUp, scale: 6, compareOn: .exact)
        if let best = letters.first?.points, let worst = letters.last?.points, best < worst { rule.better = .lower }
        return Bands(list, judging: rule)
    }
}

/// The letters among the rows or columns of a table.
struct LetterLook: Sendable {
    /// The index of each letter, best first; `nil` for a letter that is not there.
    let places: [Int?]
    /// How better letters change what is found.
    let trend: Trend

    /// The key of a look that all formulas share.
    struct Key: Hashable {
        let table: String
        let isRow: Bool
        let letters: [Band]
    }

    init(of letters: [Band], ofRows isRow: Bool, in table: TableModel) {
        let labels = isRow ? table.rows : table.columns
        places = letters.map { labels.place(of: $0.label) }
        trend = Self.trend(of: places, ofRows: isRow, in: table)
    }

    private static func trend(of places: [Int?], ofRows isRow: Bool, in table: TableModel) -> Trend {
        // Texts have no order.
        if table.holdsTexts { return .either }
        var trend = Trend.still
        for line in 0..<(isRow ? table.width : table.rows.names.count) {
            var better: Exact?
            for (number, place) in places.enumerated() {
                let cell = place.flatMap {
                    isRow ? table.value(row: $0, column: line) : table.value(row: line, column: $0)
                }
                guard let value = cell?.number else { return .either }
                if number > 0, let better, better != value { trend = trend + (better > value ? .rises : .falls) }
                better = value
            }
        }
        return trend
    }
}

extension Checker {
    func look(
        of letters: [Band], ofRows isRow: Bool, _ table: TableModel, _ name: Formula.Word
    ) -> LetterLook {
        let key = LetterLook.Key(table: name.text, isRow: isRow, letters: letters)
        if let known = letterLooks[key] { return known }
        let look = LetterLook(of: letters, ofRows: isRow, in: table)
        letterLooks[key] = look
        return look
    }
}

extension TableModel {
    /// The number in a cell. If letters choose the cell, the explanation shows them as bands.
    func numbers(_ place: Code<Place?>, _ row: LetterKey?, _ column: LetterKey?) -> Code<Quantity> {
        @Sendable func number(_ place: Place) -> Exact? { value(row: place.row, column: place.column)?.number }
        func through(
            _ letter: LetterKey, _ line: @escaping @Sendable (_ place: Int, _ here: Place) -> Place
        ) -> Code<Quantity> {
            place.with(letter.quantity) { here, grade in
                guard let here, let value = number(here) else {
                    return grade.isDefined ? .undefined(.notInTable) : grade
                }
                return grade.standing(for: value, in: letter.bands { number(line($0, here)) })
            }
        }
        let codes = [
            row.map { through($0) { Place(row: $0, column: $1.column) } },
            column.map { through($0) { Place(row: $1.row, column: $0) } },
        ].compactMap(\.self)
        guard let first = codes.first else {
            return place.map { here in here.flatMap { number($0) }.map { Quantity($0) } ?? .undefined(.notInTable) }
        }
        // The row and the column lead to the same number, and both letters explain it. A missing grade is reported before a
        // letter that the table lacks.
        return codes.dropFirst().reduce(first) { code, other in
            code.with(other) { $0.reason == .notInTable ? $1 : .min($0, $1) }
        }
    }
}
