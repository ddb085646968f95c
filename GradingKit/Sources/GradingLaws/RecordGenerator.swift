import GradingKit

/// Makes records of a shape's own values, with bounds, ties and gaps more often than by chance.
struct RecordGenerator {
    /// How many entries to make.
    enum Size {
        /// A few of each kind.
        case small
        /// As many as the shape allows.
        case greatest
    }

    /// Where a record's grades lie relative to the thresholds of its scheme.
    private enum Aim {
        /// Anywhere.
        case anywhere
        /// At one threshold, or just beside it.
        case around
        /// All at the same threshold, so that their mean meets it, too.
        case at(Int)
    }

    let shape: RecordShape
    private let thresholds: Thresholds
    private let words: TemplateWords
    private var aim = Aim.anywhere
    private(set) var dice: SeededGenerator
    /// The number of entries made so far, for the next one's identifier and texts.
    private var made = 0
    private var size = Size.small
    /// The percentage of grades that are given.
    private var graded = 100
    /// Whether grades may exceed their maximum if the shape allows it.
    private var exceeds = false

    init(for rules: Rulebook, seed: UInt64) {
        shape = rules.shape
        thresholds = Thresholds(of: rules)
        words = TemplateWords(of: rules)
        dice = SeededGenerator(seed: seed)
    }

    /// Makes the next record, from the shape's values; the validator may refuse it.
    mutating func record(_ size: Size = .small, exceeding: Bool = false) -> GeneratedRecord {
        made = 0
        self.size = size
        exceeds = exceeding
        graded = size == .greatest ? 90 : dice.pick([0, 50, 80, 100, 100]) ?? 100
        aim = size == .greatest ? .anywhere : [.anywhere, .anywhere, .around, .at(dice.below(64))][dice.below(4)]
        let groups = Groups(of: shape.record, &dice, siblings: 1)
        return GeneratedRecord(
            fields: .object(fields(of: shape.record, groups, index: 0)), entries: entries(in: shape.record, level: 0))
    }

    /// - Parameter level: the number of entries of the parent's own kind around, itself included.
    private mutating func entries(in parent: KindShape, level: Int) -> [JSON] {
        var entries: [JSON] = []
        for kind in shape.kinds where kind.stands(in: parent) {
            let isOwn = kind.kind == parent.kind
            if isOwn, level >= kind.nested || size == .small && dice.chance(60) { continue }
            let count = count(of: kind)
            let groups = Groups(of: kind, &dice, siblings: count)
            for index in 0..<count where made < Self.most {
                entries.append(entry(kind, groups, index, level: isOwn ? level + 1 : 1))
            }
        }
        return entries
    }

    private static let most = RecordShape.greatestEntryCount

    /// Draws how many entries of a kind to generate in one place.
    private mutating func count(of kind: KindShape) -> Int {
        switch size {
        case .small:
            let most = min(kind.count.upperBound, kind.count.lowerBound + 5)
            return Int.random(in: kind.count.lowerBound...max(most, kind.count.lowerBound), using: &dice)
        case .greatest: return max(kind.count.lowerBound, min(kind.count.upperBound, branches))
        }
    }

    /// The number of entries in each parent such that all together nearly fill a record, with some at every depth.
    private var branches: Int {
        let depth = depth(below: .record)
        return (1...Self.most).first { branches in
            (0..<depth).reduce(1) { total, _ in min(total * branches, Self.most) } >= Self.most
        } ?? Self.most
    }

    /// The greatest nesting depth of kinds.
    private func depth(below kind: Kind) -> Int {
        shape.kinds.filter { $0.parent == kind }.map { 1 + depth(below: $0.kind) }.max() ?? 0
    }

    private mutating func entry(_ kind: KindShape, _ groups: Groups, _ index: Int, level: Int) -> JSON {
        made += 1
        let number = String(made)
        var entry: JSONObject = [
            "id": .string("e" + String(repeating: "0", count: max(0, 4 - number.count)) + number),
            "kind": .string(kind.kind.name), "fields": .object(fields(of: kind, groups, index: index)),
        ]
        if dice.chance(8), let status = dice.pick(kind.statuses) { entry["status"] = .string(status.rawValue) }
        let children = entries(in: kind, level: level)
        if !children.isEmpty { entry["children"] = .array(children) }
        return .object(entry)
    }

    private mutating func fields(of kind: KindShape, _ groups: Groups, index: Int) -> JSONObject {
        var values = JSONObject()
        // Grades last: another field may hold the best grade.
        for field in kind.fields.filter({ !$0.isGrade }) + kind.fields.filter(\.isGrade) {
            guard field.isRequired || groups.present.contains(field.name) else { continue }
            values[field.name] = field.isGrade ? grade(field, values) : value(of: field, groups, index)
            // Rules look for names that are in their templates. Siblings get different names.
            let known = words.texts(of: field.name, in: kind.kind)
            if case .text = field.content, field.isRequired, index < known.count {
                values[field.name] = .string(known[(groups.offset + index) % known.count])
            }
        }
        return values
    }

    /// Makes a value for a single field, as a repair needs it.
    mutating func value(of field: FieldShape) -> JSON? {
        value(of: field, Groups(of: shape.record, &dice, siblings: 1), 0)
    }

    private mutating func value(of field: FieldShape, _ groups: Groups, _ index: Int) -> JSON? {
        switch field.content {
        case .text: return .string(text(field))
        case .flag: return .bool(dice.chance(40))
        case .choice(let choices):
            guard !choices.isEmpty else { return nil }
            return choices[(groups.offset + index) % choices.count].value.json
        case .integer, .number:
            if let shares = groups.shares[field.name], shares.indices.contains(index) { return shares[index].json }
            return number(field).json
        }
    }

    /// Required texts differ, because validators may demand that; optional ones coincide, because rules may group by
    /// them.
    private mutating func text(_ field: FieldShape) -> String {
        field.isRequired ? "Text \(made)" : dice.pick(["A 1", "a 1 ", "B 2", ""]) ?? ""
    }

    private mutating func number(_ field: FieldShape) -> Exact {
        let low = field.lowest?.value ?? .zero
        let high = field.highest?.value ?? low + 20
        var candidates = [low + 1, low + 2, low + 3, low + 4, low + 8]
        if field.content == .number { candidates += [low + .half, low + Exact(dice.below(900) + 1) * hundredth] }
        if case .inclusive? = field.lowest { candidates.append(low) }
        if case .inclusive? = field.highest { candidates.append(high) }
        return dice.pick(candidates.filter { $0 <= high }) ?? low
    }

    /// Draws a grade; `nil` leaves the field open. Grades at a threshold, at either end of the scale and halfway are more
    /// frequent than others, and a generator that exceeds draws some above the best.
    private mutating func grade(_ field: FieldShape, _ values: JSONObject) -> JSON? {
        if !field.letters.isEmpty {
            return dice.chance(graded) ? dice.pick(field.letters).map { .string($0.label) } : nil
        }
        guard dice.chance(graded), let best = field.bestGrade ?? field.bestGradeField.flatMap({ values[$0]?.exact })
        else { return nil }
        if exceeds, field.highest == nil, field.highestField == nil, dice.chance(20) { return (best + 1).json }
        let worst = field.worstGrade
        if let threshold = threshold(between: worst, and: best) { return threshold.json(places: field.decimals) }
        let part = Exact(dice.below(101)) * hundredth
        let parts: [Exact] = [0, .half, 1, part, part]
        return (worst + (dice.pick(parts) ?? 1) * (best - worst)).json(places: field.decimals)
    }

    /// A grade at a threshold of the scheme or just beside it, if the record aims at one.
    private mutating func threshold(between worst: Exact, and best: Exact) -> Exact? {
        let reachable = thresholds.reachable(from: worst, to: best)
        guard !reachable.isEmpty else { return nil }
        switch aim {
        case .anywhere: return nil
        case .at(let number): return reachable[number % reachable.count]
        case .around:
            // Half a hundredth below a bound still rounds up to it.
            let steps: [Exact] = [0, hundredth, -hundredth, hundredth * .half, -(hundredth * .half)]
            guard let threshold = dice.pick(reachable), let step = dice.pick(steps) else { return nil }
            return max(min(worst, best), min(max(worst, best), threshold + step))
        }
    }

    private var hundredth: Exact { Exact(1, over: 100) ?? 0 }
}

/// What siblings of one kind have in common, because rules often use them together.
private struct Groups {
    /// The optional fields that have a value.
    var present: Set<String> = []
    /// The first choice; each sibling takes the next one.
    var offset = 0
    /// Numbers that add up to exactly 100, as shares of a whole must.
    var shares: [String: [Exact]] = [:]

    init(of kind: KindShape, _ dice: inout SeededGenerator, siblings: Int) {
        offset = dice.below(8)
        for field in kind.fields {
            if field.isGrade || dice.chance(60) { present.insert(field.name) }
            let isShare = field.highest?.value == 100 || (field.highest == nil && dice.chance(40))
            guard field.content == .number, !field.isGrade, isShare, siblings > 1 else { continue }
            let cuts = (1..<siblings).map { _ in Exact(dice.below(101)) }.sorted()
            let shares = zip(cuts + [100], [0] + cuts).map { $0 - $1 }
            if shares.allSatisfy({ field.lowest?.value ?? 0 <= $0 && !$0.isZero }) { self.shares[field.name] = shares }
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

extension Exact {
    /// The value truncated to that many decimals.
    fileprivate func json(places: Int) -> JSON { Rounding.truncate(self, to: .scale(places)).json }
}
