/// A scheme under one configuration, with everything it registered sorted by kind. Immutable and shared.
final class CompiledScheme: Sendable {
    let shape: RecordShape
    let statuses: StatusTable
    /// By kind of the shape.
    let figures: [[CompiledFigure]]
    let families: [CompiledFamily]
    /// By kind of the shape.
    let outcomes: [[CompiledOutcome]]
    let validators: [[SchemeRegistrar.Validator]]
    let warners: [[SchemeRegistrar.Warner]]
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
        figures = shape.kinds.map { kind in
            registrar.figures.filter { $0.kind == kind.kind }.map(\.figure)
        }
        outcomes = shape.kinds.map { kind in
            registrar.outcomes.filter { $0.kind == kind.kind }.map(\.outcome)
        }
        validators = shape.kinds.map { kind in registrar.validators.filter { $0.kind == kind.kind } }
        warners = shape.kinds.map { kind in registrar.warners.filter { $0.kind == kind.kind } }
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
        for validator in validators[entry.kind] { validator.check(view, &sink) }
        for child in entry.children { check(child, &sink) }
    }
}
