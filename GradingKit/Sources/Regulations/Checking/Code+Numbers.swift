import GradingKit

/// A link of a chain such as a sum: the next value, and how it is combined with the value so far.
struct ChainLink: Sendable {
    let code: Code<Quantity>
    let combine: @Sendable (Quantity, Quantity) -> Quantity

    init(_ code: Code<Quantity>, _ combine: @escaping @Sendable (Quantity, Quantity) -> Quantity) {
        self.code = code
        self.combine = combine
    }
}

/// Numbers that formulas compute. Operations beyond machine words count as work of the run.
extension Code where Value == Quantity {
    /// Returns the code that computes the value and then transforms it.
    func changed(_ transform: @escaping @Sendable (Quantity) -> Quantity) -> Code {
        switch self {
        case .constant(let value): .constant(transform(value))
        case .one(let compute): .one { $0.counted(transform(compute($0))) }
        case .two(let compute): .two { $0.counted(transform(compute($0, $1))) }
        }
    }

    /// Returns the code that combines the value with that of a link. Two constants give a constant.
    func combined(_ link: ChainLink) -> Code {
        let combine = link.combine
        switch (self, link.code) {
        case (.constant(let left), .constant(let right)): return .constant(combine(left, right))
        case (.one(let left), .constant(let right)): return .one { $0.counted(combine(left($0), right)) }
        case (.constant(let left), .one(let right)): return .one { $0.counted(combine(left, right($0))) }
        case (.one(let left), .one(let right)): return .one { $0.counted(combine(left($0), right($0))) }
        default:
            let (left, right) = (open, link.code.open)
            return .two { $0.counted(combine(left($0, $1), right($0, $1))) }
        }
    }

    /// Returns the code of a chain that starts with this value. It is computed from the left in a loop, so a long chain
    /// needs no more stack than a short one.
    func chained(_ links: [ChainLink]) -> Code {
        if links.count <= 1 || (isConstant && links.allSatisfy { $0.code.isConstant }) {
            return links.reduce(self) { $0.combined($1) }
        }
        let combine = links.map(\.combine)
        return Code.several([self] + links.map(\.code)) { codes in
            { entry in
                var value = codes[0](entry)
                for place in combine.indices {
                    value = entry.counted(combine[place](value, codes[place + 1](entry)))
                }
                return value
            }
        } two: { codes in
            { entry, own in
                var value = codes[0](entry, own)
                for place in combine.indices {
                    value = entry.counted(combine[place](value, codes[place + 1](entry, own)))
                }
                return value
            }
        }
    }

    /// Returns the code of the first defined value. Later values are computed only if explanations show them.
    static func first(_ codes: [Code]) -> Code {
        several(codes) { codes in
            { entry in
                let (value, taken) = Self.first(codes.count) { codes[$0](entry) }
                return entry.taking(value) { codes.indices.filter { $0 != taken }.map { codes[$0](entry) } }
            }
        } two: { codes in
            { entry, own in
                let (value, taken) = Self.first(codes.count) { codes[$0](entry, own) }
                return entry.taking(value) { codes.indices.filter { $0 != taken }.map { codes[$0](entry, own) } }
            }
        }
    }

    /// Returns the code of the first defined value, where some values are grades that stand for one another. Once such
    /// a value is recorded, the ones before it are absent and not open. Until then, the first one with a recorded grade
    /// is open, or else the `expected` one.
    ///
    /// - Parameter grades: the grades of the value at each place; empty for values of another kind.
    static func first(_ codes: [Code], of grades: [[Code]], expecting expected: Int) -> Code {
        var parts: [Range<Int>] = []
        for list in grades {
            let start = parts.last?.upperBound ?? codes.count
            parts.append(start..<start + list.count)
        }
        let (count, ranges) = (codes.count, parts)
        let places = ranges.indices.filter { !ranges[$0].isEmpty }
        @Sendable func open(_ isDefined: (Int) -> Bool) -> Int {
            places.first(where: isDefined) ?? places.first { ranges[$0].contains(where: isDefined) } ?? expected
        }
        return several(codes + grades.flatMap { $0 }) { codes in
            { entry in
                let open = entry.asRecorded { recorded in open { codes[$0](recorded).isDefined } }
                let (value, taken) = Self.first(count, skipping: { $0 < open && !ranges[$0].isEmpty }) {
                    codes[$0](entry)
                }
                return entry.taking(value) { (0..<count).filter { $0 != taken }.map { codes[$0](entry) } }
            }
        } two: { codes in
            { entry, own in
                let open = entry.asRecorded { recorded in open { codes[$0](recorded, recorded).isDefined } }
                let (value, taken) = Self.first(count, skipping: { $0 < open && !ranges[$0].isEmpty }) {
                    codes[$0](entry, own)
                }
                return entry.taking(value) { (0..<count).filter { $0 != taken }.map { codes[$0](entry, own) } }
            }
        }
    }

    @inline(__always)
    private static func first(
        _ count: Int, skipping isSkipped: (Int) -> Bool = { _ in false }, _ compute: (Int) -> Quantity
    ) -> (value: Quantity, place: Int) {
        for place in 0..<count - 1 where !isSkipped(place) {
            let value = compute(place)
            if value.isDefined { return (value, place) }
        }
        return (compute(count - 1), count - 1)
    }

    /// Returns the code of one value if a condition holds, and of another if not. The other one is computed only if
    /// explanations show it.
    static func choose(
        _ condition: Code<Truth>, _ then: Code, _ otherwise: Code, _ unknown: Code
    ) -> Code {
        switch condition {
        case .constant(.yes): return then
        case .constant(.no): return otherwise
        case .constant(.unknown): return unknown
        default: break
        }
        let isOne = [condition.isClosed, then.isClosed, otherwise.isClosed, unknown.isClosed].allSatisfy(\.self)
        if isOne {
            let (test, yes, no, open) = (condition.closed, then.closed, otherwise.closed, unknown.closed)
            return .one { entry in
                let truth = test(entry)
                return entry.taking(truth.pick(yes(entry), no(entry), open(entry))) {
                    truth.pick([no(entry)], [yes(entry)], [yes(entry), no(entry)])
                }
            }
        }
        let (test, yes, no, open) = (condition.open, then.open, otherwise.open, unknown.open)
        return .two { entry, own in
            let truth = test(entry, own)
            return entry.taking(truth.pick(yes(entry, own), no(entry, own), open(entry, own))) {
                truth.pick([no(entry, own)], [yes(entry, own)], [yes(entry, own), no(entry, own)])
            }
        }
    }
}

/// Conditions joined by `and` or `or`.
extension Code where Value == Truth {
    /// Returns the code that joins conditions. Once one is `decisive`, so is the result, and the others are not
    /// computed.
    static func joined(_ codes: [Code], _ decisive: Truth) -> Code {
        var open: [Code] = []
        for code in codes {
            guard case .constant(let value) = code else {
                open.append(code)
                continue
            }
            // A condition that is decided when the rules are read costs nothing.
            if value == decisive { return code }
            if value == .unknown { open.append(code) }
        }
        guard let first = open.first else { return .constant(decisive.negated) }
        if open.count == 1 { return first }
        return several(open) { codes in
            { entry in
                var result = decisive.negated
                for code in codes {
                    result = result.joined(with: code(entry), decisive)
                    if result == decisive { break }
                }
                return result
            }
        } two: { codes in
            { entry, own in
                var result = decisive.negated
                for code in codes {
                    result = result.joined(with: code(entry, own), decisive)
                    if result == decisive { break }
                }
                return result
            }
        }
    }
}
