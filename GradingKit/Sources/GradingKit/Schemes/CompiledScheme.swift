/// A scheme under one configuration, with everything it registered, sorted by kind. Immutable and shared.
final class CompiledScheme: Sendable {
    let shape: RecordShape
    let statuses: StatusTable
    /// By number of the kind in the shape.
    let kinds: [CompiledKind]
    /// The name keys of the kinds.
    private let kindKeys: [NameKey]
    /// The number of figures of each kind's entries.
    let figureCounts: [Int]
    /// The name keys of all fields, kind after kind, and the start of each kind.
    private let fieldKeys: [NameKey]
    private let fieldStarts: [Int]
    /// Whether each of these fields is a grade.
    private let gradeFlags: [Bool]
    /// The name keys of all figures, kind after kind, and the start of each kind.
    private let figureKeys: [NameKey]
    private let figureStarts: [Int]
    /// All figures, in the same order.
    private let figures: [CompiledFigure]
    /// Whether each figure is part of a standing, and whether with a range.
    private let figureViews: [(isShown: Bool, hasRange: Bool)]
    /// By kind, whether it has outcomes.
    let decidedKinds: [Bool]
    let families: [CompiledFamily]
    let groupings: [CompiledGrouping]
    /// The label of each grouping, and the fields that make up its keys.
    let groupingTexts: [(label: LocalizedText, fields: [String?])]
    let templates: [SchemeRegistrar.Template]
    let catalog: MessageCatalog
    /// Conditions on recorded values, by the number of their kind.
    private let checks: [(kind: Int, check: SchemeRegistrar.Check)]
    /// The rules in another process, if the scheme's code is not here; the registered rules then only describe.
    let remote: RemoteRules?
    /// The most steps of a run by these rules.
    let mostSteps: Int
    /// Whether doubling points and maxima may change a decision.
    let judgesPoints: Bool

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
        judgesPoints = registrar.judgesPoints
        families = registrar.families
        templates = registrar.templates
        catalog = MessageCatalog.kit.adding(registrar.catalog)
        // Groups have kinds of their own, after those of the shape.
        let known = registrar.groupings.filter { shape.index(of: $0.base) != nil }
        let shapes = shape.kinds + known.map { KindShape($0.kind, $0.label, fields: []) }
        groupingTexts = known.map { ($0.label, $0.fields) }
        groupings = known.enumerated().compactMap { place, grouping in
            guard let base = shape.index(of: grouping.base), let parent = shape.kinds[base].parent,
                let around = shape.index(of: parent)
            else { return nil }
            return CompiledGrouping(
                kind: shape.kinds.count + place, base: base, parent: around, key: grouping.key)
        }
        let groupings = groupings
        let kinds = shapes.enumerated().map { number, shape in
            CompiledKind(
                shape, registrar,
                groupKinds: groupings.filter { $0.parent == number }.map { shapes[$0.kind].kind })
        }
        self.kinds = kinds
        kindKeys = kinds.map(\.key)
        checks = registrar.checks.compactMap { check in
            kinds.firstIndex { $0.key == check.kind.key }.map { ($0, check) }
        }
        figureCounts = kinds.map(\.figures.count)
        fieldKeys = shapes.flatMap { $0.fields.map(\.key) }
        figureKeys = kinds.flatMap { $0.figures.map(\.figure.key) }
        figureStarts = kinds.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.figures.count) }
        let figures = kinds.flatMap(\.figures)
        self.figures = figures
        figureViews = figures.map { ($0.presentation != nil, $0.presentation?.hasRange ?? false) }
        decidedKinds = kinds.map { !$0.outcomes.isEmpty }
        gradeFlags = shapes.flatMap { $0.fields.map(\.isGrade) }
        fieldStarts = shapes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.fields.count) }
    }

    /// Returns the number of a kind in the shape.
    func index(of kind: Kind) -> Int? { kindKeys.firstIndex(of: kind.key) }

    /// Returns the slot of a field of a kind, and whether the field is a grade.
    ///
    /// Every read of a field calls this: the tables contain plain numbers, so that no references are counted.
    @inline(__always)
    func slot(of field: NameKey, in kind: Int) -> (slot: Int, isGrade: Bool)? {
        let start = fieldStarts[kind]
        for place in start..<fieldStarts[kind + 1] where fieldKeys[place] == field {
            return (place - start, gradeFlags[place])
        }
        return nil
    }

    /// Returns the slot of a figure of a kind.
    func slot(ofFigure figure: NameKey, in kind: Int) -> Int? {
        let start = figureStarts[kind]
        for place in start..<figureStarts[kind + 1] where figureKeys[place] == figure { return place - start }
        return nil
    }

    /// Returns a figure of a kind.
    func figure(_ slot: Int, of kind: Int) -> CompiledFigure { figures[figureStarts[kind] + slot] }

    /// Returns the article that a figure of a kind implements; `nil` if none is named.
    func article(of figure: String, in kind: Int) -> String? {
        if let own = kinds[kind].figures.first(where: { $0.figure.name == figure }) { return own.presentation?.article }
        guard let colon = figure.firstIndex(of: ":") else { return nil }
        let name = figure[..<colon]
        return groupings.lazy.filter { $0.parent == kind }.flatMap { self.kinds[$0.kind].figures }
            .first { $0.figure.name == name }?.presentation?.article
    }

    /// Calls `body` with the figures of a kind that are part of a standing.
    @inline(__always)
    func forEachShown(in kind: Int, _ body: (_ slot: Int, _ hasRange: Bool) -> Void) {
        for place in figureStarts[kind]..<figureStarts[kind + 1] where figureViews[place].isShown {
            body(place - figureStarts[kind], figureViews[place].hasRange)
        }
    }

    /// Runs the shape's checks, then the scheme's, over a whole tree.
    ///
    /// - Throws: `not_computable` when the scheme runs in another process and does not answer.
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

    /// Runs only the scheme's own checks.
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
        // Every entry may break every check. Once the run has used up its steps, the rest is left unchecked.
        for index in run.record.nodes.indices where run.hasTime {
            if run.record.isLink(index) { continue }
            for (kind, check) in checks where kind == run.record.nodes[index].kind && !run.at(index, check.holds) {
                // A fault of a group names one of its members.
                let entry = run.record.groups?.group(index)?.least ?? index
                sink.add(check.fault, at: EntryView(body: body, index: entry))
                run.spend(Rulebook.stepsOfFault)
            }
        }
    }
}

/// The data about one kind of entry that runs need, arranged for fast access.
final class CompiledKind: Sendable {
    /// How to resolve a grade field without a grade. Shared, because a run uses it for each grade.
    final class GradeRule: Sendable {
        /// The best grade that an ungraded leaf could still get.
        let best: Exact?
        /// The slot of the field that has the best grade instead.
        let bestSlot: Int?
        /// The worst grade.
        let worst: Exact
        /// The distance between neighbouring grades.
        let step: Exact
        /// The letters, best first, if the grade is a letter.
        let letters: [Band]
        /// The points of each letter, by label.
        let points: [String: Exact]

        init(_ field: FieldShape, in shape: KindShape) {
            best = field.bestGrade
            bestSlot = field.bestGradeKey.flatMap { shape.slot(of: $0) }
            worst = field.worstGrade
            step = field.gradeStep
            letters = field.letters
            points = field.letters.reduce(into: [:]) { $0[$1.label] = $1.points }
        }
    }

    /// A figure that is part of a standing.
    struct ShownFigure: Sendable {
        let name: String
        /// Its index among the figures of the kind.
        let place: Int
        let presentation: Presentation
        /// Whether floor and ceiling are shown with it.
        let hasRange: Bool

        init(name: String, place: Int, presentation: Presentation) {
            self.name = name
            self.place = place
            self.presentation = presentation
            hasRange = presentation.hasRange
        }
    }

    let key: NameKey
    /// By slot; `nil` for a field that is not a grade.
    let grades: [GradeRule?]
    let figures: [CompiledFigure]
    let outcomes: [CompiledOutcome]
    let validators: [SchemeRegistrar.Validator]
    let warners: [SchemeRegistrar.Warner]
    /// The figures that are part of a standing.
    let shown: [ShownFigure]
    /// Whether a standing contains anything about entries of the kind.
    let isShown: Bool
    /// The figure that determines the entry's letter.
    let lettered: ShownFigure?
    /// Whether entries of the kind have outcomes, their own or those of groups in them.
    let isDecided: Bool
    /// The names of figures and outcomes in earlier versions of the rules.
    let formerNames: FormerNames

    init(_ shape: KindShape, _ registrar: SchemeRegistrar, groupKinds: [Kind] = []) {
        key = shape.kind.key
        grades = shape.fields.map { $0.isGrade ? GradeRule($0, in: shape) : nil }
        figures = registrar.figures.filter { $0.kind == shape.kind }.map(\.figure)
        outcomes = registrar.outcomes.filter { $0.kind == shape.kind }.map(\.outcome)
        formerNames = FormerNames(of: figures, outcomes)
        validators = registrar.validators.filter { $0.kind == shape.kind }
        warners = registrar.warners.filter { $0.kind == shape.kind }
        shown = figures.enumerated().compactMap { place, figure in
            figure.presentation.map { ShownFigure(name: figure.figure.name, place: place, presentation: $0) }
        }
        isDecided = !outcomes.isEmpty || registrar.outcomes.contains { groupKinds.contains($0.kind) }
        isShown =
            isDecided || !shown.isEmpty || registrar.families.contains { $0.kind == shape.kind }
            || registrar.figures.contains { groupKinds.contains($0.kind) && $0.figure.presentation != nil }
        lettered = shown.first { $0.presentation.letters != nil }
    }

}
