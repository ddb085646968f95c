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
            let items = category.children(Item.kind).mean(of: \.percent, weightedBy: \.itemWeight)
            return category.orUngraded(items, best: 100)
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

    /// Returns what a category contributes. Participation without a grade counts as 0, if so configured, once another
    /// category counts; before that it contributes nothing.
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
        registrar.define(Course.countingWeight, of: Course.kind) { course in
            let categories = course.children(Category.kind)
            let value = Self.value(in: categories, configuration)
            return categories.keeping { value($0).isDefined && $0.countsByWeight }.sum { $0[Category.weight] }
        }
        registrar.define(Category.gradedWeight, of: Category.kind) { category in
            category.children(Item.kind).keeping { $0.percent.isDefined }.sum(of: \.itemWeight)
        }
        let shown = Presentation(
            LocalizedText("Effective weight", fr: "Coefficient effectif", zh: "实际权重"),
            FigureRule(.halfUp, scale: 1, compareOn: .displayed)
        ).withoutRange()
        registrar.calculate(Item.effectiveWeight, of: Item.kind, shown) { item in
            guard item.percent.isDefined else { return .undefined(.ungraded) }
            let category = item.parent
            return category[Category.weight] / category.parent.figure(Course.countingWeight) * item.itemWeight
                / category.figure(Category.gradedWeight) * 100
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

    /// An item's result in percent.
    var percent: Quantity {
        !has(Item.grade) && has(Item.max) ? self[Item.score] / self[Item.max] * 100 : self[Item.grade]
    }

    /// An item's weight: its own, otherwise its maximum, otherwise 1.
    var itemWeight: Quantity { self[Item.weight].or(self[Item.max]).or(1) }
}
