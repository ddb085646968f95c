/// One scheme under one checked configuration: everything needed to check changes and to compute standings.
///
/// Immutable and free to share between threads. Each published version of a program has one rulebook for good.
public struct Rulebook: Sendable {
    /// The scheme.
    public let scheme: SchemeIdentifier
    /// The complete configuration in canonical form, including defaults.
    public let configuration: JSON
    /// Settings that are allowed but surprising, such as displaying 90.00 while judging 89.995.
    public let warnings: [Fault]
    /// Members that replace those of the scheme's own description, such as `title`.
    public let particulars: JSONObject
    let compiled: CompiledScheme
    /// The limits on the size of explanations.
    var traceLimits = TraceLimits()
    /// Whether explanations also have the alternatives that formulas did not take: after an `otherwise`, and in other
    /// branches. For people who try rules.
    public var explainsAlternatives = false
    /// The greatest number of times that a goal search may read fields and figures.
    var greatestGoalSteps = 2_000_000
    /// The most steps of one run.
    public var mostSteps: Int
    /// Adds up the work of standings and checks; `nil` if the work is not counted.
    public var meter: WorkMeter?
    /// The greatest cost of records of several sizes, if it was counted beforehand.
    public let workBound: WorkBound?

    /// Creates a rulebook whose shape and rules are data instead of a type: for a scheme that people write rather than
    /// compile.
    ///
    /// - Parameters:
    ///   - configuration: the whole configuration in canonical form.
    ///   - warnings: settings that are allowed but surprising.
    ///   - particulars: members that replace those of the scheme's own description.
    ///   - workBound: the greatest cost of records, if it was counted beforehand.
    ///   - shape: the shape of records, without `violations`.
    ///   - register: registers all checks and computations.
    public init(
        scheme: SchemeIdentifier, configuration: JSON, warnings: [Fault] = [],
        particulars: JSONObject = JSONObject(), workBound: WorkBound? = nil, shape: RecordShape,
        registering register: (inout SchemeRegistrar) -> Void
    ) {
        var registrar = SchemeRegistrar()
        register(&registrar)
        self.init(
            scheme: scheme, configuration: configuration, warnings: warnings, particulars: particulars,
            workBound: workBound, compiled: CompiledScheme(shape, registrar))
    }

    init(
        scheme: SchemeIdentifier, configuration: JSON, warnings: [Fault], particulars: JSONObject = JSONObject(),
        workBound: WorkBound? = nil, compiled: CompiledScheme
    ) {
        self.scheme = scheme
        self.configuration = configuration
        self.warnings = warnings
        self.particulars = particulars
        self.workBound = workBound
        self.compiled = compiled
        mostSteps = compiled.mostSteps
    }

    /// The shape of records.
    public var shape: RecordShape { compiled.shape }
    /// How each status counts.
    public var statuses: StatusTable { compiled.statuses }
    /// The build that computes, if the scheme runs in its own process.
    public var executable: SchemeExecutable? { compiled.remote?.executable }
    /// The wording of all codes of the scheme and the kit.
    public var catalog: MessageCatalog { compiled.catalog }

    /// Whether anything depends on the number of points, and not only on their share of the maximum.
    public var countsPoints: Bool {
        compiled.judgesPoints || compiled.kinds.contains { $0.shown.contains { $0.presentation.countsPoints } }
            || compiled.families.contains { $0.presentation.countsPoints }
    }

    /// Returns the article of the regulations that a figure or an outcome of a kind implements; `nil` if none is named.
    public func article(of name: String, in kind: Kind) -> String? {
        guard let index = compiled.index(of: kind) else { return nil }
        return compiled.article(of: name, in: index)
            ?? compiled.kinds[index].outcomes.first { $0.name == name }?.article
    }

    /// The label of a kind; its name if the shape does not have it.
    public func label(of kind: Kind) -> LocalizedText {
        shape.kinds.first { $0.kind == kind }?.label ?? LocalizedText(verbatim: kind.name)
    }

    /// The label of a shown figure or an outcome of a kind's entries; its name if there is none.
    public func label(of name: String, in kind: Kind) -> LocalizedText {
        let known = compiled.index(of: kind).map { compiled.kinds[$0] }
        return known?.shown.first { $0.name == name }?.presentation.label
            ?? known?.outcomes.first { $0.name == name }?.label ?? LocalizedText(verbatim: name)
    }

    /// The label of a value of an outcome of a kind's entries; the value's name if there is none.
    public func label(of value: String, of outcome: String, in kind: Kind) -> LocalizedText {
        let outcomes = compiled.index(of: kind).map { compiled.kinds[$0].outcomes } ?? []
        return outcomes.first { $0.name == outcome }?.values.first { $0.name == value }?.label
            ?? LocalizedText(verbatim: value)
    }

    /// The shown figures of a kind's entries, in the order of the description, each with its wire name; none for a kind
    /// that the shape does not have.
    public func shownFigures(of kind: Kind) -> [(name: String, presentation: Presentation)] {
        guard let index = compiled.index(of: kind) else { return [] }
        return compiled.kinds[index].shown.map { ($0.name, $0.presentation) }
    }

    /// The names of the figures of a kind's entries, hidden ones included.
    public func figureNames(of kind: Kind) -> Set<String> {
        Set(compiled.index(of: kind).map { compiled.kinds[$0].figures.map(\.figure.name) } ?? [])
    }

    /// The former names of the figures of a kind's entries.
    public func figureAliases(of kind: Kind) -> NameAliases {
        compiled.index(of: kind).map { compiled.kinds[$0].formerNames.figures } ?? NameAliases()
    }

    /// An empty record.
    public var emptyRecord: RecordTree { RecordTree(shape: shape) }

    /// Reads a record from its stored text, `{"id","program","fields","entries"}`.
    ///
    /// - Throws: `JSONSyntaxError` for text that is not JSON, `FaultList` for content that no longer fits the shape.
    public func storedRecord(_ text: [UInt8]) throws -> RecordTree {
        var reader = StoredRecordReader(text, of: shape, by: compiled)
        if let tree = reader.record() { return tree }
        let json = try JSON.parse(text)
        return try storedRecord(
            fields: json["fields"] ?? .null, authors: json["enteredBy"] ?? .null, given: json["given"] ?? .null,
            entries: json["entries"] ?? .null)
    }

    /// Reads a record from its stored form.
    ///
    /// - Throws: the faults of content that no longer fits the shape.
    public func storedRecord(
        fields: JSON, authors: JSON = .null, given: JSON = .null, entries: JSON
    ) throws(FaultList) -> RecordTree {
        let (tree, decoder) = decode(
            fields: fields, authors: authors, given: given, entries: entries, from: .store, newID: { EntryID("?") })
        try decoder.faults.check()
        return tree
    }

    /// Reads a record from its stored text, without the parts for which the shape has no place: entries of unknown
    /// kinds and values of unknown fields.
    ///
    /// - Throws: `JSONSyntaxError` for text that is not JSON, `FaultList` for other content that does not fit the
    ///   shape.
    public func storedRecord(losing text: [UInt8]) throws -> (tree: RecordTree, losses: [RecordLoss]) {
        var reader = StoredRecordReader(text, of: shape, by: compiled)
        if let tree = reader.record() { return (tree, []) }
        let json = try JSON.parse(text)
        let (tree, decoder) = decode(
            fields: json["fields"] ?? .null, authors: json["enteredBy"] ?? .null, given: json["given"] ?? .null,
            entries: json["entries"] ?? .null, from: .store, isLosing: true, newID: { EntryID("?") })
        try decoder.faults.check()
        return (tree, decoder.losses)
    }

    /// Reads an entry from its form in the history: the entry, its parent and its position.
    ///
    /// - Throws: the faults of content that no longer fits the shape, and `missing_field` when the parent no longer
    ///   exists.
    public func remembered(
        _ json: JSON, in tree: RecordTree
    ) throws(FaultList) -> (entry: Entry, parent: EntryID?, position: Int) {
        var object = json.object ?? JSONObject()
        let parent = object["parent"]?.string.map { EntryID($0) }
        object["parent"] = nil
        guard let place = parent.map({ tree.entry($0)?.kind }) ?? 0 else {
            throw FaultList([Fault(.missingField, at: "/parent")])
        }
        var decoder = EntryDecoder(shape: shape, source: .store, newID: { EntryID("?") })
        decoder.rules = compiled
        var part = RecordDraft(partOf: shape)
        decoder.entry(.object(object), in: (place, 0), of: &part, at: "")
        try decoder.faults.check()
        guard !part.ids.isEmpty else { throw FaultList([Fault(.wrongKind)]) }
        return (Entry(body: part.body, index: 0), parent, object["position"]?.integer ?? 1)
    }

    /// Reads and checks a record for a stateless calculation; entries may have identifiers chosen by the caller.
    ///
    /// - Parameter given: what people gave the record itself, in stored form.
    public func calculation(
        fields: JSON, given: JSON = .null, entries: JSON, newID: @escaping () -> EntryID
    ) throws(FaultList) -> RecordTree {
        let (tree, decoder) = decode(fields: fields, given: given, entries: entries, from: .calculation, newID: newID)
        let sink = try compiled.check(tree, touched: [])
        meter?.add(
            sink.steps + 100 * tree.count + 20 * tree.body.values.count + Self.stepsOfFault * sink.located.count)
        var faults = decoder.faults
        for fault in located(sink, decoder.origins) { faults.add(fault) }
        try faults.check()
        return tree
    }

    /// The cost in steps of a fault of a record or of a warning: finding its place and sorting it among the others.
    static let stepsOfFault = 60

    private func decode(
        fields: JSON, authors: JSON = .null, given: JSON = .null, entries: JSON, from source: EntryDecoder.Source,
        isLosing: Bool = false, newID: @escaping () -> EntryID
    ) -> (tree: RecordTree, decoder: EntryDecoder) {
        var decoder = EntryDecoder(shape: shape, source: source, newID: newID)
        decoder.isLosing = isLosing
        decoder.rules = compiled
        var draft = RecordDraft(shape: shape)
        decoder.fields(fields, of: 0, in: &draft, at: "/fields")
        if case .store = source { decoder.authors(authors, of: 0, in: &draft) }
        if case .store = source { decoder.given(given, to: 0, in: &draft, at: "/given") }
        if case .calculation = source { decoder.giveAgain(given, to: 0, in: &draft, at: "/given") }
        decoder.entries(entries, in: (0, 0), of: &draft, at: "/entries")
        draft.close(0)
        return (RecordTree(draft.body), decoder)
    }

    /// Applies changes to a record, and checks the result as a whole after the last step.
    ///
    /// A fault that existed before, in an entry that the request does not touch, is no obstacle: after a stricter
    /// version is published, one course can be corrected before another. What is hidden from a student neither prevents
    /// a student's change nor shows in its faults.
    ///
    /// - Parameters:
    ///   - path: the place of the list of changes in the request; `nil` when the request is itself the only change.
    ///   - writer: the author of the changes.
    /// - Throws: all faults at once, or `EntryNotFound`.
    public func validate(
        _ changes: [RecordChange], of tree: RecordTree, at path: String?, by writer: RecordWriter,
        newID: @escaping () -> EntryID
    ) throws -> ValidatedChange {
        let isStaff = writer.isStaff
        var proposal = Proposal(of: tree, by: writer, under: compiled, newID: newID)
        for (index, change) in changes.enumerated() {
            try proposal.apply(change, at: path.map { $0 + JSONPointer.step(index) } ?? "")
        }
        var faults = proposal.faults
        var changed = proposal.tree
        let sink = try compiled.check(isStaff ? changed : changed.released, touched: proposal.touched)
        if !sink.located.isEmpty {
            let before = Set(try compiled.check(isStaff ? tree : tree.released, touched: []).located.map(\.place))
            let new = sink.located.filter { fault in
                proposal.touched.contains(fault.place.entry) || !before.contains(fault.place)
            }
            for fault in located(new, proposal.origins) { faults.add(fault) }
        }
        if isStaff {
            for fault in located(try faultsOfReleasing(tree, as: changed), proposal.origins) { faults.add(fault) }
        }
        try faults.check()
        if !proposal.reasons.isEmpty || proposal.copiesEarlier {
            guard changed.givenCount <= GivenValues.mostInRecord else {
                throw FaultList([Fault(.givenLimit, ["limit": .number(String(GivenValues.mostInRecord))])])
            }
            // A copy is frozen. For a scheme in its own process, only copies hold given values.
            if compiled.remote == nil { changed = try notingComputed(changed) }
        }
        return ValidatedChange(
            tree: changed, effects: proposal.effects, references: proposal.references, reasons: proposal.reasons)
    }

    /// Returns the new count faults that the student's record would have once hidden entries are shown. The full record
    /// may have had them all along, because hidden entries never prevent a student's change.
    private func faultsOfReleasing(
        _ tree: RecordTree, as changed: RecordTree
    ) throws -> [(place: FaultSink.Located, arguments: JSONObject)] {
        guard tree.hasHidden else { return [] }
        let shows = tree.body.nodes.indices.contains { index in
            guard tree.body.nodes[index].isHidden, let now = changed.body.index(of: tree.body.ids[index]) else {
                return false
            }
            return !changed.body.nodes[now].isHidden
        }
        guard shows else { return [] }
        let before = Set(try compiled.check(tree.released, touched: []).located.map(\.place))
        return try compiled.check(changed.released, touched: []).located.filter { fault in
            fault.place.code != .missingChild && !before.contains(fault.place)
        }
    }

    /// Notes the computed value beside each newly given one, so that a later difference can be reported.
    ///
    /// - Throws: `too_precise` or `too_much_work`.
    public func notingComputed(_ tree: RecordTree) throws(FaultList) -> RecordTree {
        var evaluation = Evaluation(of: tree, by: compiled, scheme: scheme, within: mostSteps)
        let standing = evaluation.standing()
        meter?.add(evaluation.steps + 50 * tree.count)
        if let refusal = evaluation.refusal { throw FaultList([Fault(refusal)]) }
        var draft = RecordDraft(tree)
        for index in tree.body.nodes.indices {
            guard var given = tree.body.givenByPeople(to: index), given.isUnnoted else { continue }
            let computed = standing.computedTexts(of: index)
            for name in given.figures.keys where given.figures[name]?.computed == nil {
                given.figures[name]?.computed = computed.figures[name] ?? ""
            }
            for name in given.outcomes.keys where given.outcomes[name]?.computed == nil {
                given.outcomes[name]?.computed = computed.outcomes[name] ?? ""
            }
            draft.give(given, to: index)
        }
        return draft.tree
    }

    private func located(_ sink: FaultSink, _ origins: [EntryID: String]) -> [Fault] {
        located(sink.located, origins)
    }

    private func located(
        _ faults: [(place: FaultSink.Located, arguments: JSONObject)], _ origins: [EntryID: String]
    ) -> [Fault] {
        faults.map { place, arguments in
            // Entries that the request did not touch have no path in it, and the record's list of entries has none of
            // its own.
            guard let origin = origins[place.entry] ?? (place.entry == .record ? "" : nil) else {
                return Fault(place.code, arguments)
            }
            switch place.part {
            case .whole: return Fault(place.code, at: origin, arguments)
            case .field(let name): return Fault(place.code, at: origin + "/fields" + JSONPointer.step(name), arguments)
            case .status: return Fault(place.code, at: origin + "/status", arguments)
            case .children:
                return Fault(place.code, at: place.entry == .record ? "" : origin + "/children", arguments)
            }
        }
    }

    /// The names of the templates from which a record may be created.
    public var templates: [String] { compiled.templates.map(\.name) }

    /// Returns the record of a template; `nil` when the scheme has no template of that name.
    public func template(_ name: String, newID: @escaping () -> EntryID) throws(FaultList) -> RecordTree? {
        guard let template = compiled.templates.first(where: { $0.name == name }) else { return nil }
        return try calculation(fields: template.fields, entries: template.entries, newID: newID)
    }

    /// Computes everything about a record.
    ///
    /// - Throws: `too_precise` if a figure exceeds 4,096 bits, and `too_much_work` if the computation takes too long,
    ///   so that no such record is stored; `trace_too_large` if the explanations exceed the limit of an answer;
    ///   `not_computable` if the scheme runs in its own process and does not answer.
    ///
    /// - Parameters:
    ///   - traced: the figures to explain; `nil` explains none.
    public func standing(
        of tree: RecordTree, explaining traced: TraceSelection = .none
    ) throws(FaultList) -> Standing {
        if compiled.remote != nil, let first = standings(of: [tree], explaining: traced).first {
            return try first.get()
        }
        var evaluation = Evaluation(of: tree, by: compiled, scheme: scheme, within: mostSteps)
        var standing = evaluation.standing()
        // Explaining a step costs several times as much as taking it.
        meter?.add(
            (traced == .none ? 1 : 4) * evaluation.steps + 50 * tree.count
                + Self.stepsOfFault * standing.warnings.count)
        if let refusal = evaluation.refusal { throw FaultList([Fault(refusal)]) }
        if traced != .none {
            standing.explanation = try Explanation(
                of: traced, in: tree.body, by: compiled, within: traceLimits, mostSteps: mostSteps,
                showingAlternatives: explainsAlternatives)
        }
        return standing
    }

    /// Computes the standings of several records, in order. A scheme in its own process receives a single request for
    /// all of them.
    public func standings(
        of trees: [RecordTree], explaining traced: TraceSelection = .none
    ) -> [Result<Standing, FaultList>] {
        guard let remote = compiled.remote else {
            return trees.map { tree in
                Result { () throws(FaultList) in try standing(of: tree, explaining: traced) }
            }
        }
        do {
            return try remote.standings(of: trees, by: compiled, scheme: scheme, explaining: traced)
        } catch {
            return trees.map { _ in .failure(FaultList(error)) }
        }
    }

    /// Whether everything is computed in this process. If not, `perform` keeps the caller's thread free.
    public var isImmediate: Bool { compiled.remote == nil }

    /// Runs work with the rulebook: immediately, or where it may block while it waits for a scheme in its own process.
    public func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard let remote = compiled.remote else { return try work() }
        return try await remote.link.perform(work)
    }
}
