/// Folding entries into one quantity.
extension GradedEntries {
    /// The weighted mean of a quantity: Σ value × weight / Σ weight over the entries for which both are defined.
    ///
    /// An entry without a value is left out together with its weight, and so is one whose status leaves averages. An
    /// entry of weight 0 adds nothing. If no weight remains, the mean is undefined for `reason`, or for `excused` if
    /// statuses took out every entry.
    public func mean(
        of value: (GradedEntry) -> Quantity, weightedBy weight: ((GradedEntry) -> Quantity)? = nil,
        orReason reason: FaultCode = .noGrades
    ) -> Quantity {
        let recording = recording
        let stepsLeft = stepsLeft
        var (total, weights) = (ExactSum(), ExactSum())
        var terms: [Trace?] = []
        var (excused, others) = (0, 0)
        visitWhile { entry, mark in
            guard mark == .used || recording != nil else {
                if mark == .dropped { excused += 1 } else if mark == .skipped { others += 1 }
                return true
            }
            let quantity = value(entry)
            let weighting = if let weight { weight(entry) } else { Quantity.one }
            var usage = mark
            if mark == .used {
                if quantity.isUndefined(because: .excused) || entry.leavesAverages {
                    usage = .dropped
                } else if quantity.isDefined, weighting.isDefined, !weighting.number.isZero {
                    total.add(quantity.number, times: weighting.number)
                    weights.add(weighting.number)
                } else {
                    usage = .skipped
                }
            }
            switch usage {
            case .used, .skipped: others += 1
            case .dropped: excused += 1
            case .superseded: break
            }
            if let recording {
                let parts = weight == nil ? [quantity] : [quantity, weighting]
                terms.append(recording.trace(.term(entry: entry.id), quantity.state, of: parts, usage: usage))
            }
            return !total.isEndless && !weights.isEndless && total.work + weights.work <= stepsLeft
        }
        let state: Quantity.State
        if !spend(total.work + weights.work) {
            state = .undefined(.tooMuchWork)
        } else if total.isEndless || weights.isEndless {
            state = .undefined(.tooPrecise)
        } else if let mean = total.divided(by: weights) {
            state = Quantity.bounded(mean)
        } else {
            state = .undefined(excused > 0 && others == 0 ? .excused : reason)
        }
        return Quantity(state, trace: recording?.trace(.mean, state, ofTerms: terms))
    }

    /// The sum of a quantity over the entries that count: undefined as soon as one value is, 0 without entries. If
    /// several values are undefined, the reason is the first one by name, so it does not depend on the order of
    /// entries.
    public func sum(of value: (GradedEntry) -> Quantity) -> Quantity {
        let recording = recording
        let stepsLeft = stepsLeft
        var total = ExactSum()
        var reason: FaultCode?
        var terms: [Trace?] = []
        visitWhile { entry, usage in
            guard usage == .used || recording != nil else { return true }
            let quantity = value(entry)
            if usage == .used {
                if quantity.isDefined {
                    total.add(quantity.number)
                } else {
                    reason = Swift.min(reason ?? quantity.cause, quantity.cause)
                }
            }
            if let recording {
                terms.append(recording.trace(.term(entry: entry.id), quantity.state, of: [quantity], usage: usage))
            }
            return !total.isEndless && total.work <= stepsLeft
        }
        let end: Quantity.State
        if !spend(total.work) {
            end = .undefined(.tooMuchWork)
        } else {
            end = total.isEndless ? .undefined(.tooPrecise) : Quantity.bounded(total.value)
        }
        let state = reason.map { Quantity.State.undefined($0) } ?? end
        return Quantity(state, trace: recording?.trace(.sum, state, ofTerms: terms))
    }
}

extension GradedEntries {
    /// The smallest value of a quantity over the entries that count and have one.
    public func least(of value: (GradedEntry) -> Quantity) -> Quantity { select(.least, .least, of: value) }

    /// The greatest value of a quantity over the entries that count and have one.
    public func greatest(of value: (GradedEntry) -> Quantity) -> Quantity { select(.greatest, .greatest, of: value) }

    /// The median of a quantity over the entries that count and have a value. For an even number of values it is the
    /// mean of the middle two.
    public func median(of value: (GradedEntry) -> Quantity) -> Quantity { select(.median, .median, of: value) }

    /// The most frequent value over the entries that count and have one. Among equally frequent values, the better one.
    public func mode(of value: (GradedEntry) -> Quantity, better: Direction = .higher) -> Quantity {
        select(.mode(better), .mode(better), of: value)
    }

    /// The mean over the best entries, each weighted by an amount such as the credits of a course, until the amounts
    /// add up to `limit`. Only the needed part of the last entry counts. So a better value never lowers the mean while
    /// all values are known.
    ///
    /// Leaves out entries without a value, without a first key, or with an amount of 0, and those whose status leaves
    /// averages.
    public func mean(
        of value: (GradedEntry) -> Quantity, best limit: Exact, of amount: @escaping (GradedEntry) -> Quantity,
        by keys: [RankKey]
    ) -> Quantity {
        var left = Swift.max(limit, .zero)
        var taken: [Int: Exact] = [:]
        for entry in Ranking.order(self, by: keys) where !entry.leavesAverages && value(entry).isDefined {
            guard left > .zero else { break }
            guard let own = amount(entry).value, own > .zero, spend(own.work) else { continue }
            taken[entry.index] = left
            left = own < left ? left - own : .zero
        }
        // Entries are dropped only if better ones reached the limit; otherwise each is skipped for its own reason.
        let kept = left > .zero || taken.isEmpty ? self : keeping { taken[$0.index] != nil || !value($0).isDefined }
        return kept.mean(
            of: value,
            weightedBy: { entry in
                let own = amount(entry)
                guard let rest = taken[entry.index], let whole = own.value else { return .undefined(.noGrades) }
                return whole > rest ? .min(own, Quantity(rest)) : own
            })
    }

    private func select(
        _ selection: Selection, _ operation: Trace.Operation, of value: (GradedEntry) -> Quantity
    ) -> Quantity {
        let recording = recording
        var values: [Exact] = []
        var terms: [Trace?] = []
        visit { entry, mark in
            guard mark == .used || recording != nil else { return }
            let quantity = value(entry)
            var usage = mark
            if mark == .used {
                if quantity.isUndefined(because: .excused) || entry.leavesAverages {
                    usage = .dropped
                } else if quantity.isDefined {
                    values.append(quantity.number)
                } else {
                    usage = .skipped
                }
            }
            if let recording {
                terms.append(recording.trace(.term(entry: entry.id), quantity.state, of: [quantity], usage: usage))
            }
        }
        let state: Quantity.State
        // Comparing numbers beyond machine words takes a subtraction, and sorting compares each value several times.
        if !spend(values.reduce(0) { $0 + $1.work * selection.comparisons }) {
            state = .undefined(.tooMuchWork)
        } else {
            state = selection(values).map { Quantity.bounded($0) } ?? .undefined(.noGrades)
        }
        return Quantity(state, trace: recording?.trace(operation, state, ofTerms: terms))
    }
}

extension GradedEntry {
    /// Whether the entry's status takes it out of averages.
    fileprivate var leavesAverages: Bool { status != nil && statusRule.average == .leaves }
}
