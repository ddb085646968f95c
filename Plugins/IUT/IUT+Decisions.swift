import GradingKit

extension IUT {
    private static let diploma = LocalizedText("Diploma", fr: "Diplôme", zh: "文凭")

    /// Registers the decision of the licence professionnelle: the overall average and the professional average must
    /// reach the bar.
    func decideLicence(in registrar: inout SchemeRegistrar) {
        let bar = Bar(configuration.bar, judging: configuration.average)
        registrar.decide("diploma", Self.diploma) { year in
            let units = year.countingUnits
            var (ungraded, isProfessional) = (Decision.met, false)
            for unit in units where unit[Unit.professional] {
                isProfessional = true
                if !unit.isGraded { ungraded.require(unit.ungraded) }
            }
            var decision = year.figure(Total.total).reaches(bar, orReason: "total_below_bar")
            decision.require(
                isProfessional
                    ? year.figure(Total.professional).reaches(bar, orReason: "professional_below_bar")
                    : .pending(because: DecisionReason("no_professional_unit")))
            decision.require(ungraded)
            decision.requireSettled(units)
            return decision
        }
    }

    /// Registers the decision of the DUT: the overall average must reach the bar, and every unit the unit bar.
    func decideDUT(in registrar: inout SchemeRegistrar) {
        let bar = Bar(configuration.bar, judging: configuration.average)
        let unitBar = Bar(configuration.unitBar, judging: configuration.average)
        registrar.decide("diploma", Self.diploma) { year in
            let units = year.countingUnits
            var decision = year.figure(Total.total).reaches(bar, orReason: "total_below_bar")
            for unit in units where !unit.isGraded { decision.require(unit.ungraded) }
            for unit in units {
                decision.require(unit.figure(Unit.average).reaches(unitBar, orReason: "unit_below_bar").at(unit.id))
            }
            decision.requireSettled(units)
            return decision
        }
    }

    /// Registers the decisions of the BUT: every unit must be acquired, by itself or through its group.
    func decideBUT(in registrar: inout SchemeRegistrar) {
        let bar = Bar(configuration.bar, judging: configuration.average)
        let low = Bar(configuration.groupLow, judging: configuration.average)
        registrar.decide(
            "acquired", of: Unit.kind, LocalizedText("Acquired", fr: "Acquise", zh: "已获得")
        ) { unit in
            unit.acquired(bar)
        }
        registrar.decide("progression", LocalizedText("May progress", fr: "Passage en année supérieure", zh: "升级")) {
            year in
            let groups = year.groups
            guard !groups.isEmpty else { return year.undecidedWithoutUnits }
            let averages = groups.map { Self.average(of: $0) }
            var decision = Decision.moreThanHalf(averages.map { $0.reaches(bar, orReason: "group_below_bar") })
            for average in averages { decision.require(average.reaches(low, orReason: "group_too_low")) }
            decision.requireSettled(year.countingUnits)
            return decision
        }
        registrar.decide("diploma", Self.diploma) { year in
            let units = year.children(Unit.kind).compactMap { $0.acquired(bar) }
            return units.isEmpty ? year.undecidedWithoutUnits : .all(units)
        }
    }

    /// Returns the mean of a group's units; undefined until all of them have an average.
    static func average(of group: GradedEntries) -> Quantity {
        guard group.allSatisfy({ $0.figure(Unit.average).isDefined }) else { return .undefined(.noGrades) }
        return group.mean(of: { $0.figure(Unit.average) }, weightedBy: { $0[Unit.weight] })
    }

    /// Warns unless each pole's share of a unit's weight is 40–60 %.
    func warnAboutPoles(in registrar: inout SchemeRegistrar) {
        registrar.warn(Unit.kind) { unit, warnings in
            let subjects = unit.children(Subject.kind)
            guard subjects.contains(where: { $0[Subject.pole] != nil }) else { return }
            let total = subjects.reduce(Exact.zero) { $0 + ($1[Subject.weight].value ?? .zero) }
            for pole in [Subject.resources, Subject.sae] {
                let weight = subjects.filter { $0[Subject.pole] == pole }
                    .reduce(Exact.zero) { $0 + ($1[Subject.weight].value ?? .zero) }
                guard let share = weight * 100 / total, share < 40 || share > 60 else { continue }
                let shown = FigureRule(.halfUp, scale: 1, compareOn: .displayed).display(share)
                warnings.add(
                    "pole_share_out_of_range", at: unit, ["pole": .string(pole), "share": .string(shown)])
                return
            }
        }
    }
}

extension Decision {
    /// Makes the decision pending while any unit has an officially pending grade.
    mutating func requireSettled(_ units: GradedEntries) {
        for unit in units where unit.isUnsettled { require(unit.pending) }
    }
}

extension GradedEntry {
    /// The units of a year whose averages count for outcomes.
    var countingUnits: GradedEntries { children(Unit.kind).keeping { $0.isCounting } }

    /// Whether a unit's average counts for outcomes: it has a weight, and its status does not exclude it from averages.
    var isCounting: Bool { statusRule.average != .leaves && (self[Unit.weight].value ?? .zero) > .zero }

    /// Whether a unit was earned elsewhere: its status gives credit without a grade.
    var isTransferred: Bool { status != nil && statusRule.average == .leaves && statusRule.earned }

    /// The decision about a year without counting units: met if units were earned elsewhere, otherwise pending.
    var undecidedWithoutUnits: Decision {
        children(Unit.kind).contains(where: \.isTransferred) ? .met : .pending(because: DecisionReason(.noGrades))
    }

    /// The counting units of a year by group; a unit without a group forms its own.
    var groups: [GradedEntries] {
        countingUnits.grouped { unit in unit[Unit.rcue].map(comparableName).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Whether a unit has an average.
    var isGraded: Bool { figure(Unit.average).isDefined }

    /// The pending decision for a unit without an average.
    var ungraded: Decision { .pending(because: DecisionReason("unit_ungraded", at: id)) }

    /// Whether a grade of a unit is officially pending.
    var isUnsettled: Bool { awaitsGradeInside }

    /// The pending decision for a unit with a pending grade.
    var pending: Decision { .pending(because: DecisionReason(.pendingGrade, at: id)) }

    /// Returns whether a unit is acquired: elsewhere, directly, or through the average of its group; `nil` for a unit
    /// that does not count for outcomes.
    func acquired(_ bar: Bar) -> Decision? {
        if isTransferred { return .met(because: DecisionReason("transferred", at: id)) }
        guard isCounting else { return nil }
        if isUnsettled { return pending }
        let own = figure(Unit.average).reaches(bar)
        if own.state == .met { return .met(because: DecisionReason("direct", at: id)) }
        let group = parent.groups.first { $0.contains { $0.id == id } }
        let shared = group.map { IUT.average(of: $0) } ?? .undefined(.noGrades)
        let together = shared.reaches(bar)
        if together.state == .met { return .met(because: DecisionReason("compensation", at: id)) }
        return Decision.all([own, together]).state == .pending
            ? .pending(because: DecisionReason("unit_ungraded", at: id))
            : .unmet(because: DecisionReason("unit_not_acquired", at: id))
    }
}
