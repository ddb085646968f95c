/// A scheme under one configuration, with everything it registered sorted by kind. Immutable and shared.
final class CompiledScheme: Sendable {
    let shape: RecordShape
    let statuses: StatusTable
    /// By kind of the shape.
    let kinds: [CompiledKind]
    /// How many figures the entries of each kind have.
    let figureCounts: [Int]
    /// The names of all fields, kind after kind, and where each kind's begin.
    private let fieldKeys: [NameKey]
    private let fieldStarts: [Int]
    /// Which of them are grades.
    private let gradeFlags: [Bool]
    /// What reading a stored record needs to know of the kinds.
    let storedKinds: [StoredRecordReader.Kind]
    let families: [CompiledFamily]
    let templates: [SchemeRegistrar.Template]
    let catalog: MessageCatalog

    init(_ scheme: some GradingScheme) {
        var registrar = SchemeRegistrar()
        scheme.register(in: &registrar)
        let shape = scheme.shape
        self.shape = shape
        statuses = registrar.statuses
        families = registrar.families
        templates = registrar.templates
        catalog = MessageCatalog.kit.adding(registrar.catalog)
        let kinds = shape.kinds.map { CompiledKind($0, registrar) }
        self.kinds = kinds
        figureCounts = kinds.map(\.figures.count)
        fieldKeys = shape.kinds.flatMap { $0.fields.map(\.key) }
        gradeFlags = shape.kinds.flatMap { $0.fields.map(\.isGrade) }
        storedKinds = StoredRecordReader.kinds(of: shape)
        fieldStarts = shape.kinds.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.fields.count) }
    }

    /// The number of a kind in the shape.
    func index(of kind: Kind) -> Int? { kinds.firstIndex { $0.key == kind.key } }

    /// The slot of a field of a kind, and whether it holds a grade.
    ///
    /// Every read of a field comes here: the tables hold plain numbers, so that no reference is counted.
    func slot(of field: NameKey, in kind: Int) -> (slot: Int, isGrade: Bool)? {
        let start = fieldStarts[kind]
        for place in start..<fieldStarts[kind + 1] where fieldKeys[place] == field {
            return (place - start, gradeFlags[place])
        }
        return nil
    }

    /// Runs the shape's checks, then the scheme's, over a whole tree.
    func check(_ tree: RecordTree, touched: Set<EntryID>) -> FaultSink {
        var sink = FaultSink(touched: touched)
        shape.check(tree, &sink)
        check(tree.root, &sink)
        return sink
    }

    private func check(_ entry: Entry, _ sink: inout FaultSink) {
        let view = EntryView(shape: shape, entry: entry)
        for validator in kinds[entry.kind].validators { validator.check(view, &sink) }
        for child in entry.children { check(child, &sink) }
    }
}

/// What runs ask about one kind of entry, laid out for the asking.
final class CompiledKind: Sendable {
    /// How a grade field is resolved where there is no grade.
    struct GradeRule: Sendable {
        /// The greatest grade an ungraded leaf could still get.
        let best: Exact?
        /// The field that says so instead.
        let bestSlot: Int?
    }

    let key: NameKey
    /// By slot; `nil` for a field that is no grade.
    let grades: [GradeRule?]
    let figures: [CompiledFigure]
    let outcomes: [CompiledOutcome]
    let validators: [SchemeRegistrar.Validator]
    let warners: [SchemeRegistrar.Warner]
    /// Whether anything about such an entry stands in a standing.
    let isShown: Bool
    /// The figure that gives its entries a letter.
    let lettered: Int?

    init(_ shape: KindShape, _ registrar: SchemeRegistrar) {
        key = shape.kind.key
        grades = shape.fields.map { field in
            field.isGrade
                ? GradeRule(best: field.bestGrade, bestSlot: field.bestGradeKey.flatMap { shape.slot(of: $0) }) : nil
        }
        figures = registrar.figures.filter { $0.kind == shape.kind }.map(\.figure)
        outcomes = registrar.outcomes.filter { $0.kind == shape.kind }.map(\.outcome)
        validators = registrar.validators.filter { $0.kind == shape.kind }
        warners = registrar.warners.filter { $0.kind == shape.kind }
        isShown = !outcomes.isEmpty || figures.contains { $0.presentation != nil }
        lettered = figures.firstIndex { $0.presentation?.letters != nil }
    }

    func slot(ofFigure figure: NameKey) -> Int? { figures.firstIndex { $0.figure.key == figure } }
}
