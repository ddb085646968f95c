/// The rules of one configuration, computed by a scheme in its own process.
final class RemoteRules: Sendable {
    let link: any SchemeLink
    /// The build that computes; `nil` if the executable is unknown.
    let executable: SchemeExecutable?
    private let wire: Int
    private let configuration: JSON
    /// Whether the scheme can solve goals.
    private let solvesGoals: Bool
    /// Whether the scheme accepts given figures and adjustments of grades.
    let takesGiven: Bool

    init(
        link: any SchemeLink, executable: SchemeExecutable?, wire: Int, configuration: JSON, solvesGoals: Bool,
        takesGiven: Bool
    ) {
        self.link = link
        self.executable = executable
        self.wire = wire
        self.configuration = configuration
        self.solvesGoals = solvesGoals
        self.takesGiven = takesGiven && wire >= 2
    }

    /// Requests all figures of one entry of each record, including those that are not shown.
    func given(
        of entries: [(id: EntryID, tree: RecordTree)]
    ) throws(SchemeFailure) -> [Result<GivenFigures, FaultList>] {
        guard takesGiven else { throw SchemeFailure("the scheme does not take given figures") }
        let answer = try ask("given", records: entries.count) { writer in
            writer.member("records") { writer in
                writer.array { for (id, tree) in entries { tree.writeWire(to: &$0, entry: id) } }
            }
        }
        let results = try answer["results"].list()
        guard results.count == entries.count else { throw answer["results"].wrong("complete") }
        var given: [Result<GivenFigures, FaultList>] = []
        for result in results {
            if let faults = try FaultList(answering: result) {
                given.append(.failure(faults))
            } else if let figures = GivenFigures(result.json) {
                given.append(.success(figures))
            } else {
                throw result.wrong("a list of figures")
            }
        }
        return given
    }

    /// Requests the faults that the scheme's own validators find.
    func check(_ tree: RecordTree, _ sink: inout FaultSink) throws(SchemeFailure) {
        let touched = sink.touched
        let answer = try ask("validate", records: 1) { writer in
            writer.member("records") { writer in writer.array { tree.writeWire(to: &$0, touched: touched) } }
        }
        guard let faults = try answer["results"].list().first else { throw answer["results"].wrong("complete") }
        for fault in try faults.list() {
            sink.note(
                try fault["code"].code(), try fault["entry"].textIfAny().map { EntryID($0) } ?? .record,
                try FaultSink.Part(fault), try fault["args"].arguments())
        }
    }

    /// Requests the standings of records; each result is a standing, or the faults for which there is none.
    func standings(
        of trees: [RecordTree], by rules: CompiledScheme, scheme: SchemeIdentifier, explaining traced: TraceSelection
    ) throws(SchemeFailure) -> [Result<Standing, FaultList>] {
        let answer = try ask("evaluate", records: trees.count) { writer in
            writer.member("explain", (wire < 2 ? traced.figures : traced).wire)
            writer.member("records") { writer in
                writer.array { for tree in trees { tree.writeWire(to: &$0) } }
            }
        }
        let results = try answer["results"].list()
        guard results.count == trees.count else { throw answer["results"].wrong("complete") }
        var standings: [Result<Standing, FaultList>] = []
        for (tree, result) in zip(trees, results) {
            if let faults = try FaultList(answering: result) {
                standings.append(.failure(faults))
            } else {
                let reader = StandingReader(rules: rules, scheme: scheme, tree: tree, selection: traced)
                standings.append(.success(try reader.standing(result)))
            }
        }
        return standings
    }

    /// Requests what the open grades of a record must be.
    func answer(
        to goal: Goal, in tree: RecordTree, by rules: CompiledScheme, scheme: SchemeIdentifier
    ) throws -> GoalAnswer {
        guard solvesGoals else { throw FaultList([Fault(.goalsUnsupported, at: "/figure")]) }
        do {
            let answer = try ask("goal", records: 64) { writer in
                writer.member("record") { tree.writeWire(to: &$0) }
                writer.member("goal", goal.json)
            }
            if let missing = try answer["missing"].textIfAny() { throw EntryNotFound(entry: missing) }
            if let faults = try FaultList(answering: answer) { throw faults }
            return try GoalAnswer(answer, to: goal, StandingReader(rules: rules, scheme: scheme, tree: tree))
        } catch let failure as SchemeFailure {
            throw FaultList(failure)
        }
    }

    private func ask(
        _ operation: String, records: Int, _ members: (inout JSONWriter) -> Void
    ) throws(SchemeFailure) -> WireValue {
        try link.ask(operation, records: records) { writer in
            writer.member("configuration", configuration)
            members(&writer)
        }
    }
}

extension RecordTree {
    /// Writes the record's fields and entries in their stored form for a request, without the authors of given values.
    fileprivate func writeWire(to writer: inout JSONWriter, touched: Set<EntryID> = [], entry: EntryID? = nil) {
        let told = unsigned
        writer.object { writer in
            if let entry { writer.member("entry", entry.text) }
            writer.member("fields") { told.writeFields(to: &$0) }
            writer.member("entries") { told.writeEntries(to: &$0) }
            if !touched.isEmpty { writer.member("touched", .array(touched.sorted().map { .string($0.text) })) }
        }
    }
}

extension FaultSink.Part {
    fileprivate init(_ fault: WireValue) throws(SchemeFailure) {
        if let field = try fault["field"].textIfAny() {
            self = .field(field)
            return
        }
        switch try fault["part"].textIfAny() {
        case nil: self = .whole
        case "status"?: self = .status
        case "children"?: self = .children
        default: throw fault["part"].wrong("status or children")
        }
    }
}

extension TraceSelection {
    fileprivate var wire: JSON {
        switch self {
        case .none: .null
        case .all: "all"
        case .named(let names): .array(names.sorted().map { .string($0) })
        }
    }
}
