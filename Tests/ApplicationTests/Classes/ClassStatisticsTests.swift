import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

@testable import Application

@Suite struct ClassStatisticsTests {
    private func row(_ number: Int, _ cells: [Int: ClassCell], isWithdrawn: Bool = false) -> EnrolledRow {
        EnrolledRow(
            Enrolment(
                id: EnrolmentID("e\(number)"), classID: ClassID("c"), student: AccountID("a\(number)"),
                record: RecordID("r\(number)"), entry: EntryID("course\(number)"), since: CalendarDay(days: 20_000),
                isWithdrawn: isWithdrawn), ClassRow(cells), version: 1)
    }

    private func score(_ value: Int) -> ClassCell { ClassCell(["score": .number(Exact(value))]) }

    private func answer(_ tally: ClassTally, _ book: ClassBook) throws -> (json: JSON, length: Int) {
        let head = ClassHead(
            id: ClassID("c"), institution: InstitutionID("i"), program: ProgramID("p"), title: "Algorithms",
            createdAt: Timestamp(microseconds: 0))
        let bytes = tally.document(of: ClassSnapshot(head: head, version: 7, structure: book.structure, staff: []))
        return (try JSON.parse(bytes), bytes.count)
    }

    @Test(arguments: 0..<20) func `of random classes are those of their cells and of what the grid shows`(seed: Int)
        throws
    {
        var chance = Chance(state: UInt64(seed))
        let book = try courseBook(items: 3)
        let lines = book.columns.keys.sorted()
        var tally = ClassTally(ClassColumns(book))
        var (values, excused, students): ([Int: [Int]], [Int: Int], Int) = ([:], [:], 0)
        var (grades, letters): ([Exact], [String: Int]) = ([], [:])
        for number in 0..<Int.random(in: 0...40, using: &chance) {
            let isWithdrawn = Int.random(in: 0..<6, using: &chance) == 0
            var cells: [Int: ClassCell] = [:]
            for line in lines {
                let value = Int.random(in: 0...100, using: &chance)
                switch Int.random(in: 0..<5, using: &chance) {
                case 0: break
                case 1:
                    cells[line] = ClassCell(["score": .number(Exact(value))], status: .excused)
                    if !isWithdrawn { excused[line, default: 0] += 1 }
                default:
                    cells[line] = score(value)
                    if !isWithdrawn { values[line, default: []].append(value) }
                }
            }
            let row = row(number, cells, isWithdrawn: isWithdrawn)
            let figures = try GridFigures(of: row, under: book)
            tally.add(row, figures)
            guard !isWithdrawn else { continue }
            students += 1
            let shown = try JSON.parse(figures.text)["grade"]?.array?.compactMap(\.string) ?? []
            guard shown.count == 2 else { continue }
            grades.append(try #require(DecimalText(shown[0])?.value))
            letters[shown[1], default: 0] += 1
        }
        let json = try answer(tally, book).json
        #expect(json["students"] == .number(String(students)))
        for (place, line) in lines.enumerated() {
            let (own, column) = (values[line] ?? [], json["columns"]?.array?[place])
            #expect(column?["count"] == .number(String(own.count)))
            #expect(column?["without"] == .number(String(students - own.count)))
            #expect(column?["statuses"]?["excused"] == excused[line].map { .number(String($0)) })
            #expect(column?["numbers"]?.isNull == own.isEmpty)
            guard let least = own.min(), let greatest = own.max() else { continue }
            #expect(column?["numbers"]?["least"]?.string == String(least))
            #expect(column?["numbers"]?["greatest"]?.string == String(greatest))
            let mean = try #require(Exact(own.reduce(0, +), over: own.count))
            #expect(column?["numbers"]?["mean"]?.string == Rounding.halfUp.text(mean, scale: 2))
        }
        let figure = try #require(json["figures"]?.array?.first { $0["name"] == "grade" })
        #expect(figure["count"] == .number(String(grades.count)))
        for item in figure["letters"]?.array ?? [] {
            let letter = try #require(item["letter"]?.string)
            #expect(item["count"] == .number(String(letters[letter] ?? 0)))
        }
        if let mean = grades.reduce(.zero, +) / Exact(grades.count) {
            #expect(figure["numbers"]?["mean"]?.string == Rounding.halfUp.text(mean, scale: 2))
        }
    }

    @Test func `of finer results are rounded as finely`() throws {
        let book = try courseBook(items: 1)
        let line = try #require(book.columns.keys.first)
        var tally = ClassTally(ClassColumns(book))
        let result = try #require(Exact(1_271, over: 10_000))
        tally.add(row(1, [line: ClassCell(["score": .number(result)])]), .none)
        let numbers = try answer(tally, book).json["columns"]?.array?[0]["numbers"]
        for name in ["mean", "least", "lowerQuartile", "median", "upperQuartile", "greatest"] {
            #expect(numbers?[name]?.string == "0.1271")
        }
    }

    @Test func `of the largest class are a short answer`() throws {
        let book = try courseBook(items: ClassLimits.lines - 2)
        let lines = book.columns.keys.sorted()
        var tally = ClassTally(ClassColumns(book))
        let cells = Dictionary(uniqueKeysWithValues: lines.map { ($0, score($0 % 101)) })
        for number in 0..<ClassLimits.students { tally.add(row(number, cells), .none) }
        let (json, length) = try answer(tally, book)
        #expect(json["columns"]?.array?.count == lines.count)
        #expect(json["columns"]?.array?.first?["count"] == .number(String(ClassLimits.students)))
        #expect(length < 300_000)
    }
}
