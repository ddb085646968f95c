/// The explanations of a record's figures: the nodes of their computations, each once, and the root node of each
/// figure.
struct Explanation: Sendable {
    /// An explained figure.
    struct Root: Sendable {
        let figure: String
        /// The number of the figure's entry; 0 for the record.
        let index: Int
        let trace: Trace
    }

    /// The figures in the record's order: its own with those of families, then those of entries.
    let roots: [Root]
    /// The nodes in their written form.
    let text: TraceText

    /// Creates the explanations from traces that are already recorded.
    ///
    /// - Throws: `trace_too_large` or `figure_too_large`.
    init(
        _ roots: [Root], in record: RecordBody, within limits: TraceLimits = TraceLimits(),
        citing article: (String, EntryID) -> String? = { _, _ in nil }
    ) throws(FaultList) {
        self.roots = roots
        guard let text = TraceText(of: roots.map(\.trace), within: limits.bytes, citing: article) else {
            throw Self.tooLarge(roots.map { ($0.figure, $0.index) }, in: record)
        }
        self.text = text
    }

    /// Computes the selected figures again and records how. It is a separate run, so that evaluations without
    /// explanation cost nothing extra.
    ///
    /// - Throws: `trace_too_large`, `figure_too_large` or `too_much_work`.
    init(
        of selection: TraceSelection, in record: RecordBody, by rules: CompiledScheme,
        within limits: TraceLimits = TraceLimits(), mostSteps: Int? = nil, showingAlternatives: Bool = false
    ) throws(FaultList) {
        let recording = TraceRecording(within: limits, showingAlternatives: showingAlternatives)
        let run = Run(record, by: rules, under: .current, recording: recording, within: mostSteps)
        var asked: [(figure: String, index: Int)] = []
        var roots: [Root] = []
        func note(_ figure: String, _ index: Int, _ quantity: @autoclosure () -> Quantity) {
            asked.append((figure, index))
            guard !recording.isFull, let trace = quantity().trace else { return }
            roots.append(Root(figure: figure, index: index, trace: trace))
        }
        for index in record.nodes.indices {
            let kind = record.nodes[index].kind
            for slot in rules.kinds[kind].shown where selection.includes(slot.name, of: record.ids[index]) {
                note(slot.name, index, run.figure(slot.place, of: index))
            }
            for family in rules.families
            where rules.index(of: family.kind) == kind && selection.mayInclude(membersOf: family.figure.name) {
                for (name, quantity) in run.members(of: family, at: index)
                where selection.includes(name, ofFamily: family.figure.name, of: record.ids[index]) {
                    note(name, index, quantity)
                }
            }
            for group in run.groups(in: index) {
                for slot in rules.kinds[run.record.nodes[group].kind].shown {
                    let name = run.place(of: slot.name, at: group).name
                    guard selection.includes(name, ofFamily: slot.name, of: record.ids[index]) else { continue }
                    note(name, index, run.figure(slot.place, of: group))
                }
            }
        }
        if run.refusal == .tooMuchWork { throw FaultList([Fault(.tooMuchWork)]) }
        if recording.isFull { throw Self.tooLarge(asked, in: record) }
        try self.init(roots, in: record, within: limits) { figure, entry in
            record.index(of: entry).flatMap { rules.article(of: figure, in: record.nodes[$0].kind) }
        }
    }

    /// Returns the explanations of an entry's figures.
    func traces(of index: Int) -> [(figure: String, trace: Trace)] {
        roots.filter { $0.index == index }.map { ($0.figure, $0.trace) }
    }

    /// Returns the fault that names a smaller request: one name instead of several, or one entry instead of all.
    private static func tooLarge(_ asked: [(figure: String, index: Int)], in record: RecordBody) -> FaultList {
        guard let first = asked.first else { return FaultList([Fault(.traceTooLarge)]) }
        guard asked.count > 1 else {
            return FaultList([Fault(.figureTooLarge, ["figure": .string(first.figure)])])
        }
        let isOneName = asked.allSatisfy { $0.figure == first.figure }
        let narrower = isOneName && first.index > 0 ? "\(first.figure)@\(record.ids[first.index])" : first.figure
        return FaultList([Fault(.traceTooLarge, ["figure": .string(narrower)])])
    }
}

extension FaultCode {
    /// The requested explanations exceed the limit of an answer; `figure` names one to request alone.
    public static let traceTooLarge: FaultCode = "trace_too_large"
    /// The explanation of a single figure exceeds the limit of an answer.
    public static let figureTooLarge: FaultCode = "figure_too_large"
}

/// The figures that a standing explains.
public enum TraceSelection: Sendable, Equatable {
    case none
    case all
    /// Figures with the given names: `gpa` wherever it occurs, `grade@entry` of one entry only.
    case named(Set<String>)

    /// Returns whether a figure of an entry, or of the record, is explained.
    func includes(_ name: String, of entry: EntryID) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .named(let names):
            names.contains(name) || (entry != .record && names.contains("\(name)@\(entry)"))
        }
    }

    /// Returns whether a member of a family is explained.
    func includes(_ name: String, ofFamily family: String, of entry: EntryID = .record) -> Bool {
        includes(name, of: entry) || includes(family, of: entry)
    }

    /// Returns whether any member of a family may be explained.
    func mayInclude(membersOf family: String) -> Bool {
        guard case .named(let names) = self else { return self == .all }
        return names.contains { $0 == family || $0.hasPrefix(family + ":") || $0.hasPrefix(family + "@") }
    }

    /// The selection with the names of the figures only, without entries.
    var figures: TraceSelection {
        guard case .named(let names) = self else { return self }
        return .named(Set(names.map { name in String(name.prefix { $0 != "@" }) }))
    }
}
