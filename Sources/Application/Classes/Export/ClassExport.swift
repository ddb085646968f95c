import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
import Records
public import Shared

/// A class as a file, made in pieces: each is read from the store and written on request.
///
/// The first rows are from one moment. Later ones are from the same moment or newer, in the same structure. If the
/// structure changes meanwhile, the file ends early.
public actor ClassExport {
    /// What a file is.
    public enum Format: Sendable {
        /// Comma-separated values in a dialect.
        case csv(ResultBody.Dialect)
        /// A workbook of one sheet (Office Open XML).
        case xlsx

        /// The suffix of its name.
        public var suffix: String {
            switch self {
            case .csv: "csv"
            case .xlsx: "xlsx"
            }
        }

        fileprivate func writer(titled title: String) throws -> any TableWriter {
            switch self {
            case .csv(let dialect): CSVWriter(dialect)
            case .xlsx: try WorkbookTable(titled: title)
            }
        }
    }

    /// The number of rows to read, and to judge in one turn.
    static let rowsOfPart = 100
    /// A piece ends with the row that reaches this many bytes.
    static let bytesOfPiece = 128 << 10
    /// How often a later piece waits for room among the calculations.
    private static let attempts = 5

    /// The title of the class.
    public nonisolated let title: String
    private let classes: ClassService
    private let program: Program
    private let context: AccountContext
    private let table: ClassTable
    private let group: GroupID?
    private let hasComments: Bool
    private let size: Int
    private var writer: any TableWriter
    /// The rows read last, without those already written.
    private var part: GridRows
    private var rows: [GridRow]
    private var first: [UInt8] = []
    private var hasEnded = false

    fileprivate init(
        _ classes: ClassService, _ program: Program, _ part: GridRows, _ group: GroupID?, _ columns: ClassColumns,
        withPersonNames hasPersonNames: Bool, withComments hasComments: Bool, as format: Format, inPartsOf size: Int,
        for context: AccountContext
    ) throws {
        self.classes = classes
        self.program = program
        self.context = context
        self.part = part
        self.group = group
        self.hasComments = hasComments
        self.size = size
        rows = part.rows(in: group)
        title = part.snapshot.head.title
        table = ClassTable(
            columns, withPersonNames: hasPersonNames, withComments: hasComments, in: context.language)
        writer = try format.writer(titled: part.snapshot.head.title)
    }

    /// Returns the next piece; empty at the end.
    ///
    /// - Throws: why the file cannot be completed: a permission ended, the structure changed, or the store does not
    ///   answer.
    public func next() async throws -> [UInt8] {
        guard first.isEmpty else {
            defer { first = [] }
            return first
        }
        while !hasEnded {
            let piece = try await piece(isFirst: false)
            if !piece.isEmpty { return piece }
        }
        return []
    }

    /// Makes the first piece, so that refusals come before anything is sent.
    fileprivate func begin() async throws {
        try writer.head(table.titles, keys: table.keys)
        first = try await piece(isFirst: true)
    }

    private func piece(isFirst: Bool) async throws -> [UInt8] {
        while rows.isEmpty {
            guard part.rows.count == size, let last = part.rows.last else {
                hasEnded = true
                try writer.end()
                return try writer.take()
            }
            try await read(after: last.place)
        }
        let (comments, count) =
            hasComments
            ? try await ExportedComments.reading(
                rows, in: part.snapshot.structure, upTo: Self.bytesOfPiece, from: classes, for: context)
            : (ExportedComments(), rows.count)
        let (part, rows) = (part, Array(rows.prefix(count)))
        let institution = part.snapshot.head.institution
        let rules = try await classes.grids.rules(of: rows, in: program)
        let names = try await classes.records.institutions.members.students(
            rows.compactMap(\.enrolled.enrolment.student), in: institution)
        let cost = CalculationCost(judging: rows.count, of: part.snapshot.structure.lines.count)
        let made = try await perform(cost, isFirst: isFirst) { [writer, table, grids = classes.grids] in
            var (writer, done) = (writer, 0)
            while done < rows.count, writer.waiting < Self.bytesOfPiece {
                let row = rows[done]
                done += 1
                try writer.row(
                    table.cells(
                        of: row.enrolled, row.enrolled.enrolment.student.flatMap { names[$0] },
                        grids.figures(of: row, part, rules), comments))
            }
            return (bytes: try writer.take(), writer: writer, done: done)
        }
        writer = made.writer
        self.rows.removeFirst(made.done)
        return made.bytes
    }

    private func read(after place: Int) async throws {
        let id = part.snapshot.head.id
        // If the permission was taken away meanwhile, no more rows are sent.
        _ = try await classes.permit(.read, id, ClassSight(group), for: context)
        guard let found = try await classes.store.grid(of: id, since: 0, after: place, limit: size) else {
            throw UseCaseError.notFound
        }
        guard found.snapshot.structure.number == part.snapshot.structure.number else {
            throw UseCaseError.unavailable("The structure of the class changed")
        }
        (part, rows) = (found, found.rows(in: group))
    }

    /// Performs a calculation in the caller's turn. Once a part of the file has been sent, it waits for room.
    private func perform<Value: Sendable>(
        _ cost: CalculationCost, isFirst: Bool, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let asker = context.request.asker
        if isFirst {
            return try await classes.calculations.perform(cost, for: asker, until: context.request.deadline, work)
        }
        for _ in 0..<Self.attempts {
            do {
                return try await classes.calculations.perform(cost, for: asker, work)
            } catch let error as UseCaseError where error.isRetryable {
                try await Task.sleep(for: .seconds(error.retryAfter ?? 1))
            }
        }
        return try await classes.calculations.perform(cost, for: asker, work)
    }
}

extension ClassService {
    /// A class as a file, with results that students do not see yet and without students who have left. The audit trail
    /// records the export.
    ///
    /// - Parameters:
    ///   - group: the group of the students in the file; `nil` for all students.
    ///   - hasComments: whether each line with results has a column with the comments on them.
    /// - Throws: `not_found` and `forbidden` as for the rows; `rate_limited` while too many of the caller's
    ///   calculations run at once.
    public func export(
        of id: ClassID, _ group: GroupID? = nil, withComments hasComments: Bool = false,
        as format: ClassExport.Format, for context: AccountContext
    ) async throws -> ClassExport {
        try await export(
            of: id, group, withComments: hasComments, as: format, inPartsOf: ClassExport.rowsOfPart, for: context)
    }

    /// The file, made from this many rows at a time.
    func export(
        of id: ClassID, _ group: GroupID? = nil, withComments hasComments: Bool = false,
        as format: ClassExport.Format, inPartsOf size: Int, for context: AccountContext
    ) async throws -> ClassExport {
        let permit = try await permit(.read, id, ClassSight(group), for: context)
        guard let part = try await store.grid(of: id, since: 0, after: 0, limit: size) else {
            throw UseCaseError.notFound
        }
        guard let columns = try await grids.columns(of: part.snapshot, in: permit.program) else {
            throw StoreError.unavailable("no rules take the structure of class \(id)")
        }
        let export = try ClassExport(
            self, permit.program, part, group, columns,
            withPersonNames: try await store.hasPersonNames(in: id), withComments: hasComments, as: format,
            inPartsOf: size, for: context)
        try await export.begin()
        try await records.readings.note(
            context, exports: id, as: format.suffix, in: permit.snapshot.head.institution)
        return export
    }
}

extension GridRows {
    /// The rows of students who have not left: those of a group, or all.
    fileprivate func rows(in group: GroupID?) -> [GridRow] {
        rows.filter { !$0.enrolled.enrolment.isWithdrawn && $0.enrolled.enrolment.isCounted(in: group) }
    }
}
