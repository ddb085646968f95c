import Classes
import Forms
import Gradebook
import GradingKit
import Institutions
import Records
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct ClassExportTests {
    private static let format = ClassExport.Format.csv(ResultBody.Dialect())

    /// The pieces of a file to its end.
    private func pieces(of file: ClassExport) async throws -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while true {
            let piece = try await file.next()
            if piece.isEmpty { return pieces }
            pieces.append(piece)
        }
    }

    private func rows(_ pieces: [[UInt8]]) -> [Substring] {
        String(decoding: pieces.joined(), as: UTF8.self).split(separator: "\r\n")
    }

    /// Some of the rows of the largest class, all like the first one of another.
    private static func rows(like found: GridRows, after place: Int, limit: Int) -> GridRows {
        var rows: [GridRow] = []
        for number in place..<min(place + limit, ClassLimits.students) {
            guard let row = found.rows.first else { break }
            let enrolment = row.enrolled.enrolment
            let copy = Enrolment(
                id: EnrolmentID("row-\(number)"), classID: enrolment.classID, student: enrolment.student,
                record: enrolment.record, entry: enrolment.entry, since: enrolment.since)
            let enrolled = EnrolledRow(copy, row.enrolled.row, version: row.enrolled.version)
            rows.append(GridRow(enrolled, at: number + 1, programVersion: row.programVersion))
        }
        return GridRows(found.snapshot, in: found.epoch, structuredAt: found.structuredAt, rows: rows)
    }

    @Test func `rows that are read in parts stand in one table`() async throws {
        let harness = try await ClassHarness()
        let found = try await harness.working {
            let whole = try await harness.classes.export(of: harness.id, as: Self.format, for: harness.teacher)
            let parts = try await harness.classes.export(
                of: harness.id, as: Self.format, inPartsOf: 1, for: harness.teacher)
            return (try await pieces(of: whole), try await pieces(of: parts))
        }
        #expect(rows(found.0) == rows(found.1))
        #expect(rows(found.0).count == 2 + ClassHarness.students)
        #expect(found.0.count == 1 && found.1.count == ClassHarness.students)
    }

    @Test func `no more is made of a file when the structure changes`() async throws {
        let harness = try await ClassHarness()
        harness.gradebook.interrupt { if $0 > 0 { try await harness.restructure() } }
        try await harness.working {
            let file = try await harness.classes.export(
                of: harness.id, as: Self.format, inPartsOf: 2, for: harness.teacher)
            #expect(rows([try await file.next()]).count == 4)
            let error = await #expect(throws: UseCaseError.self) { try await file.next() }
            #expect(error?.code == "unavailable")
        }
    }

    @Test func `who may not read the class any more gets no more of it`() async throws {
        let harness = try await ClassHarness()
        try await harness.working {
            let file = try await harness.classes.export(
                of: harness.id, as: Self.format, inPartsOf: 2, for: harness.teacher)
            _ = try await file.next()
            let programs = harness.programs
            _ = try await programs.institutions.members.set(
                MemberPlace.form.input(["role": "student"]), for: harness.teacher.account,
                in: try await programs.current().institution, by: programs.act)
            await #expect(throws: UseCaseError.self) { try await file.next() }
        }
    }

    @Test func `the pieces of a large class are short, and each student stands in one`() async throws {
        let harness = try await ClassHarness()
        harness.gradebook.substitute { Self.rows(like: $0, after: $1, limit: $2) }
        let found = try await harness.working {
            try await pieces(of: harness.classes.export(of: harness.id, as: Self.format, for: harness.teacher))
        }
        let rows = rows(found)
        #expect(rows.count == 2 + ClassLimits.students)
        #expect(Set(rows.dropFirst(2)).count == ClassLimits.students)
        #expect(found.count == ClassLimits.students / ClassExport.rowsOfPart)
        #expect(found.allSatisfy { $0.count < ClassExport.bytesOfPiece })
    }

    @Test func `an account with as many calculations waiting as may wait is asked to come back`() async throws {
        let harness = try await ClassHarness(capacity: 5)
        let (classes, id, teacher) = (harness.classes, harness.id, harness.teacher)
        let first = Task { try await classes.export(of: id, as: Self.format, for: teacher) }
        try await harness.someWait()
        let error = await #expect(throws: UseCaseError.self) {
            try await classes.export(of: id, as: Self.format, for: teacher)
        }
        #expect(error?.code == "rate_limited")
        let actions = { harness.programs.trail.items.map(\.action).filter { $0 == "class.exported" } }
        #expect(actions().isEmpty)
        _ = try await harness.working { try await first.value }
        #expect(actions().count == 1)
    }

    @Test func `a status of the total stands beside the figures, one that the total does not take nowhere`() throws {
        let book = try courseBook(items: 1)
        let table = ClassTable(ClassColumns(book), withPersonNames: false, withComments: false, in: .french)
        let enrolment = Enrolment(
            id: EnrolmentID("row"), classID: ClassID("c"), student: nil, record: RecordID("r"), entry: EntryID("e"),
            since: CalendarDay(days: 20_000))
        func end(_ status: Status?) -> [TableCell] {
            let row = EnrolledRow(enrolment, ClassRow(status: status), version: 1)
            return table.cells(of: row, nil, .none, ExportedComments()).suffix(2)
        }
        #expect(table.keys.suffix(2) == [.text("status"), .text("row")])
        #expect(table.titles.suffix(2) == [.text("Statut"), .text("Ligne")])
        #expect(end(.withdrawn) == [.text("withdrawn"), .text("row")])
        #expect(end(nil) == [.empty, .text("row")])
        #expect(!book.statuses.contains(.absent))
        #expect(end(.absent) == [.empty, .text("row")])
    }

    @Test func `a row of the widest class is short, and the reader of CSV takes it`() throws {
        let book = try courseBook(items: ClassLimits.lines - 2)
        let table = ClassTable(ClassColumns(book), withPersonNames: false, withComments: false, in: .english)
        let value = try #require(Exact(123_456_789, over: 10_000_000))
        let cell = ClassCell(["score": .number(value)], status: .excused)
        let enrolment = Enrolment(
            id: EnrolmentID("row"), classID: ClassID("c"), student: nil, record: RecordID("r"), entry: EntryID("e"),
            since: CalendarDay(days: 20_000))
        let row = ClassRow(Dictionary(uniqueKeysWithValues: book.columns.keys.map { ($0, cell) }))
        let cells = table.cells(of: EnrolledRow(enrolment, row, version: 1), nil, .none, ExportedComments())
        #expect(cells.count { $0 == .number("12.3456789", status: "excused") } == ClassLimits.lines - 2)
        var csv = CSVWriter()
        csv.row(cells)
        var reader = CSVReader(csv.bytes, delimiter: UInt8(ascii: ","), longest: ResultBody.longestRow)
        let read = try #require(try reader.next())
        #expect(read.cells.count == cells.count && !read.isTooLong)
        var workbook = try WorkbookTable(titled: "Algorithms")
        _ = try workbook.take()
        workbook.row(cells)
        #expect(workbook.waiting < ClassExport.bytesOfPiece / 4)
    }
}
