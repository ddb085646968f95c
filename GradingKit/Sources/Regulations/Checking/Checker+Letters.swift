import GradingKit

/// A grade by letters by which a formula looks into a table: its rows or columns are called as the letters.
struct LetterKey: Sendable {
    /// The letters, the best first.
    private let letters: [Band]
    private let look: LetterLook
    /// The grade as it counts.
    let quantity: Code<Quantity>
    /// Where among the rows or columns its letter stands.
    let place: Code<Int?>

    /// What better letters do to what a formula finds.
    var trend: Trend { look.trend }

    init(_ field: FieldModel, _ way: Way, _ look: LetterLook) {
        let (points, text, letters) = (Field<Exact>(field.name), Field<String>(field.name), field.shape.letters)
        (self.letters, self.look) = (letters, look)
        quantity = way.code { $0[points] }
        place = way.code { entry -> Int? in
            guard let value = entry[points].value else { return nil }
            // Of letters that are worth the same it is the one that is recorded.
            let recorded = entry[text]
            let letter =
                letters.firstIndex { $0.label == recorded && $0.points == value }
                ?? (letters.last?.points == value ? letters.count - 1 : letters.firstIndex { $0.points == value })
            return letter.flatMap { look.places[$0] }
        }
    }

    /// The letters as bands that are worth what a line of a table has for them.
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

/// How letters look among the rows or columns of a table.
struct LetterLook: Sendable {
    /// Where each letter stands, the best first; `nil` for one that is not there.
    let places: [Int?]
    /// What better letters do to what is found there.
    let trend: Trend

    /// What is looked up once for all formulas.
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
        // Texts go up and down in no order.
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
    /// The number in a cell. Where letters decide which one it is, the explanation goes through them as through bands.
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
