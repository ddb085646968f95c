extension Standing {
    /// Writes the standing as a JSON object; messages are in `language`, everything else is independent of it.
    public func write(to writer: inout JSONWriter, of subject: StandingSubject?, in language: Language) {
        writer.object { writeMembers(to: &$0, of: subject, in: language) }
    }

    /// Writes the members of the standing into an object that may have further ones.
    public func writeMembers(to writer: inout JSONWriter, of subject: StandingSubject?, in language: Language) {
        writer.member("record", subject?.record)
        writer.member("scheme", scheme.text)
        if let executable = rules.remote?.executable { writer.member("executable", executable.json) }
        writer.member("program", subject?.program)
        writer.member("programVersion", subject?.programVersion)
        writer.member("figures") { writer in
            writer.object { writer in
                write(figuresOf: 0, to: &writer, in: language)
            }
        }
        writeLetter(of: 0, to: &writer)
        writer.member("entries") { writer in
            writer.object { for index in shownEntries { write(index, to: &$0, in: language) } }
        }
        writer.member("outcomes") { write(outcomesOf: 0, to: &$0, in: language) }
        writer.member("warnings") { writer in
            writer.array { for warning in warnings { warning.write(to: &$0, catalog, in: language) } }
        }
        writeTraces(to: &writer)
    }

    /// Returns the standing as JSON.
    ///
    /// - Parameter size: the approximate length in bytes, if it is known.
    public func json(of subject: StandingSubject?, in language: Language, expecting size: Int? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: size ?? 1_024 + current.count * 256)
        write(to: &writer, of: subject, in: language)
        return writer.bytes
    }

    /// The record's own figures as `{"gpa":"3.43"}`, which the history stores for every version.
    public var figureTexts: [UInt8] {
        let shown = figures
        var writer = JSONWriter(capacity: 32 * shown.count)
        writer.object { writer in for figure in shown { writer.member(figure.name, figure.display) } }
        return writer.bytes
    }

    private func write(_ index: Int, to writer: inout JSONWriter, in language: Language) {
        let kind = kind(of: index)
        writer.name(utf8: record.ids[utf8: index])
        writer.object { writer in
            writer.member("figures") { writer in
                writer.object { write(figuresOf: index, to: &$0, in: language) }
            }
            writeLetter(of: index, to: &writer)
            if kind.isDecided {
                writer.member("outcomes") { write(outcomesOf: index, to: &$0, in: language) }
            }
        }
    }

    /// Writes the letter and the points of an entry, or of the record, if its scheme defines letters for it.
    private func writeLetter(of index: Int, to writer: inout JSONWriter) {
        guard kind(of: index).lettered != nil else { return }
        let letter = letter(of: index)
        writer.member("letter", letter?.label)
        writer.member("points", letter?.points.map { $0.decimalText ?? $0.description })
    }

    private func write(figuresOf index: Int, to writer: inout JSONWriter, in language: Language) {
        for slot in kind(of: index).shown {
            writer.member(slot.name) { figure(slot, of: index).write(to: &$0, in: language) }
        }
        for figure in members(of: index) { writer.member(figure.name) { figure.write(to: &$0, in: language) } }
    }

    private func write(outcomesOf index: Int, to writer: inout JSONWriter, in language: Language) {
        writer.object { writer in
            for (owner, outcome) in decided where owner == index {
                writer.member(outcome.name) { writer in
                    writer.object { writer in
                        writer.member("state", outcome.decision.state.rawValue)
                        outcome.write(valueOf: outcome.decision, to: &writer, in: language)
                        writer.member("final", outcome.isFinal)
                        writer.member("reasons") { writer in
                            writer.array {
                                outcome.decision.write(reasonsTo: &$0, catalog, in: language)
                            }
                        }
                        if outcome.given?.isSigned == true { write(givenOf: outcome, to: &writer, in: language) }
                    }
                }
            }
        }
    }

    /// Writes who gave an outcome and the computed decision: `null` if its rule decides nothing.
    private func write(givenOf outcome: StandingOutcome, to writer: inout JSONWriter, in language: Language) {
        writer.member("given") { writer in writer.object { outcome.given?.write(to: &$0) } }
        writer.member("computed") { writer in
            guard let computed = outcome.computed else { return writer.null() }
            writer.object { writer in
                writer.member("state", computed.state.rawValue)
                outcome.write(valueOf: computed, to: &writer, in: language)
                writer.member("reasons") { writer in
                    writer.array { computed.write(reasonsTo: &$0, catalog, in: language) }
                }
            }
        }
    }

    /// Writes which node explains which figure, then the nodes and the scales to which they refer; see docs/traces.md.
    private func writeTraces(to writer: inout JSONWriter) {
        guard let explanation, !explanation.roots.isEmpty else { return }
        writer.member("traces") { writer in
            writer.object { writer in
                let own = explanation.roots.prefix { $0.index == 0 }
                writer.member("figures") { Self.write(own, explanation.text, to: &$0) }
                writer.member("entries") { writer in
                    writer.object { writer in
                        var rest = explanation.roots[own.endIndex...]
                        while let index = rest.first?.index {
                            let figures = rest.prefix { $0.index == index }
                            rest = rest[figures.endIndex...]
                            writer.name(utf8: record.ids[utf8: index])
                            Self.write(figures, explanation.text, to: &writer)
                        }
                    }
                }
                explanation.text.write(to: &writer)
            }
        }
    }

    private static func write(_ roots: ArraySlice<Explanation.Root>, _ text: TraceText, to writer: inout JSONWriter) {
        writer.object { for root in roots { $0.member(root.figure, text.number(of: root.trace)) } }
    }
}

extension StandingOutcome {
    /// Writes the value of a decision and its label, if the outcome has named values.
    fileprivate func write(valueOf decision: Decision, to writer: inout JSONWriter, in language: Language) {
        guard let name = decision.value else { return }
        writer.member("value", name)
        writer.member("text", values.first { $0.name == name }?.label(language) ?? name)
    }
}

extension Decision {
    /// Writes the reasons as elements of an array.
    func write(reasonsTo writer: inout JSONWriter, _ catalog: MessageCatalog, in language: Language) {
        forEachReason { $0.write(to: &writer, catalog, in: language) }
    }
}

extension GivenNote {
    /// Writes `by`, `at` and, for staff, `reason`.
    func write(to writer: inout JSONWriter) {
        writer.member("by", author)
        writer.member("at", time)
        if let reason { writer.member("reason", reason) }
    }
}

extension DecisionReason {
    func write(to writer: inout JSONWriter, _ catalog: MessageCatalog, in language: Language) {
        writer.object {
            $0.member("code", code.text)
            $0.member("entry", entry?.text)
            $0.member("message", catalog.message(code, arguments, in: language))
            $0.member("args", .object(arguments))
        }
    }
}

extension StandingFigure {
    func write(to writer: inout JSONWriter, in language: Language) {
        let now = value(current).map { Texts($0, presentation) }
        writer.object { writer in
            writer.part("\"exact\":")
            if let now { now.exact.write(to: &writer) } else { writer.null() }
            writer.part(",\"display\":", now?.display ?? "")
            presentation.write(to: &writer)
            if case .undefined(let reason) = current { writer.part(",\"reason\":", reason.text) }
            if let band { writer.part(",\"band\":", band) }
            if let words = presentation.text(now?.display) { writer.member("text", words(language)) }
            if let computed { write(computed, to: &writer) }
            guard presentation.hasRange else { return }
            // Most figures are settled: floor and ceiling equal the current value.
            if let floor = floor == current ? now : value(floor).map({ Texts($0, presentation) }) {
                writer.part(",\"floor\":", floor.display)
                writer.part(",\"floorExact\":")
                floor.exact.write(to: &writer)
            }
            if let ceiling = ceiling == current ? now : value(ceiling).map({ Texts($0, presentation) }) {
                writer.part(",\"ceiling\":", ceiling.display)
                writer.part(",\"ceilingExact\":")
                ceiling.exact.write(to: &writer)
            }
        }
    }

    /// Writes who gave the figure and the computed value.
    private func write(_ computed: GivenFigure, to writer: inout JSONWriter) {
        guard given?.isSigned == true else { return }
        writer.member("given") { writer in writer.object { given?.write(to: &$0) } }
        writer.member("computed") { writer in
            writer.object { writer in
                let state = computed.current
                writer.member("exact", value(state)?.reduced.description)
                writer.member("display", text(state) ?? "")
                if case .undefined(let reason) = state { writer.member("reason", reason.text) }
            }
        }
    }

    /// The texts of a value.
    private struct Texts {
        /// In lowest terms.
        let exact: Exact
        let display: String

        init(_ value: Exact, _ presentation: Presentation) {
            exact = value.reduced
            display = presentation.display(value)
        }
    }
}
