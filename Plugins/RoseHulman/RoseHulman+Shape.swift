public import GradingKit

extension RoseHulman {
    /// The shape of records.
    public var shape: RecordShape {
        RecordShape(
            fields: [
                .number(Prior.gpa, LocalizedText("Prior GPA", fr: "GPA antérieur", zh: "已有绩点"))
                    .optional().atLeast(0).atMost(configuration.highestPoints),
                .number(Prior.credits, LocalizedText("Prior credits", fr: "Crédits antérieurs", zh: "已有学分"))
                    .optional().atLeast(0),
            ],
            kinds: [course])
    }

    private var course: KindShape {
        KindShape(
            Course.kind, LocalizedText("Course", fr: "Cours", zh: "课程"),
            statuses: [.excused, .audit, .withdrawn, .transfer],
            fields: [
                .text(Course.title, LocalizedText("Title", fr: "Titre", zh: "名称")),
                .text(Course.number, LocalizedText("Number", fr: "Numéro", zh: "课程编号")).optional(),
                .integer(Course.section, LocalizedText("Section", fr: "Groupe", zh: "班级")).optional().atLeast(0),
                .choice(Course.quarter, LocalizedText("Quarter", fr: "Trimestre", zh: "学期"), of: quarters),
                .integer(Course.year, LocalizedText("Year", fr: "Année", zh: "学年")).atLeast(1900).atMost(2999),
                .number(Course.credits, LocalizedText("Credits", fr: "Crédits", zh: "学分")).atLeast(0).initially(4),
            ],
            children: [category])
    }

    private var quarters: [Choice] {
        [
            Choice(1, LocalizedText("Fall", fr: "Automne", zh: "秋")),
            Choice(2, LocalizedText("Winter", fr: "Hiver", zh: "冬")),
            Choice(3, LocalizedText("Spring", fr: "Printemps", zh: "春")),
            Choice(4, LocalizedText("Summer", fr: "Été", zh: "夏")),
        ]
    }

    private var category: KindShape {
        KindShape(
            Category.kind, LocalizedText("Category", fr: "Catégorie", zh: "类别"),
            statuses: [.excused, .absent, .pending],
            fields: [
                .choice(Category.category, LocalizedText("Category", fr: "Catégorie", zh: "类别"), of: Category.names),
                .number(Category.weight, LocalizedText("Weight", fr: "Coefficient", zh: "权重")).optional().atLeast(0),
                percent(.number(Category.grade, LocalizedText("Grade in %", fr: "Note en %", zh: "百分制成绩"))),
                .integer(
                    Category.dropLowest,
                    LocalizedText("Lowest results dropped", fr: "Moins bons résultats retirés", zh: "去掉的最低成绩数")
                ).optional().atLeast(0).atMost(Self.mostDropped),
                .integer(
                    Category.dropHighest,
                    LocalizedText("Highest results dropped", fr: "Meilleurs résultats retirés", zh: "去掉的最高成绩数")
                ).optional().atLeast(0).atMost(Self.mostDropped),
            ],
            children: [item])
    }

    private static let mostDropped: Exact = 50

    private var item: KindShape {
        let score = FieldShape.number(Item.score, LocalizedText("Score", fr: "Points", zh: "得分"))
            .optional().atLeast(0, orFault: .gradeOutOfRange).asGrade(best: Item.max)
        return KindShape(
            Item.kind, LocalizedText("Item", fr: "Élément", zh: "考核项"), statuses: [.excused, .absent, .pending],
            fields: [
                .text(Item.title, LocalizedText("Title", fr: "Titre", zh: "名称")).optional(),
                configuration.extraCredit ? score : score.atMost(Item.max),
                .number(Item.max, LocalizedText("Maximum", fr: "Maximum", zh: "满分"))
                    .optional().above(0, orFault: .maxNotPositive),
                percent(.number(Item.grade, LocalizedText("Grade in %", fr: "Note en %", zh: "百分制成绩"))),
                .number(Item.weight, LocalizedText("Weight", fr: "Coefficient", zh: "权重")).optional().atLeast(0),
                .flag(Item.bonus, LocalizedText("Extra credit", fr: "Bonus", zh: "加分项")).optional(),
            ])
    }

    /// Returns the shape of a grade in percent, which may exceed 100 only with extra credit.
    private func percent(_ field: FieldShape) -> FieldShape {
        let grade = field.optional().atLeast(0, orFault: .gradeOutOfRange).asGrade(best: 100)
        return configuration.extraCredit ? grade : grade.atMost(100)
    }

    func validate(in registrar: inout SchemeRegistrar) {
        registrar.validate(.record) { record, faults in
            if let credits = record[Prior.credits], credits > .zero, !record.has(Prior.gpa) {
                faults.add(.missingField, at: record, Prior.gpa)
            }
        }
        registrar.validate(Course.kind) { course, faults in
            faults.refuseDuplicates(
                among: course.children(Category.kind), by: { $0[Category.category] }, on: Category.category,
                as: .duplicateCategory)
        }
        registrar.validate(Category.kind) { category, faults in
            guard let name = category[Category.category] else { return }
            if name == Category.participation {
                if !category.children(Item.kind).isEmpty { faults.addChildren(.wrongKind, at: category) }
                for field in [Category.dropLowest, Category.dropHighest] where category.has(field) {
                    faults.add(.unknownField, at: category, field)
                }
            } else {
                if category.has(Category.grade) { faults.add(.unknownField, at: category, Category.grade) }
                if category.status != nil { faults.addStatus(.unknownField, at: category) }
            }
        }
        registrar.validate(Item.kind) { item, faults in
            if item.has(Item.score), item.has(Item.grade) { faults.add(.scoreAndGrade, at: item, Item.grade) }
            if item.has(Item.score), !item.has(Item.max) { faults.add(.missingField, at: item, Item.max) }
        }
    }
}
