import GradingKit

/// Checks conditions on how many entries satisfy a condition.
extension Checker {
    func quantifier(
        _ quantifier: Formula.Quantifier, _ scope: Scope, at range: Range<Int>
    ) throws(Stop) -> ConditionValue {
        let entries = try entries(quantifier.entries, scope)
        let inner = try quantifier.condition.map { formula throws(Stop) in try self.truth(formula, entries.scope) }
        let (amount, get, isThere) = (quantifier.amount, entries.get, entries.isThere)
        let test: @Sendable (GradedEntry, GradedEntry) -> Truth = (inner?.code ?? .constant(.yes)).open
        let isClosed = entries.isClosed && inner?.code.isClosed ?? true
        let decide: @Sendable (GradedEntry, GradedEntry) -> Truth = { entry, own in
            if let isThere, !isThere(entry) { return .unknown }
            return Self.decide(amount, get(entry, own)) { test($0, own) }
        }
        let reasons: @Sendable (GradedEntry, GradedEntry) -> [DecisionReason] = (inner?.why ?? .constant([])).open
        let why: @Sendable (GradedEntry, GradedEntry) -> [DecisionReason] = { entry, own in
            if let isThere, !isThere(entry) { return [DecisionReason(.noEarlier)] }
            // A condition that is decided without its unknown entries does not wait for them.
            var (unknown, yes, all): ([GradedEntry], Int, Int) = ([], 0, 0)
            for member in get(entry, own) {
                all += 1
                switch test(member, own) {
                case .yes: yes += 1
                case .unknown: unknown.append(member)
                case .no: break
                }
            }
            guard Self.truth(of: amount, yes: yes, unknown: unknown.count, all: all) == .unknown else { return [] }
            var found: [DecisionReason] = []
            for member in unknown {
                if found.count >= DecisionReason.most { break }
                found.tell(
                    reasons(member, own).map { reason in
                        DecisionReason(reason.code, at: reason.entry ?? member.id, reason.arguments)
                    })
            }
            return found
        }
        var value = ConditionValue(
            isClosed ? .one { decide($0, $0) } : .two(decide), why: .two(why), trend(amount, inner, entries))
        // The reason names the entries that cause it.
        if amount == .every || amount == Formula.Quantifier.Amount.no {
            let bad: Truth = amount == .every ? .no : .yes
            value.blamed = { entry in
                var found: [GradedEntry] = []
                for member in get(entry, entry) {
                    if found.count >= DecisionReason.most { break }
                    if test(member, entry) == bad { found.append(member) }
                }
                return found
            }
            value.blamedKind = entries.scope.kind
        }
        return value
    }

    /// Tests one entry after another, and stops once the result is decided.
    private static func decide(
        _ amount: Formula.Quantifier.Amount, _ entries: GradedEntries, _ test: (GradedEntry) -> Truth
    ) -> Truth {
        var (yes, unknown, all) = (0, 0, 0)
        for entry in entries {
            all += 1
            switch test(entry) {
            case .yes:
                yes += 1
                if amount == .any { return .yes }
                if amount == Formula.Quantifier.Amount.no { return .no }
                if case .atLeast(let count) = amount, yes >= count { return .yes }
            case .unknown: unknown += 1
            case .no: if amount == .every { return .no }
            }
        }
        return truth(of: amount, yes: yes, unknown: unknown, all: all)
    }

    /// The result for given numbers of true and unknown entries.
    private static func truth(
        of amount: Formula.Quantifier.Amount, yes: Int, unknown: Int, all: Int
    ) -> Truth {
        switch amount {
        case .every: yes + unknown < all ? .no : unknown > 0 ? .unknown : .yes
        case .any: yes > 0 ? .yes : unknown > 0 ? .unknown : .no
        case .no: yes > 0 ? .no : unknown > 0 ? .unknown : .yes
        case .most: unknown > 0 ? .unknown : Truth(yes * 2 > all)
        case .atLeast(let count): yes >= count ? .yes : yes + unknown >= count ? .unknown : .no
        }
    }

    private func trend(
        _ amount: Formula.Quantifier.Amount, _ inner: ConditionValue?, _ entries: EntriesValue
    ) -> Trend {
        let isNo = amount == Formula.Quantifier.Amount.no
        let own = inner?.trend ?? .still
        guard entries.trend == .still else {
            // Grades determine which entries are among them; more entries can satisfy the condition more often.
            let trend = inner == nil || own == entries.trend ? entries.trend : .either
            switch amount {
            case .any, .atLeast: return trend
            case .no: return trend.reversed
            case .every, .most: return .either
            }
        }
        return isNo ? own.reversed : own
    }
}
