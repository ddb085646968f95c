/// A scheme under one configuration, with everything it registered sorted by kind. Immutable and shared.
final class CompiledScheme: Sendable {
    let shape: RecordShape
    let statuses: StatusTable
    /// By kind of the shape.
    let kinds: [CompiledKind]
    /// The names of the kinds.
    private let kindKeys: [NameKey]
    /// How many figures the entries of each kind have.
    let figureCounts: [Int]
    /// The names of all fields, kind after kind, and where each kind's begin.
    private let fieldKeys: [NameKey]
    private let fieldStarts: [Int]
    /// Which of them are grades.
    private let gradeFlags: [Bool]
    /// The names of all figures, kind after kind, and where each kind's begin.
    private let figureKeys: [NameKey]
    private let figureStarts: [Int]
    /// All figures, in the same order.
    private let figures: [CompiledFigure]
    /// Whether they stand in a standing, and with a range.
    private let figureViews: [(isShown: Bool, hasRange: Bool)]
    /// By kind, whether there are outcomes to decide.
    let decidedKinds: [Bool]
    let families: [CompiledFamily]
    let templates: [SchemeRegistrar.Template]
    let catalog: MessageCatalog
    /// Conditions on what is recorded, by the number of their kind.
    private let checks: [(kind: Int, check: SchemeRegistrar.Check)]
    /// Who checks and computes, where the scheme's code is not here; what is registered then only describes.
    let remote: RemoteRules?
    /// The most steps of a run by these rules.
    let mostSteps: Int

    convenience init(_ scheme: some GradingScheme) {
        var registrar = SchemeRegistrar()
        scheme.register(in: &registrar)
        self.init(scheme.shape, registrar)
    }

    init(_ shape: RecordShape, _ registrar: SchemeRegistrar, remote: RemoteRules? = nil) {
        self.shape = shape
        self.remote = remote
        statuses = registrar.statuses
        mostSteps = registrar.mostSteps
        families = registrar.families
        templates = registrar.templates
        catalog = MessageCatalog.kit.adding(registrar.catalog)
        let kinds = shape.kinds.map { CompiledKind($0, registrar) }
        self.kinds = kinds
        kindKeys = kinds.map(\.key)
        checks = registrar.checks.compactMap { check in
            kinds.firstIndex { $0.key == check.kind.key }.map { ($0, check) }
        }
        figureCounts = kinds.map(\.figures.count)
        fieldKeys = shape.kinds.flatMap { $0.fields.map(\.key) }
        figureKeys = kinds.flatMap { $0.figures.map(\.figure.key) }
        figureStarts = kinds.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.figures.count) }
        let figures = kinds.flatMap(\.figures)
        self.figures = figures
        figureViews = figures.map { ($0.presentation != nil, $0.presentation?.hasRange ?? false) }
        decidedKinds = kinds.map { !$0.outcomes.isEmpty }
        gradeFlags = shape.kinds.flatMap { $0.fields.map(\.isGrade) }
        fieldStarts = shape.kinds.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.fields.count) }
    }

    /// The number of a kind in the shape.
    func index(of kind: Kind) -> Int? { kindKeys.firstIndex(of: kind.key) }

    /// The slot of a field of a kind, and whether it holds a grade.
    ///
    /// Every read of a field comes here: the tables hold plain numbers, so that no reference is counted.
    @inline(__always)
    func slot(of field: NameKey, in kind: Int) -> (slot: Int, isGrade: Bool)? {
        let start = fieldStarts[kind]
        for place in start..<fieldStarts[kind + 1] where fieldKeys[place] == field {
            return (place - start, gradeFlags[place])
        }
        return nil
    }

    /// The slot of a figure of a kind.
    func slot(ofFigure figure: NameKey, in kind: Int) -> Int? {
        let start = figureStarts[kind]
        for place in start..<figureStarts[kind + 1] where figureKeys[place] == figure { return place - start }
        return nil
    }

    /// A figure of a kind.
    func figure(_ slot: Int, of kind: Int) -> CompiledFigure { figures[figureStarts[kind] + slot] }

    /// The article that a figure of a kind carries out; `nil` where none is named.
    func article(of figure: String, in kind: Int) -> String? {
        kinds[kind].figures.first { $0.figure.name == figure }?.presentation?.article
    }

    /// Visits the figures of a kind that stand in a standing.
    @inline(__always)
    func forEachShown(in kind: Int, _ body: (_ slot: Int, _ hasRange: Bool) -> Void) {
        for place in figureStarts[kind]..<figureStarts[kind + 1] where figureViews[place].isShown {
            body(place - figureStarts[kind], figureViews[place].hasRange)
        }
    }

    /// Runs the shape's checks, then the scheme's, over a whole tree.
    ///
    /// Throws `not_computable` when the scheme runs elsewhere and does not answer.
    func check(_ tree: RecordTree, touched: Set<EntryID>) throws(FaultList) -> FaultSink {
        var sink = FaultSink(touched: touched)
        tree.body.checkShape(&sink)
        guard let remote else {
            checkOwn(tree, &sink)
            return sink
        }
        do {
            try remote.check(tree, &sink)
        } catch {
            throw FaultList(error)
        }
        return sink
    }

    /// Runs the scheme's own checks alone.
    func checkOwn(_ tree: RecordTree, _ sink: inout FaultSink) {
        let body = tree.body
        for index in body.nodes.indices
        where !kinds[body.nodes[index].kind].validators.isEmpty && !body.isLink(index) {
            for validator in kinds[body.nodes[index].kind].validators {
                validator.check(EntryView(body: body, index: index), &sink)
            }
        }
        if !checks.isEmpty { checkConditions(body, &sink) }
    }

    private func checkConditions(_ body: RecordBody, _ sink: inout FaultSink) {
        let run = Run(body, by: self, under: .current)
        defer {
            sink.steps = run.steps
            if let refusal = run.refusal { sink.add(refusal, at: EntryView(body: body, index: 0)) }
        }
        for index in body.nodes.indices {
            if body.isLink(index) { continue }
            for (kind, check) in checks where kind == body.nodes[index].kind && !run.at(index, check.holds) {
                sink.add(check.fault, at: EntryView(body: body, index: index))
            }
        }
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
        /// The least grade.
        let worst: Exact
        /// The distance of two grades.
        let step: Exact
    }

    /// A figure that stands in a standing.
    struct ShownFigure: Sendable {
        let name: String
        /// Its place among the figures of the kind.
        let place: Int
        let presentation: Presentation
        /// Whether floor and ceiling stand beside it.
        let hasRange: Bool

        init(name: String, place: Int, presentation: Presentation) {
            self.name = name
            self.place = place
            self.presentation = presentation
            hasRange = presentation.hasRange
        }
    }

    let key: NameKey
    /// By slot; `nil` for a field that is no grade.
    let grades: [GradeRule?]
    let figures: [CompiledFigure]
    let outcomes: [CompiledOutcome]
    let validators: [SchemeRegistrar.Validator]
    let warners: [SchemeRegistrar.Warner]
    /// The figures that stand in a standing.
    let shown: [ShownFigure]
    /// Whether anything about such an entry stands in a standing.
    let isShown: Bool
    /// The figure that gives its entries a letter.
    let lettered: ShownFigure?

    init(_ shape: KindShape, _ registrar: SchemeRegistrar) {
        key = shape.kind.key
        grades = shape.fields.map { field in
            field.isGrade
                ? GradeRule(
                    best: field.bestGrade, bestSlot: field.bestGradeKey.flatMap { shape.slot(of: $0) },
                    worst: field.worstGrade, step: field.gradeStep) : nil
        }
        figures = registrar.figures.filter { $0.kind == shape.kind }.map(\.figure)
        outcomes = registrar.outcomes.filter { $0.kind == shape.kind }.map(\.outcome)
        validators = registrar.validators.filter { $0.kind == shape.kind }
        warners = registrar.warners.filter { $0.kind == shape.kind }
        shown = figures.enumerated().compactMap { place, figure in
            figure.presentation.map { ShownFigure(name: figure.figure.name, place: place, presentation: $0) }
        }
        isShown = !outcomes.isEmpty || !shown.isEmpty
        lettered = shown.first { $0.presentation.letters != nil }
    }

}
