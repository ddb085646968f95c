import Classes
import Gradebook
import GradingKit
import Shared

/// Collects the results and figures of a class's rows, row by row, for its statistics.
///
/// It holds a number for each result: at most as many as a class has cells.
struct ClassTally: Sendable {
    private var results: [ResultTally]
    private var figures: [FigureTally]
    /// Students in the class.
    private(set) var students = 0

    /// Creates an empty tally.
    init(_ columns: ClassColumns) {
        results = columns.list.filter { $0.gradeField != nil }.map { ResultTally($0) }
        figures = columns.figures.map { FigureTally($0.name, $0.presentation) }
    }

    /// Adds a row. Students who have left the class are not counted.
    mutating func add(_ enrolled: EnrolledRow, _ shown: GridFigures) {
        guard !enrolled.enrolment.isWithdrawn else { return }
        students += 1
        for place in results.indices { results[place].add(enrolled.row) }
        for place in figures.indices { figures[place].add(shown) }
    }

    /// The statistics of a class as JSON.
    func document(of snapshot: ClassSnapshot) -> [UInt8] {
        var writer = JSONWriter(capacity: 1_024 * (1 + results.count))
        writer.object { writer in
            writer.member("v", snapshot.version)
            writer.member("s", snapshot.structure.number)
            writer.member("students", students)
            writer.member("columns") { writer in
                writer.array { for tally in results { tally.write(to: &$0, students: students) } }
            }
            writer.member("figures") { writer in
                writer.array { for tally in figures { tally.write(to: &$0, students: students) } }
            }
        }
        return writer.bytes
    }
}

/// The results of one column. A result with a status, such as excused, counts only by its status.
private struct ResultTally: Sendable {
    private let column: ClassBook.Column
    private var numbers: [Exact] = []
    private var statuses: [String: Int] = [:]
    private var unagreed = 0

    init(_ column: ClassBook.Column) { self.column = column }

    mutating func add(_ row: ClassRow) {
        guard let cell = row.cells[column.line.number] else { return }
        if column.isUnagreed(cell) { unagreed += 1 }
        if let status = cell.statusWord {
            statuses[status, default: 0] += 1
        } else if case .number(let number)? = column.result(of: cell) {
            numbers.append(number)
        }
    }

    /// The number of decimals for computed values: that of the results, if one has more than two.
    private var decimals: Int { numbers.allSatisfy { ($0 * Exact(100)).integer != nil } ? 2 : 4 }

    func write(to writer: inout JSONWriter, students: Int) {
        writer.object { writer in
            writer.member("line", column.line.id.text)
            writer.member("count", numbers.count)
            writer.member("without", students - numbers.count)
            if column.line.marking.double != nil { writer.member("unagreed", unagreed) }
            writer.member("statuses") { writer in
                writer.object { writer in
                    for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
                        writer.member(status, count)
                    }
                }
            }
            writer.member("numbers") {
                $0.write(NumberStatistics(numbers, on: column.scale), scale: decimals) { $0.decimalText }
            }
        }
    }
}

/// The displayed values of one figure, and their letters.
private struct FigureTally: Sendable {
    private let name: String
    private let presentation: Presentation
    private let letters: [String]
    private var numbers: [Exact] = []
    private var lettered: [Int]

    init(_ name: String, _ presentation: Presentation) {
        self.name = name
        self.presentation = presentation
        letters = presentation.letters?.list.map(\.label) ?? []
        lettered = [Int](repeating: 0, count: letters.count)
    }

    mutating func add(_ figures: GridFigures) {
        guard let shown = figures.shown[name] else { return }
        numbers.append(shown.value)
        if let letter = shown.letter, let place = letters.firstIndex(of: letter) { lettered[place] += 1 }
    }

    func write(to writer: inout JSONWriter, students: Int) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("count", numbers.count)
            writer.member("without", students - numbers.count)
            let scale = max(2, presentation.rule.shown.grid.scale)
            writer.member("numbers") { $0.write(NumberStatistics(numbers), scale: scale, presentation.display) }
            guard !letters.isEmpty else { return }
            writer.member("letters") { writer in
                writer.array { writer in
                    for (letter, count) in zip(letters, lettered) {
                        writer.object {
                            $0.member("letter", letter)
                            $0.member("count", count)
                        }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes statistics. Computed values are rounded half up to this many decimals; `text` writes a number that occurs
    /// in the class.
    mutating func write(
        _ statistics: NumberStatistics?, scale: Int, _ text: (Exact) -> String?
    ) {
        guard let statistics else { return null() }
        let rounded = { (value: Exact) in Rounding.halfUp.text(value, scale: scale) }
        object { writer in
            writer.member("mean", rounded(statistics.mean))
            writer.member("least", text(statistics.least))
            writer.member("lowerQuartile", rounded(statistics.lowerQuartile))
            writer.member("median", rounded(statistics.median))
            writer.member("upperQuartile", rounded(statistics.upperQuartile))
            writer.member("greatest", text(statistics.greatest))
            writer.member("bars") { writer in
                writer.array { writer in
                    for bar in statistics.bars {
                        writer.object {
                            $0.member("from", bar.from?.decimalText)
                            $0.member("to", bar.to?.decimalText)
                            $0.member("count", bar.count)
                        }
                    }
                }
            }
        }
    }
}
