public import Classes
public import GradingKit
public import Records
import Shared

/// A class's structure under the rules of one version of its program: puts rows together as parts of records, and judges
/// them.
///
/// The structure is checked as a model record: the root with its lines and no grades.
public struct ClassBook: Sendable {
    /// A line in which students have results.
    public struct Column: Sendable {
        /// The line.
        public let line: ClassLine
        /// Its kind.
        public let kind: KindShape
        /// The field in which results stand.
        public let gradeField: String
        /// The names that other versions of the program have for fields of the kind, with those that it has here.
        var aliases: [String: String] = [:]

        /// Returns a cell with the names that fields have here. Other versions may have stored it.
        public func named(_ cell: ClassCell) -> ClassCell {
            guard !aliases.isEmpty, cell.values.keys.contains(where: { aliases[$0] != nil }) else { return cell }
            var named = cell
            for (name, value) in cell.values {
                guard let own = aliases[name] else { continue }
                named.values[name] = nil
                if cell.values[own] == nil { named.values[own] = value }
            }
            return named
        }

        /// Whether each student has a value of their own in a field.
        public func holds(_ field: FieldShape) -> Bool {
            field.name == gradeField || field.isPerStudent && !field.isGrade
        }
    }

    /// The structure, under the names that the rules have for kinds and fields.
    public let structure: ClassStructure
    /// The structure as it was given.
    let original: ClassStructure
    /// The rules that judge.
    public let rules: RecordRules
    /// By the numbers of lines.
    public let columns: [Int: Column]
    /// Those of them with a curve.
    private let curved: [Int: Column]
    /// The kind of the root.
    public let rootKind: KindShape
    private let model: RecordTree
    /// The models of sections.
    private let models: [SectionID: RecordTree]
    private let lines: [EntryID: Int]
    /// The fields by lines that the cells of students hold.
    private let cellFields: [EntryID: Set<String>]
    /// The figures of a row that the rules do not take yet.
    private let undefined: GivenFigures

    /// A structure under rules.
    ///
    /// - Parameter newest: the newest shape of the program's records, whose names the structure may have.
    /// - Throws: every fault of the structure, in the scheme's words, below `/lines/{line}`; `not_mountable` for a scheme
    ///   that takes no given figures, and for a root that does not stand in the record itself.
    public init(
        _ original: ClassStructure, under rules: RecordRules, renamedBy newest: RecordShape? = nil
    ) throws(FaultList) {
        let book = rules.rules
        let names = ShapeNames(shape: book.shape, newest: newest ?? book.shape)
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
        self.structure = structure
        self.original = original
        self.rules = rules
    }

    /// Whether a fault says no more than that something is still to come: a grade, what else the student's cell holds, or
    /// a line. A field of the structure is not to come: without it no result would ever count.
    private static func isWanting(_ fault: EntryFault, _ cells: [EntryID: Set<String>]) -> Bool {
        if fault.code == .missingChild { return true }
        guard fault.code == .missingField, let field = fault.field else { return false }
        // What the record itself lacks is no matter of the class.
        guard let entry = fault.entry else { return true }
        return cells[entry]?.contains(field) ?? false
    }

    private func isWanting(_ fault: EntryFault) -> Bool { Self.isWanting(fault, cellFields) }

    /// The models of sections, each checked as that of the class is.
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

    /// Values in lines that belong to the cells of students.
    private static func misplacedFields(of structure: ClassStructure, _ columns: [Int: Column]) -> [Fault] {
        structure.lines.flatMap { line -> [Fault] in
            guard let column = columns[line.number] else { return [] }
            let names = column.kind.fields.filter { $0.isPerStudent || $0.name == column.gradeField }.map(\.name)
            return names.filter { line.fields[$0].map { !$0.isNull } ?? false }.map { name in
                Fault(
                    .notInStructure,
                    at: "/lines" + JSONPointer.step(line.id.text) + "/fields" + JSONPointer.step(name))
            }
        }
    }

    /// Curves of lines in which no numbers stand.
    private static func misplacedCurves(of structure: ClassStructure, _ columns: [Int: Column]) -> [Fault] {
        structure.lines.filter { $0.curve != nil && columns[$0.number]?.holdsNumbers != true }.map {
            Fault(.curveMisplaced, at: "/lines" + JSONPointer.step($0.id.text) + "/curve")
        }
    }

    /// A line whose kind also holds others is a column where the rules take a grade there, such as participation. All are
    /// tried in one record with a grade in each; that tells, too, which columns lack a field without which a grade means
    /// nothing.
    private static func columns(
        of structure: ClassStructure, in model: RecordTree, _ kinds: [String: KindShape],
        _ cells: [EntryID: Set<String>], _ book: Rulebook
    ) throws(FaultList) -> [Int: Column] {
        var (columns, grades): ([EntryID: Column], [EntryID: PartCell]) = ([:], [:])
        for line in structure.lines {
            guard let kind = kinds[line.kind] else { continue }
            let fields = kind.fields.filter(\.isGrade)
            guard let grade = fields.first(where: { $0.name == line.gradeField }) ?? fields.first else { continue }
            let id = EntryID(line.id.text)
            columns[id] = Column(line: line, kind: kind, gradeField: grade.name)
            grades[id] = PartCell([grade.name: .number(grade.worstGrade)])
        }
        let headers = Set(book.shape.kinds.compactMap(\.parent?.name))
        var faults: [Fault] = []
        for fault in try book.faults(of: model.part(grades)) where !isWanting(fault, cells) {
            guard let id = fault.entry, let column = columns[id] else { continue }
            if headers.contains(column.line.kind) {
                columns[id] = nil
            } else if fault.code == .missingField {
                faults.append(placed(fault))
            }
        }
        try FaultList(faults).check()
        return Dictionary(
            columns.values.map { ($0.line.number, $0) }, uniquingKeysWith: { first, _ in first })
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

/// A row as the rules judge it.
public struct JudgedRow: Sendable {
    /// The row put together.
    public let part: RecordTree
    /// What the entry that stands for it is given.
    public let given: Given
    /// What is wrong with it, beside what is still to come; empty for a row that is accepted.
    public let faults: [EntryFault]
    /// What is still to come before the rules take the row: it has no figures until then.
    public let wanting: [EntryFault]
}

extension ClassBook {
    /// The statuses that the total of a row takes. Of a root that is a column, the student's cell has them.
    public var statuses: [Status] { columns[structure.root.number] == nil ? rootKind.statuses : [] }

    private func takes(_ status: Status) -> Bool { statuses.contains(status) }

    /// The number of a line; `nil` for one that the structure does not have.
    func number(of line: LineID) -> Int? { lines[EntryID(line.text)] }

    /// A row put together as a record of its own, in which the root goes by the name of the student's entry.
    ///
    /// - Parameter showsAll: whether the student sees every result in lines that are there for students.
    public func part(of enrolled: EnrolledRow, showing showsAll: Bool = false) -> RecordTree {
        var cells: [EntryID: PartCell] = [:]
        for (number, cell) in enrolled.row.cells {
            guard let column = columns[number] else { continue }
            cells[EntryID(column.line.id.text)] = part(of: cell, in: column, showing: showsAll)
        }
        // What a result will count for bounds what the student can still reach.
        for (number, column) in curved where enrolled.row.cells[number] == nil {
            cells[EntryID(column.line.id.text)] = part(of: ClassCell(), in: column, showing: showsAll)
        }
        let root = EntryID(structure.root.id.text)
        if let status = enrolled.enrolment.leftAs ?? enrolled.row.status.flatMap({ takes($0) ? $0 : nil }) {
            cells[root, default: PartCell()].status = status
        }
        let model = enrolled.enrolment.section.flatMap { models[$0] } ?? model
        let part = model.part(cells, naming: [root: enrolled.enrolment.entry])
        let given = enrolled.row.given
        return given.isEmpty ? part : part.giving(given, to: enrolled.enrolment.entry)
    }

    /// What the entry that stands for a row is given as long as the rules do not take the row.
    func untaken(_ enrolled: EnrolledRow) -> Given {
        Given(link: Self.link(to: enrolled.enrolment), undefined(but: enrolled.row.given))
    }

    /// Returns a part of a row as its figures count in the record: until the rules take it, the entry that stands for the row
    /// has none but those that people gave.
    ///
    /// - Throws: `not_computable` when the scheme runs elsewhere and does not answer.
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
        for (name, value) in given.figures where figures.figures[name] != nil {
            figures.figures[name] = GivenFigure(.value(value.value))
        }
        return figures
    }

    /// What a cell is in a part. Of a line whose results are not shown the student does not see the curve either, which was
    /// chosen by them; in one whose results are, every cell without a shown result is the same.
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

    /// What is wrong with a row, beside what is still to come.
    func wrong(in part: RecordTree) throws(FaultList) -> [EntryFault] {
        try rules.rules.faults(of: part).filter { !isWanting($0) }
    }

    /// Judges a row, as staff and as the student see it.
    ///
    /// - Throws: `too_precise`, or `not_computable` when the scheme runs elsewhere and does not answer.
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

extension ClassStructure {
    /// The root with the lines in it as an entry in its stored form, with the fields that students of a section have.
    fileprivate func model(of section: SectionID?) -> JSON {
        var inside: [LineID: [JSON]] = [:]
        // Each line stands behind its parent, so that from the end all in a line is known before the line.
        for line in lines.dropFirst().reversed() {
            guard let parent = line.parent else { continue }
            inside[parent, default: []].append(Self.model(of: line, with: inside[line.id] ?? []))
        }
        var root = root
        root.fields = rootFields(of: section)
        return Self.model(of: root, with: inside[root.id] ?? [])
    }

    private static func model(of line: ClassLine, with children: [JSON]) -> JSON {
        [
            "id": .string(line.id.text), "kind": .string(line.kind), "hidden": .bool(line.state == .draft),
            "fields": .object(line.fields), "children": .array(children.reversed()),
        ]
    }

    /// A fault of the model record with its place among the lines.
    fileprivate func placed(_ fault: Fault) -> Fault {
        var steps = fault.path.split(separator: "/")[...]
        guard steps.popFirst() == "entries", steps.popFirst() != nil else { return fault }
        var line = root
        while steps.first == "children", let place = steps.dropFirst().first.flatMap({ Int($0) }) {
            let children = lines(in: line.id)
            guard children.indices.contains(place) else { break }
            line = children[place]
            steps = steps.dropFirst(2)
        }
        let rest = steps.map { "/" + $0 }.joined()
        return Fault(fault.code, at: "/lines" + JSONPointer.step(line.id.text) + rest, fault.arguments)
    }
}
