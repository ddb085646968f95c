extension FigureRule {
    /// Returns a warning with a value that is displayed on one side of a bound and judged on the other; `nil` if there
    /// is none.
    ///
    /// - Parameters:
    ///   - range: the possible values of the figure; `nil` for any.
    ///   - label: returns the label of a value; `nil` to name the side of the bound on which it counts.
    func contradiction(
        at bound: Exact, path: String, within range: ClosedRange<Exact>? = nil, label: ((Exact) -> String?)? = nil
    ) -> Fault? {
        guard compareOn != .displayed else { return nil }
        let found = stages.isEmpty ? anyValue(at: bound, within: range) : stagedValue(at: bound, within: range)
        guard let value = found else { return nil }
        let sides = better == .higher ? ("≥", "<") : ("≤", ">")
        let side = (reaches(value, bound) ? sides.0 : sides.1) + " " + (bound.decimalText ?? bound.description)
        return Fault(
            .displayContradicts, at: path,
            [
                "example": value.json, "shown": .string(display(value)), "bound": bound.json,
                "label": .string(label?(value) ?? side),
            ])
    }

    private func isShownReaching(_ value: Exact, _ bound: Exact) -> Bool { better.reaches(shown(value), bound) }

    private func contradicts(_ value: Exact, _ bound: Exact) -> Bool {
        isShownReaching(value, bound) != reaches(value, bound)
    }

    /// Finds a contradicting value of a figure that can have any value.
    ///
    /// The display starts to reach the bound at the first displayed value that does, or half a step or a whole step
    /// before it, depending on the rounding. Between these points, the threshold and the ends of the range, neither the
    /// display nor the judgement changes, so it suffices to try each point and one value between each two.
    private func anyValue(at bound: Exact, within range: ClosedRange<Exact>?) -> Exact? {
        let (step, slack) = (shown.grid.step, slack)
        let first = RoundingStep(better == .higher ? .ceiling : .floor, shown.grid)(bound)
        let back = better == .higher ? -step : step
        var places = [first + back * .half, better == .higher ? bound - slack : bound + slack, first, first + back]
        if let range { places += [range.lowerBound, range.upperBound] }
        let order = places.sorted()
        places += zip(order, order.dropFirst()).map { ($0 + $1) * .half }
        return places.first { (range?.contains($0) ?? true) && contradicts($0, bound) }
    }

    /// Finds a contradicting value of a figure that was rounded in earlier stages.
    ///
    /// Its possible values are the results of the stages for the multiples of the first stage's step. Only the worst
    /// value that is displayed as reaching the bound, or judged so, can be a contradiction: for worse values neither is
    /// true, and where both are true, they are true for all better values.
    private func stagedValue(at bound: Exact, within range: ClosedRange<Exact>?) -> Exact? {
        guard let unit = stages.first?.grid.step else { return nil }
        // Better values have greater numbers.
        func directed(_ value: Exact) -> Exact { better == .higher ? value : -value }
        func value(_ number: Int) -> Exact { stages.reduce(directed(Exact(number) * unit)) { $1($0) } }
        let worst = range.map { better == .higher ? $0.lowerBound : $0.upperBound }
        func counts(_ value: Exact) -> Bool {
            (worst.map { directed(value) >= directed($0) } ?? true)
                && (isShownReaching(value, bound) || reaches(value, bound))
        }
        // No stage moves a value by more than its step.
        let reach = stages.reduce(shown.grid.step + unit) { $0 + $1.grid.step }
        let top = max(directed(bound), worst.map(directed) ?? directed(bound)) + reach + unit
        guard var low = Self.multiples(of: unit, in: directed(bound) - slack - reach),
            var high = Self.multiples(of: unit, in: top)
        else { return nil }
        while low < high {
            let middle = low + (high - low) / 2
            if counts(value(middle)) { high = middle } else { low = middle + 1 }
        }
        let found = value(low)
        return contradicts(found, bound) && range.map { $0.contains(found) } ?? true ? found : nil
    }

    private var slack: Exact {
        if case .tolerance(let slack) = compareOn { slack } else { .zero }
    }

    /// Returns how many times a unit fits into a value, rounded down.
    private static func multiples(of unit: Exact, in value: Exact) -> Int? {
        (value / unit).flatMap { RoundingStep(.floor, scale: 0)($0).integer }
    }
}
