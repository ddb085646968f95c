import GradingKit

extension RoseHulman {
    /// Registers the grades from items through categories to courses.
    func calculateGrades(in registrar: inout SchemeRegistrar) {
        let (configuration, bands) = (configuration, bands)
        registrar.calculate(
            Category.percent, of: Category.kind,
            Presentation(LocalizedText("Percent", fr: "Pourcentage", zh: "百分比"), configuration.grade.withoutStages)
        ) { category in
            if category.isParticipation { return category[Category.grade] }
            return category.orUngraded(category.percentOfItems, best: 100)
        }
        registrar.calculate(
            Course.grade, of: Course.kind,
            Presentation(LocalizedText("Grade", fr: "Note", zh: "成绩"), configuration.grade)
                .lettered(by: bands)
                .coloured { value in
                    value.flatMap { bands.band(for: $0) }.map { ($0.points ?? .zero) < 2 ? "red" : "black" }
                }
        ) { Self.grade(of: $0, configuration) }
        defineWeights(in: &registrar)
    }

    private static func grade(of course: GradedEntry, _ configuration: RoseHulmanConfiguration) -> Quantity {
        let categories = course.children(Category.kind)
        let value = Self.value(in: categories, configuration)
        let grade: Quantity
        switch configuration.weights {
        case .normalise, .mustEqual100:
            grade = categories.mean(of: value, weightedBy: { $0[Category.weight] })
            // A status that counts as the worst grade determines the course's grade, whatever its weights.
            if configuration.weights == .mustEqual100, course.declaredWeight != 100,
                course.statusRule.average != .minimum
            {
                return grade.withheld(.weightsSum)
            }
        case .bonusAbove100:
            let counting = categories.keeping(as: .skipped) { value($0).isDefined && $0.countsByWeight }
            let total = counting.sum { value($0) * $0[Category.weight] }
            grade = (total / .min(counting.sum { $0[Category.weight] }, 100)).because(.noGrades)
        }
        return course.orUngraded(grade, best: 100)
    }

    /// Returns what a category contributes. If so configured, ungraded participation counts as 0 once another category
    /// counts; before that it contributes nothing.
    private static func value(
        in categories: GradedEntries, _ configuration: RoseHulmanConfiguration
    ) -> (GradedEntry) -> Quantity {
        let othersCount = categories.contains {
            !$0.isParticipation && $0.countsByWeight && $0.figure(Category.percent).isDefined
        }
        let takesLeast = configuration.participationMissing == .zero && othersCount
        return { category in
            category.isParticipation
                ? category.whenMissing(Category.grade, takesLeast: takesLeast) : category.figure(Category.percent)
        }
    }

    /// Registers the effective share of each graded item in the course's grade.
    private func defineWeights(in registrar: inout SchemeRegistrar) {
        let configuration = configuration
        registrar.define(
            Course.countingWeight, of: Course.kind,
            label: LocalizedText("Weights that count", fr: "Coefficients qui comptent", zh: "计入的权重之和")
        ) { course in
            let categories = course.children(Category.kind)
            let value = Self.value(in: categories, configuration)
            return categories.keeping { value($0).isDefined && $0.countsByWeight }.sum { $0[Category.weight] }
        }
        registrar.define(
            Category.mean, of: Category.kind,
            label: LocalizedText("Mean of the items", fr: "Moyenne des éléments", zh: "各项平均")
        ) { $0.meanOfItems }
        registrar.define(
            Category.gradedWeight, of: Category.kind,
            label: LocalizedText("Weight of what is graded", fr: "Poids de ce qui est noté", zh: "已评分部分的权重")
        ) { category in
            category.kept(of: category.regularItems).keeping { $0.percent.isDefined }.sum(of: \.itemWeight)
        }
        registrar.define(
            Category.wholeWeight, of: Category.kind,
            label: LocalizedText("Weight of all items", fr: "Poids de tous les éléments", zh: "全部项目的权重")
        ) { $0.regularItems.wholeWeight }
        let shown = Presentation(
            LocalizedText("Effective weight", fr: "Coefficient effectif", zh: "实际权重"),
            FigureRule(.halfUp, scale: 1, compareOn: .displayed)
        ).withoutRange()
        registrar.calculate(Item.effectiveWeight, of: Item.kind, shown) { item in
            let category = item.parent
            guard item.percent.isDefined, category.counts(item) else { return .undefined(.ungraded) }
            let whole = item.isBonus ? Category.wholeWeight : Category.gradedWeight
            return category[Category.weight] / category.parent.figure(Course.countingWeight) * item.itemWeight
                / category.figure(whole) * 100
        }
        registrar.calculate(Category.effectiveWeight, of: Category.kind, shown) { category in
            guard category.isParticipation, category.figure(Category.percent).isDefined else {
                return .undefined(.ungraded)
            }
            return category[Category.weight] / category.parent.figure(Course.countingWeight) * 100
        }
    }
}

extension GradedEntry {
    /// Whether a category is participation, which has one grade and no items.
    var isParticipation: Bool { self[Category.category] == Category.participation }

    /// Whether a category has a weight above 0.
    var countsByWeight: Bool { self[Category.weight].value.map { !$0.isZero } ?? false }

    /// The sum of all declared category weights of a course, including those of empty categories.
    var declaredWeight: Exact {
        children(Category.kind).reduce(.zero) { $0 + ($1[Category.weight].value ?? .zero) }
    }

    /// A category's percentage: the mean of its items, which extra credit raises to at most 100. Extra credit is
    /// divided by the weight of all other items, so it adds no more while some are ungraded than it will in the end.
    var percentOfItems: Quantity {
        guard let extra = items(areBonus: true) else { return meanOfItems }
        let points = extra.keeping(as: .skipped) { $0.percent.isDefined }.sum(of: \.weightedPercent)
        // Extra credit counts once another item does; until then the category as a whole is unknown.
        let now = current.figure(Category.mean)
        let mean = now.isDefined ? figure(Category.mean) : now
        return .max(mean, .min(100, mean + points / regularItems.wholeWeight))
    }

    /// The mean of a category's items that count, without extra credit.
    var meanOfItems: Quantity { kept(of: regularItems).mean(of: \.percent, weightedBy: \.itemWeight) }

    /// A category's items that are not extra credit.
    var regularItems: GradedEntries {
        items(areBonus: false) ?? children(Item.kind).keeping(as: .skipped) { _ in false }
    }

    /// The items of a category that are extra credit, or those that are not; `nil` if there are none.
    private func items(areBonus: Bool) -> GradedEntries? {
        let items = children(Item.kind)
        guard items.contains(where: \.isBonus) else { return areBonus ? nil : items }
        return items.grouped { $0.isBonus }.first { $0.contains { $0.isBonus == areBonus } }
    }

    /// Applies the drop rules of a category: drops the items without which the percentage is highest or lowest, but
    /// always keeps one.
    func kept(of items: GradedEntries) -> GradedEntries {
        items.dropping(
            lowest: self[Category.dropLowest] ?? 0, highest: self[Category.dropHighest] ?? 0,
            ofRatio: \.weightedPercent, to: \.itemWeight, sparing: \.isWeightless)
    }

    /// Returns whether the drop rules of a category keep an item.
    func counts(_ item: GradedEntry) -> Bool {
        let (lowest, highest) = (self[Category.dropLowest] ?? 0, self[Category.dropHighest] ?? 0)
        if item.isBonus { return figure(Category.percent).isDefined }
        guard lowest > 0 || highest > 0, let mean = figure(Category.mean).value else { return true }
        return regularItems.keeps(
            item, at: mean, lowest: lowest, highest: highest, ofRatio: \.weightedPercent, to: \.itemWeight,
            sparing: \.isWeightless)
    }

    /// Whether an item is extra credit.
    var isBonus: Bool { self[Item.bonus] }

    fileprivate var weightedPercent: Quantity { percent * itemWeight }

    fileprivate var isWeightless: Bool { itemWeight.value?.isZero ?? true }

    /// An item's result in percent.
    var percent: Quantity {
        !has(Item.grade) && has(Item.max) ? self[Item.score] / self[Item.max] * 100 : self[Item.grade]
    }

    /// An item's weight: its own, otherwise its maximum, otherwise 1.
    var itemWeight: Quantity { self[Item.weight].or(self[Item.max]).or(1) }
}

extension GradedEntries {
    /// The sum of the items' weights, without those that their status excludes.
    fileprivate var wholeWeight: Quantity {
        keeping { $0.status == nil || $0.statusRule.average != .leaves }.sum(of: \.itemWeight)
    }
}
