import GradingKit

extension IUT {
    private static let diploma = LocalizedText("Diploma", fr: "Diplôme", zh: "文凭")

    /// Licence professionnelle: the overall and the professional average both reach the bar.
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

    /// DUT: the overall average reaches the bar, and every unit its own lower one.
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

    /// BUT: every unit is acquired, by itself or with the others of its group.
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

    /// The mean of a group's units; undefined until every one of them has an average.
    static func average(of group: GradedEntries) -> Quantity {
        guard group.allSatisfy({ $0.figure(Unit.average).isDefined }) else { return .undefined(.noGrades) }
        return group.mean(of: { $0.figure(Unit.average) }, weightedBy: { $0[Unit.weight] })
    }

    /// Each pole's share of a unit's weight must be 40–60 %.
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
    /// Makes it wait for the units that have an officially pending grade.
    mutating func requireSettled(_ units: GradedEntries) {
        for unit in units where unit.isUnsettled { require(unit.pending) }
    }
}

extension GradedEntry {
    /// The units of a year that outcomes judge by their averages.
    var countingUnits: GradedEntries { children(Unit.kind).keeping { $0.isCounting } }

    /// Whether outcomes judge a unit by its average: it has a weight, and its status leaves it in averages.
    var isCounting: Bool { statusRule.average != .leaves && (self[Unit.weight].value ?? .zero) > .zero }

    /// Whether a unit was earned elsewhere: its status gives its credit without a grade.
    var isTransferred: Bool { status != nil && statusRule.average == .leaves && statusRule.earned }

    /// The decision about a year in which no average decides: met when units were earned elsewhere, and otherwise
    /// pending.
    var undecidedWithoutUnits: Decision {
        children(Unit.kind).contains(where: \.isTransferred) ? .met : .pending(because: DecisionReason(.noGrades))
    }

    /// The units of a year by their group; a unit without group is one by itself.
    var groups: [GradedEntries] {
        countingUnits.grouped { unit in unit[Unit.rcue].map(comparableName).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Whether a unit has an average.
    var isGraded: Bool { figure(Unit.average).isDefined }

    /// What stands in the way where a unit has none.
    var ungraded: Decision { .pending(because: DecisionReason("unit_ungraded", at: id)) }

    /// Whether a grade of a unit is officially pending.
    var isUnsettled: Bool { awaitsGradeInside }

    /// What stands in the way then.
    var pending: Decision { .pending(because: DecisionReason(.pendingGrade, at: id)) }

    /// Whether a unit is acquired: elsewhere, directly, or because its group makes up for it; `nil` for a unit that no
    /// outcome looks at.
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
