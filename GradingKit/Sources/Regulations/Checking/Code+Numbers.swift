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

/// Numbers that formulas make. What goes beyond machine words is counted as work of the run.
extension Code where Value == Quantity {
    /// Returns the code that computes the value and then transforms it.
    func changed(_ transform: @escaping @Sendable (Quantity) -> Quantity) -> Code {
        switch self {
        case .constant(let value): .constant(transform(value))
        case .one(let compute): .one { $0.counted(transform(compute($0))) }
        case .two(let compute): .two { $0.counted(transform(compute($0, $1))) }
        }
    }

    /// Returns the code that combines the value with that of a link. Between constants it is a constant.
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

    /// Returns the code of a chain, which begins with this value. It is computed from the left in a loop, so that a long
    /// chain needs no more stack than a short one.
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

    /// Returns the code of the first value that is defined. Those behind it are not computed.
    static func first(_ codes: [Code]) -> Code {
        several(codes) { codes in
            { entry in
                var value = Quantity.undefined(.noGrades)
                for code in codes {
                    value = code(entry)
                    if value.isDefined { break }
                }
                return value
            }
        } two: { codes in
            { entry, own in
                var value = Quantity.undefined(.noGrades)
                for code in codes {
                    value = code(entry, own)
                    if value.isDefined { break }
                }
                return value
            }
        }
    }
}

/// Conditions joined by `and` or `or`.
extension Code where Value == Truth {
    /// Returns the code that joins conditions. Once one of them is `decisive` so is the result, and the others are not
    /// computed.
    static func joined(_ codes: [Code], _ decisive: Truth) -> Code {
        var open: [Code] = []
        for code in codes {
            guard case .constant(let value) = code else {
                open.append(code)
                continue
            }
            // What is decided when the rules are read costs nothing.
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
