import GradingKit

extension RoseHulman {
    /// Registers the cumulative GPA and the GPA of each term.
    func calculateCumulative(in registrar: inout SchemeRegistrar) {
        let (configuration, bands) = (configuration, bands)
        let points: @Sendable (GradedEntry) -> Quantity = { bands.points(for: $0.figure(Course.grade)) }
        registrar.calculate(
            "gpa",
            Presentation(LocalizedText("Overall GPA", fr: "Moyenne générale (GPA)", zh: "总绩点"), configuration.gpa)
        ) { record in
            let courses = record.courses(configuration, bands, supersededIf: { $0.inGPA && $0.average == .counts })
                .inGPA
                .keeping(as: .skipped) { $0.figure(Course.grade).isDefined }
            let earned = courses.sum { $0[Course.credits] * points($0) }
            let credits = courses.sum { $0[Course.credits] }
            let isGraded = courses.contains { _ in true }
            guard record.has(Prior.credits), record.has(Prior.gpa) else {
                return (earned / credits).because(isGraded ? .noCredits : .noGrades)
            }
            return ((record[Prior.gpa] * record[Prior.credits] + earned) / (record[Prior.credits] + credits))
                .because(isGraded ? .noCredits : .noGrades)
        }
        registrar.calculate(
            eachOf: "term",
            Presentation(LocalizedText("Term GPA", fr: "GPA du trimestre", zh: "学期绩点"), configuration.gpa)
        ) { record in
            record.terms.map { term, courses in
                (term.description, courses.inGPA.mean(of: points, weightedBy: { $0[Course.credits] }))
            }
        }
    }

    /// Registers the credits taken, attempted and earned: exact sums, displayed without trailing zeros.
    func calculateCredits(in registrar: inout SchemeRegistrar) {
        let (configuration, bands) = (configuration, bands)
        let rule = FigureRule(.halfUp, scale: 4, compareOn: .exact)
        func shown(_ label: LocalizedText) -> Presentation { Presentation(label, rule).shortened().withoutRange() }
        let total = LocalizedText("Total credits", fr: "Total des crédits", zh: "总学分")
        registrar.calculate("credits", shown(total)) { record in
            record.countingCourses(configuration, bands).keeping { $0.isTaken }.sum { $0[Course.credits] }
        }
        registrar.calculate(eachOf: "credits", shown(total)) { record in
            record.terms.map { term, courses in
                (term.description, courses.keeping { $0.isTaken }.sum { $0[Course.credits] })
            }
        }
        registrar.calculate(
            "creditsAttempted", shown(LocalizedText("Credits attempted", fr: "Crédits tentés", zh: "已修学分"))
        ) { record in
            record.priorCredits
                + record.courses(configuration, bands, supersededIf: \.attempted).keeping { $0.isAttempted }
                .sum { $0[Course.credits] }
        }
        registrar.calculate(
            "creditsEarned", shown(LocalizedText("Credits earned", fr: "Crédits obtenus", zh: "已获学分"))
        ) { record in
            record.priorCredits
                + record.courses(configuration, bands, supersededIf: \.earned).keeping { $0.isEarned(bands) }
                .sum { $0[Course.credits] }
        }
    }

    func warn(in registrar: inout SchemeRegistrar) {
        let (configuration, bands) = (configuration, bands)
        registrar.warn { record, warnings in
            for course in record.countingCourses(configuration, bands).superseded {
                warnings.add("repeated_course", at: course)
            }
        }
        registrar.warn(Course.kind) { course, warnings in
            let sum = course.declaredWeight
            guard configuration.weights == .normalise, sum != 100, let factor = Exact(100) / sum else {
                return
            }
            warnings.add("weights_normalised", at: course, ["sum": sum.json, "factor": factor.json])
        }
        registrar.warn(Category.kind) { category, warnings in
            let items = category.children(Item.kind)
            if items.contains(where: { $0.has(Item.max) && !$0.has(Item.weight) }),
                items.contains(where: { $0.has(Item.grade) })
            {
                warnings.add("mixed_item_weights", at: category)
            }
        }
    }
}

/// A quarter of an academic year; lists show the newest first.
struct Term: Hashable, Comparable, CustomStringConvertible {
    let year: Int
    let quarter: Int

    var description: String { "\(year).\(quarter)" }

    static func < (left: Self, right: Self) -> Bool { (left.year, left.quarter) < (right.year, right.quarter) }
}

extension GradedEntry {
    /// Returns the courses that count after repeats are resolved.
    func countingCourses(_ configuration: RoseHulmanConfiguration, _ bands: Bands) -> GradedEntries {
        let courses = children(Course.kind)
        switch configuration.attempts {
        case .all: return courses
        case .best: return courses.superseding(by: \.competingNumber) { $0.isBetter(than: $1, bands) }
        case .last: return courses.superseding(by: \.competingNumber) { $0.isLater(than: $1) }
        }
    }

    /// Returns the courses that count for one purpose. Superseded courses are included if the table of statuses says
    /// so.
    fileprivate func courses(
        _ configuration: RoseHulmanConfiguration, _ bands: Bands, supersededIf counts: (StatusRule) -> Bool
    ) -> GradedEntries {
        counts(configuration.statuses[.superseded])
            ? children(Course.kind) : countingCourses(configuration, bands)
    }

    /// The number that repeats of a course share; `nil` if the course is not an attempt, or not graded yet.
    fileprivate var competingNumber: String? {
        guard status == nil, figure(Course.grade).isDefined, let number = self[Course.number] else { return nil }
        let name = comparableName(number)
        return name.isEmpty ? nil : name
    }

    fileprivate func isBetter(than other: GradedEntry, _ bands: Bands) -> Bool {
        let (mine, others) = (figure(Course.grade), other.figure(Course.grade))
        let points = [mine, others].map { bands.band(for: $0)?.points ?? .zero }
        if points[0] != points[1] { return points[0] > points[1] }
        let grades = [mine, others].map { $0.value ?? .zero }
        return grades[0] != grades[1] ? grades[0] > grades[1] : isLater(than: other)
    }

    fileprivate func isLater(than other: GradedEntry) -> Bool {
        guard let mine = term, let others = other.term, mine != others else { return id > other.id }
        return mine > others
    }

    /// The term of a course; `nil` if it has no year or quarter.
    var term: Term? {
        guard let year = self[Course.year], let quarter = self[Course.quarter] else { return nil }
        return Term(year: year, quarter: quarter)
    }

    /// The terms of a record with their courses, newest first.
    fileprivate var terms: [(term: Term, courses: GradedEntries)] {
        children(Course.kind).grouped(by: \.term)
            .compactMap { courses in courses.first { _ in true }?.term.map { ($0, courses) } }
            .sorted { $0.term > $1.term }
    }

    fileprivate var priorCredits: Quantity { has(Prior.credits) ? self[Prior.credits] : 0 }

    /// Whether a course's credits count as taken.
    fileprivate var isTaken: Bool { status != .excused && status != .audit }

    /// Whether a course counts as attempted: it is graded, or its status says so.
    fileprivate var isAttempted: Bool { status == nil ? figure(Course.grade).isDefined : statusRule.attempted }

    /// Returns whether a course's credits are earned: its grade has points, or its status says so.
    fileprivate func isEarned(_ bands: Bands) -> Bool {
        guard status == nil else { return statusRule.earned }
        return (bands.band(for: figure(Course.grade))?.points ?? .zero) > .zero
    }
}
