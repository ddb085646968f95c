/// A scheme under one configuration, with everything it registered sorted by kind. Immutable and shared.
final class CompiledScheme: Sendable {
    let shape: RecordShape
    let statuses: StatusTable
    /// By kind of the shape.
    let kinds: [CompiledKind]
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
        kinds = shape.kinds.map { CompiledKind($0, registrar) }
    }

    /// The number of a kind in the shape.
    func index(of kind: Kind) -> Int? { kinds.firstIndex { $0.key == kind.key } }

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
    /// The names of the fields, by slot.
    let fields: [NameKey]
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
        fields = shape.fields.map(\.key)
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

    func slot(of field: NameKey) -> Int? { fields.firstIndex(of: field) }
    func slot(ofFigure figure: NameKey) -> Int? { figures.firstIndex { $0.figure.key == figure } }
}
