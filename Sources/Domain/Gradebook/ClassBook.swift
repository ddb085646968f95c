public import Classes
public import GradingKit
public import Records
import Shared

/// A class's structure under the rules of one version of its program. It assembles rows as parts of records, and judges
/// them.
///
/// The structure is checked as a model record: the root with its lines, without grades.
public struct ClassBook: Sendable {
    /// A line in which students have cells of their own: a result, or fields per student alone.
    public struct Column: Sendable {
        /// The line.
        public let line: ClassLine
        /// Its kind.
        public let kind: KindShape
        /// The field of results; `nil` if each student has only other fields, such as whether a module was a resit.
        public let gradeField: String?
        /// The names of the kind's fields in other versions of the program.
        var aliases = NameAliases()

        /// Returns a cell with the field names of this version. Other versions may have stored it.
        public func named(_ cell: ClassCell) -> ClassCell {
            guard cell.values.keys.contains(where: { aliases.own(of: $0) != nil }) else { return cell }
            var named = cell
            for name in cell.values.keys where aliases.own(of: name) != nil { named.values[name] = nil }
            for field in kind.fields {
                if let name = storedName(of: field.name, in: cell) { named.values[field.name] = cell.values[name] }
            }
            return named
        }

        /// The name under which a cell stores the value of a field: the field's own, or else the first of its names in
        /// other versions; `nil` if it stores none.
        func storedName(of field: String, in cell: ClassCell) -> String? {
            cell.values[field] != nil ? field : aliases.names(of: field).first { cell.values[$0] != nil }
        }

        /// The result of a cell; `nil` for none.
        public func result(of cell: ClassCell) -> FieldValue? { gradeField.flatMap { named(cell).values[$0] } }

        /// Whether each student has a separate value in a field. A second grade, such as that of a resit, stands only
        /// beside a result.
        public func holds(_ field: FieldShape) -> Bool {
            field.name == gradeField || field.isPerStudent && (gradeField != nil || !field.isGrade)
        }
    }

    /// The structure, with the kind and field names of these rules.
    public let structure: ClassStructure
    /// The structure as the caller gave it.
    let original: ClassStructure
    /// The rules that judge.
    public let rules: RecordRules
    /// The columns, by the numbers of lines.
    public let columns: [Int: Column]
    /// The columns with a curve.
    private let curved: [Int: Column]
    /// The kind of the root.
    public let rootKind: KindShape
    private let model: RecordTree
    /// The model records of sections.
    private let models: [SectionID: RecordTree]
    private let lines: [EntryID: Int]
    /// The fields that the cells of students contain, by line.
    private let cellFields: [EntryID: Set<String>]
    /// The figures of a row that the rules do not take yet.
    private let undefined: GivenFigures
    /// The names of a row's figures in other versions of the program.
    let figureAliases: NameAliases
    /// The names in the newest rules of figures that were renamed since.
    private let newestNames: [String: String]

    /// Creates the book of a structure under some rules.
    ///
    /// - Parameter newest: the newest rules of the program, whose names the structure may use.
    /// - Throws: every fault of the structure, in the scheme's words, below `/lines/{line}`; `not_mountable` for a
    ///   scheme that does not accept given figures, and for a root that cannot be directly in the record.
    public init(
        _ original: ClassStructure, under rules: RecordRules, renamedBy newest: Rulebook? = nil
    ) throws(FaultList) {
        let book = rules.rules
        let names = ShapeNames(book, newest: newest ?? book)
        let structure = names.named(original)
        guard book.takesGiven, let root = book.shape.kinds.first(where: { $0.kind.name == structure.root.kind }),
            root.parent == .record, root.copies == nil
        else { throw FaultList([Fault(.notMountable, ["kind": .string(structure.root.kind)])]) }
        do {
            model = try book.storedRecord(fields: .null, entries: [structure.model(of: nil)])
        } catch {
            throw FaultList(error.faults.map { structure.placed($0) })
        }
        let (entry, tree) = (EntryID(structure.root.id.text), model)
        lines = Dictionary(
            structure.lines.map { (EntryID($0.id.text), $0.number) }, uniquingKeysWith: { first, _ in first })
        let kinds = Dictionary(
            book.shape.kinds.map { ($0.kind.name, $0) }, uniquingKeysWith: { first, _ in first })
        cellFields = Dictionary(
            structure.lines.map { line in
                let fields = kinds[line.kind]?.fields ?? []
                return (EntryID(line.id.text), Set(fields.filter { $0.isGrade || $0.isPerStudent }.map(\.name)))
            }, uniquingKeysWith: { first, _ in first })
        let cells = cellFields
        let faults = try book.faults(of: model).filter { !Self.isWanting($0, cells) }
        try FaultList(faults.map { Self.placed($0) }).check()
        columns = try Self.columns(of: structure, in: model, kinds, cells, book).mapValues { column in
            var column = column
            column.aliases = names.aliases(in: column.kind)
            return column
        }
        try FaultList(
            Self.misplacedFields(of: structure, columns) + Self.misplacedCurves(of: structure, columns)
                + Self.misplacedMarkings(of: structure, columns)
        ).check()
        curved = columns.filter { $0.value.line.curve != nil }
        models = try Self.models(of: structure, book, cells)
        undefined = GivenFigures(
            try book.given(of: entry, in: tree).figures.mapValues { _ in GivenFigure(.undefined(.ungraded)) })
        rootKind = root
        figureAliases = names.figureAliases(of: root)
        newestNames = book.figureNames(of: root.kind).reduce(into: [:]) { known, name in
            let newest = names.newestName(of: name, of: root)
            if newest != name { known[name] = newest }
        }
        self.structure = structure
        self.original = original
        self.rules = rules
    }

    /// Whether a fault only means that something is still to come: a grade, another value of the student's cell, or a
    /// line. A field of the structure is never still to come: without it no result would count.
    private static func isWanting(_ fault: EntryFault, _ cells: [EntryID: Set<String>]) -> Bool {
        if fault.code == .missingChild { return true }
        guard fault.code == .missingField, let field = fault.field else { return false }
        // The class is not concerned by what the record itself lacks.
        guard let entry = fault.entry else { return true }
        return cells[entry]?.contains(field) ?? false
    }

    private func isWanting(_ fault: EntryFault) -> Bool { Self.isWanting(fault, cellFields) }

    /// The model records of sections, each checked like that of the class.
    private static func models(
        of structure: ClassStructure, _ book: Rulebook, _ cells: [EntryID: Set<String>]
    ) throws(FaultList) -> [SectionID: RecordTree] {
        var (models, faults) = ([SectionID: RecordTree](), FaultList())
        for section in structure.sections {
            let place = "/sections" + JSONPointer.step(section.id.text)
            let own = cells[EntryID(structure.root.id.text)] ?? []
            for member in section.fields where own.contains(member.name) {
                faults.add(Fault(.notInStructure, at: place + "/fields" + JSONPointer.step(member.name)))
            }
            do {
                let model = try book.storedRecord(fields: .null, entries: [structure.model(of: section.id)])
                for fault in try book.faults(of: model) where !isWanting(fault, cells) {
                    let field = fault.field.map { "/fields" + JSONPointer.step($0) } ?? ""
                    faults.add(Fault(fault.code, at: place + field, fault.arguments))
                }
                models[section.id] = model
            } catch {
                for fault in error.faults {
                    let field = fault.path.split(separator: "/").last.map { "/fields/" + $0 } ?? ""
                    faults.add(Fault(fault.code, at: place + field, fault.arguments))
                }
            }
        }
        try faults.check()
        return models
    }

    /// The faults of values in lines that belong in the cells of students.
    private static func misplacedFields(of structure: ClassStructure, _ columns: [Int: Column]) -> [Fault] {
        structure.lines.flatMap { line -> [Fault] in
            // Without results it may have a value from before its students could have their own.
            guard let column = columns[line.number], column.gradeField != nil else { return [] }
            let names = column.kind.fields.filter { $0.isPerStudent || $0.name == column.gradeField }.map(\.name)
            return names.filter { line.fields[$0].map { !$0.isNull } ?? false }.map { Self.misplaced($0, in: line) }
        }
    }

    private static func misplaced(_ field: String, in line: ClassLine) -> Fault {
        Fault(
            .notInStructure, at: "/lines" + JSONPointer.step(line.id.text) + "/fields" + JSONPointer.step(field))
    }

    /// Checks that lines without results get no new value in a field that each student has.
    ///
    /// - Parameter earlier: the structure before the change: a value that it already has may stay.
    /// - Throws: `FaultList`: one fault for each value.
    public func checkFieldsOfStudents(beyond earlier: ClassStructure? = nil) throws(FaultList) {
        let faults = structure.lines.flatMap { line -> [Fault] in
            guard let column = columns[line.number], column.gradeField == nil else { return [] }
            let stored = earlier?.line(line.id)?.fields
            return column.kind.fields.filter(\.isPerStudent).map(\.name).filter { name in
                line.fields[name].map { !$0.isNull && $0 != stored?[name] } ?? false
            }.map { Self.misplaced($0, in: line) }
        }
        try FaultList(faults).check()
    }

    /// The faults of curves in lines without numbers.
    private static func misplacedCurves(of structure: ClassStructure, _ columns: [Int: Column]) -> [Fault] {
        structure.lines.filter { $0.curve != nil && columns[$0.number]?.holdsNumbers != true }.map {
            Fault(.curveMisplaced, at: "/lines" + JSONPointer.step($0.id.text) + "/curve")
        }
    }

    /// A line whose kind also contains others takes results if the rules accept a grade there, such as for
    /// participation. All are tried in one record with a grade in each. This also shows which columns lack a field
    /// without which a grade has no meaning. A line without results is a column if it has fields per student.
    private static func columns(
        of structure: ClassStructure, in model: RecordTree, _ kinds: [String: KindShape],
        _ cells: [EntryID: Set<String>], _ book: Rulebook
    ) throws(FaultList) -> [Int: Column] {
        var (columns, grades): ([EntryID: Column], [EntryID: PartCell]) = ([:], [:])
        for line in structure.lines {
            guard let kind = kinds[line.kind] else { continue }
            let (id, fields) = (EntryID(line.id.text), kind.fields.filter(\.isGrade))
            guard let grade = fields.first(where: { $0.name == line.gradeField }) ?? fields.first else {
                columns[id] = withoutResults(line, kind)
                continue
            }
            columns[id] = Column(line: line, kind: kind, gradeField: grade.name)
            grades[id] = PartCell([grade.name: .number(grade.worstGrade)])
        }
        let headers = Set(book.shape.kinds.compactMap(\.parent?.name))
        var faults: [Fault] = []
        for fault in try book.faults(of: model.part(grades)) where !isWanting(fault, cells) {
            guard let id = fault.entry, let column = columns[id] else { continue }
            if headers.contains(column.line.kind) {
                columns[id] = withoutResults(column.line, column.kind)
            } else if fault.code == .missingField {
                faults.append(placed(fault))
            }
        }
        try FaultList(faults).check()
        return Dictionary(
            columns.values.map { ($0.line.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The column of a line without results; `nil` if nothing in it is a student's own.
    private static func withoutResults(_ line: ClassLine, _ kind: KindShape) -> Column? {
        let column = Column(line: line, kind: kind, gradeField: nil)
        return kind.fields.contains { column.holds($0) } ? column : nil
    }

    /// A fault with its place among the lines.
    static func placed(_ fault: EntryFault) -> Fault { placed(RowFault(fault)) }

    /// A fault with its place among the lines.
    static func placed(_ fault: RowFault) -> Fault {
        let line = fault.entry.map { "/lines" + JSONPointer.step($0.text) } ?? ""
        return Fault(
            fault.code, at: line + (fault.field.map { "/fields" + JSONPointer.step($0) } ?? ""), fault.arguments)
    }
}

/// A row as judged by the rules.
public struct JudgedRow: Sendable {
    /// The assembled row.
    public let part: RecordTree
    /// The figures for the entry that stands for it.
    public let given: Given
    /// The faults other than what is still to come; empty for an accepted row.
    public let faults: [EntryFault]
    /// What is still to come before the rules take the row. It has no figures until then.
    public let wanting: [EntryFault]
}

extension ClassBook {
    /// The possible statuses of a row's total. If the root takes results, the student's cell has its status.
    public var statuses: [Status] { columns[structure.root.number]?.gradeField == nil ? rootKind.statuses : [] }

    private func takes(_ status: Status) -> Bool { statuses.contains(status) }

    /// The number of a line; `nil` for one that the structure does not have.
    func number(of line: LineID) -> Int? { lines[EntryID(line.text)] }

    /// Assembles a row as a record of its own, in which the root has the identifier of the student's entry.
    ///
    /// - Parameter showsAll: whether the student sees every result in lines that students see.
    public func part(of enrolled: EnrolledRow, showing showsAll: Bool = false) -> RecordTree {
        var cells: [EntryID: PartCell] = [:]
        for (number, cell) in enrolled.row.cells {
            guard let column = columns[number] else { continue }
            cells[EntryID(column.line.id.text)] = part(of: cell, in: column, showing: showsAll)
        }
        // The value that a result will count for limits what the student can still reach.
        for (number, column) in curved where enrolled.row.cells[number] == nil {
            cells[EntryID(column.line.id.text)] = part(of: ClassCell(), in: column, showing: showsAll)
        }
        let root = EntryID(structure.root.id.text)
        if let status = enrolled.enrolment.leftAs ?? enrolled.row.status.flatMap({ takes($0) ? $0 : nil }) {
            cells[root, default: PartCell()].status = status
        }
        let model = enrolled.enrolment.section.flatMap { models[$0] } ?? model
        let part = model.part(cells, naming: [root: enrolled.enrolment.entry])
        let given = named(enrolled.row.given)
        return given.isEmpty ? part : part.giving(given, to: enrolled.enrolment.entry)
    }

    /// Returns what people gave a total, under the figures' names in these rules. Other versions may have stored it.
    public func named(_ given: GivenValues) -> GivenValues {
        if figureAliases.isEmpty || given.isEmpty { return given }
        return GivenValues(figures: figureAliases.named(given.figures).values, outcomes: given.outcomes)
    }

    /// The name of a figure of the total in the newest rules, under which a grid of all rows shows it.
    public func newestName(of figure: String) -> String { newestNames[figure] ?? figure }

    /// The names of the figures that the entry of a row has.
    var givenFigures: Set<String> { Set(undefined.figures.keys) }

    /// The figures for the entry of a row while the rules do not take the row.
    func untaken(_ enrolled: EnrolledRow) -> Given {
        Given(link: Self.link(to: enrolled.enrolment), undefined(but: enrolled.row.given))
    }

    /// Returns a part with its figures as they count in the record: until the rules take the row, its entry has only
    /// the figures that people gave.
    ///
    /// - Throws: `not_computable` when the scheme runs in another process and does not answer.
    public func counted(_ part: RecordTree, of enrolled: EnrolledRow) throws(FaultList) -> RecordTree {
        let entry = enrolled.enrolment.entry
        guard part.entry(entry) != nil, try !rules.rules.faults(of: part).isEmpty else { return part }
        return part.linking(entry, to: untaken(enrolled))
    }

    private static func link(to enrolment: Enrolment) -> ClassLink {
        ClassLink(classID: enrolment.classID.text, enrolment: enrolment.id.text)
    }

    /// The figures of a row that the rules do not take yet: those that people gave.
    private func undefined(but given: GivenValues) -> GivenFigures {
        var figures = undefined
        for (name, value) in named(given).figures where figures.figures[name] != nil {
            figures.figures[name] = GivenFigure(.value(value.value))
        }
        return figures
    }

    /// The form of a cell in a part. If a line's results are not shown, the student does not see its curve either,
    /// because it may have been chosen by the results. If they are shown, all cells without a shown result look the
    /// same.
    private func part(of cell: ClassCell, in column: Column, showing showsAll: Bool) -> PartCell {
        let isOpen = column.line.showsResults
        let isShown = showsAll || isOpen && !cell.isHeldBack
        let curve = showsAll && !isOpen ? [] : column.curve
        let counted = column.counted(cell, under: structure.policy, on: curve)
        return PartCell(
            counted.values, status: column.status(of: cell), adjustments: counted.adjustments,
            whileWithheld: isOpen ? curve : [],
            visibility: column.line.state == .draft ? .hidden : isShown ? .released : .withheld)
    }

    /// The faults of a row other than what is still to come.
    func wrong(in part: RecordTree) throws(FaultList) -> [EntryFault] {
        try rules.rules.faults(of: part).filter { !isWanting($0) }
    }

    /// Judges a row, as staff and as the student see it.
    ///
    /// - Throws: `too_precise`, or `not_computable` when the scheme runs in another process and does not answer.
    public func judged(_ enrolled: EnrolledRow) throws(FaultList) -> JudgedRow {
        let (part, entry) = (part(of: enrolled), enrolled.enrolment.entry)
        let faults = try rules.rules.faults(of: part)
        let wrong = faults.filter { !isWanting($0) }
        let wanting = faults.filter { isWanting($0) }
        let untaken = undefined(but: enrolled.row.given)
        let full = faults.isEmpty ? try rules.rules.given(of: entry, in: part) : untaken
        var released: GivenFigures?
        if part.hasHidden {
            let seen = part.released
            let isTaken = try rules.rules.faults(of: seen).isEmpty
            released = isTaken && seen.entry(entry) != nil ? try rules.rules.given(of: entry, in: seen) : untaken
        }
        let given = Given(link: Self.link(to: enrolled.enrolment), full, released: released)
        return JudgedRow(part: part, given: given, faults: wrong, wanting: wanting)
    }
}
