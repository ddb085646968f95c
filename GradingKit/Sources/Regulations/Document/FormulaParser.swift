import GradingKit

/// Reads formulas by recursive descent. Each rule that can contain itself counts its depth, and parts are counted while
/// chains are read, so that no text costs more than a formula may.
struct FormulaParser {
    /// The greatest nesting of brackets, conditions and signs.
    static let depth = 40
    /// The most parts of a formula, also after names are written in place.
    static let size = 500

    var reader: TokenReader
    private var depth = 0
    private var size = 0
    /// Whether the parser is after a `where`, so that what follows the condition belongs to the fold.
    private var isInClause = false
    private let start: Int

    init(_ reader: TokenReader) {
        self.reader = reader
        start = reader.range.lowerBound
    }

    /// Reads a formula from the next word on.
    static func formula(_ reader: inout TokenReader) throws(Stop) -> Formula {
        var parser = FormulaParser(reader)
        defer { reader = parser.reader }
        return try parser.formula()
    }

    /// Reads a condition up to a word with which an outcome or a check continues. The condition has no `if` of its own.
    static func condition(_ reader: inout TokenReader) throws(Stop) -> Formula {
        var parser = FormulaParser(reader)
        defer { reader = parser.reader }
        return try parser.disjunction()
    }

    /// Reads keys, each a single factor, separated by commas.
    static func keys(_ reader: inout TokenReader) throws(Stop) -> [Formula] {
        var parser = FormulaParser(reader)
        defer { reader = parser.reader }
        return try parser.keys()
    }

    private mutating func make(_ node: Formula.Node, from start: Int) throws(Stop) -> Formula {
        size += 1
        if size > Self.size {
            let range = self.start..<max(self.start, reader.lastEnd)
            reader.faults.add(.formulaTooLong, range, ["limit": .number(String(Self.size))])
            throw Stop()
        }
        return Formula(range: start..<max(start, reader.lastEnd), node: node)
    }

    private mutating func deeper<Result>(
        _ read: (inout FormulaParser) throws(Stop) -> Result
    ) throws(Stop) -> Result {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depth {
            reader.faults.add(.tooDeep, reader.range)
            throw Stop()
        }
        return try read(&self)
    }

    // MARK: Conditions

    private mutating func formula() throws(Stop) -> Formula {
        let before = isInClause
        isInClause = false
        defer { isInClause = before }
        return try deeper { parser throws(Stop) in
            guard parser.reader.sees("if") else { return try parser.disjunction() }
            return try parser.choice()
        }
    }

    private mutating func choice() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        try reader.word("if")
        let condition = try formula()
        try reader.word("then")
        let then = try formula()
        let otherwise: Formula? = reader.takes("else") ? try formula() : nil
        return try make(.choice(condition: condition, then: then, otherwise: otherwise), from: start)
    }

    private mutating func disjunction() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        var parts = [try conjunction()]
        while reader.takes("or") { parts.append(try counted { parser throws(Stop) in try parser.conjunction() }) }
        return parts.count == 1 ? parts[0] : try make(.any(parts), from: start)
    }

    private mutating func conjunction() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        var parts = [try negation()]
        while reader.takes("and") { parts.append(try counted { parser throws(Stop) in try parser.negation() }) }
        return parts.count == 1 ? parts[0] : try make(.all(parts), from: start)
    }

    /// Reads another link of a chain, which counts as a part.
    private mutating func counted(
        _ read: (inout FormulaParser) throws(Stop) -> Formula
    ) throws(Stop) -> Formula {
        size += 1
        return try read(&self)
    }

    private mutating func negation() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        guard reader.takes("not") else { return try comparison() }
        let part = try deeper { parser throws(Stop) in try parser.negation() }
        return try make(.not(part), from: start)
    }

    private mutating func comparison() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        let left = try alternatives()
        if let sign = Formula.Comparison.allCases.first(where: { reader.sees($0.rawValue) }) {
            let place = reader.range
            reader.skip()
            let right = try alternatives()
            return try make(.comparison(left, sign, right, sign: place), from: start)
        }
        guard reader.takes("is") else { return left }
        let isNegated = reader.takes("not")
        let word = try reader.anyName()
        return try make(.state(left, isNegated: isNegated, word: word.text, at: word.range), from: start)
    }

    // MARK: Numbers

    private mutating func alternatives() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        let first = try sum()
        var others: [Formula] = []
        while !isInClause, reader.takes("otherwise") {
            if reader.takes("ungraded") {
                let whole = others.isEmpty ? first : try make(.otherwise(first, others), from: start)
                return try make(.ungraded(whole), from: start)
            }
            if reader.sees("if") {
                others.append(try deeper { parser throws(Stop) in try parser.choice() })
            } else {
                others.append(try counted { parser throws(Stop) in try parser.sum() })
            }
        }
        return others.isEmpty ? first : try make(.otherwise(first, others), from: start)
    }

    private mutating func sum() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        let first = try product()
        var terms: [(isMinus: Bool, term: Formula)] = []
        while reader.sees("+") || reader.sees("-") {
            let isMinus = reader.sees("-")
            reader.skip()
            terms.append((isMinus, try counted { parser throws(Stop) in try parser.product() }))
        }
        return terms.isEmpty ? first : try make(.sum(first, terms), from: start)
    }

    private mutating func product() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        let first = try factor()
        var factors: [Formula.Factor] = []
        while true {
            if reader.takes("*") {
                factors.append(.times(try counted { parser throws(Stop) in try parser.factor() }))
            } else if reader.takes("/") {
                factors.append(.over(try counted { parser throws(Stop) in try parser.factor() }))
            } else if isInClause {
                return factors.isEmpty ? first : try make(.product(first, factors), from: start)
            } else if reader.takes("as") {
                factors.append(.converted(try unit()))
            } else if reader.takes("in") {
                factors.append(.said(try unit()))
            } else if reader.takes("through") {
                factors.append(.through(try reader.anyName()))
            } else {
                return factors.isEmpty ? first : try make(.product(first, factors), from: start)
            }
            size += 1
        }
    }

    private mutating func unit() throws(Stop) -> Formula.Factor.Unit {
        let over = try reader.anyName()
        return Formula.Factor.Unit(over: over, per: reader.takes("per") ? try reader.anyName() : nil)
    }

    private mutating func factor() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        if reader.takes("-") {
            let part = try deeper { parser throws(Stop) in try parser.factor() }
            return try make(.negative(part), from: start)
        }
        let atom = try atom()
        guard reader.takes("missing") else { return atom }
        try reader.word("as", "worst")
        let condition: Formula? =
            reader.takes("when") ? try deeper { parser throws(Stop) in try parser.comparison() } : nil
        return try make(.missingAsWorst(atom, when: condition), from: start)
    }

    // MARK: Atoms

    private mutating func atom() throws(Stop) -> Formula {
        let start = reader.range.lowerBound
        guard let next = reader.next else { throw reader.stop(.expectedFormula) }
        switch next.content {
        case .number(let value):
            reader.skip()
            return try make(.number(value, isPercent: reader.takes("%")), from: start)
        case .text(let text):
            reader.skip()
            return try make(.text(text), from: start)
        case .symbol:
            guard reader.takes("(") else { throw reader.stop(.expectedFormula) }
            let inner = try formula()
            try reader.word(")")
            return inner
        case .name(let name): return try named(name, from: start)
        }
    }

    private mutating func named(_ name: String, from start: Int) throws(Stop) -> Formula {
        if let operation = Formula.Fold.Operation(rawValue: name),
            reader.peek(1).map({ $0.says("of") || $0.says("over") }) ?? false
        {
            return try deeper { parser throws(Stop) in try parser.fold(operation, from: start) }
        }
        if let amount = try amount() {
            return try deeper { parser throws(Stop) in try parser.quantifier(amount, from: start) }
        }
        if reader.peek(1)?.says("(") ?? false {
            return try deeper { parser throws(Stop) in try parser.call(from: start) }
        }
        if reader.peek(1)?.says("[") ?? false {
            return try deeper { parser throws(Stop) in try parser.cell(from: start) }
        }
        guard !Grammar.reserved.contains(name) || name == "record" else { throw reader.stopAtWord() }
        var words = [try reader.anyName()]
        while words.count < 3, reader.takes(".") { words.append(try reader.anyName()) }
        return try make(.name(words), from: start)
    }

    private mutating func call(from start: Int) throws(Stop) -> Formula {
        let name = try reader.anyName()
        try reader.word("(")
        var arguments = [try formula()]
        // A comma separates arguments. A comma inside a number can be recognised only if the others have a space after
        // them.
        var (decimals, isSpaced): ([TokenReader.DecimalComma], Bool) = ([], false)
        while reader.sees(",") {
            if let decimal = reader.decimalComma { decimals.append(decimal) }
            let end = reader.range.upperBound
            reader.skip()
            isSpaced = isSpaced || end < reader.range.lowerBound
            arguments.append(try counted { parser throws(Stop) in try parser.formula() })
        }
        try reader.word(")")
        if isSpaced { for decimal in decimals { reader.warn(of: decimal) } }
        return try make(.call(name, arguments), from: start)
    }

    private mutating func cell(from start: Int) throws(Stop) -> Formula {
        let name = try reader.newName()
        try reader.word("[")
        let row = try key()
        try reader.word(",")
        let column = try key()
        try reader.word("]")
        return try make(.cell(name, row: row, column: column), from: start)
    }

    /// In brackets of its own, an `as` may follow a `where`, too.
    private mutating func key() throws(Stop) -> Formula {
        let before = isInClause
        isInClause = false
        defer { isInClause = before }
        return try sum()
    }

    private mutating func amount() throws(Stop) -> Formula.Quantifier.Amount? {
        if reader.takes("every") { return .every }
        if reader.takes("any") { return .any }
        if reader.takes("no") { return Formula.Quantifier.Amount.no }
        if reader.takes("most") { return .most }
        if reader.takes("at", "least") { return .atLeast(try reader.wholeNumber()) }
        return nil
    }

    private mutating func fold(_ operation: Formula.Fold.Operation, from start: Int) throws(Stop) -> Formula {
        reader.skip()
        var (value, divisor): (Formula?, Formula?)
        if operation == .ratio {
            try reader.word("of")
            value = try factor()
            try reader.word("to")
            divisor = try factor()
        } else if reader.takes("of") {
            value = try formula()
        }
        try reader.word("over")
        let entries = try entries()
        let weight: Formula? = reader.takes("weighted", "by") ? try factor() : nil
        let isComplete = reader.takes("if", "complete")
        let fold = Formula.Fold(
            operation: operation, value: value, divisor: divisor, entries: entries, weight: weight,
            isComplete: isComplete)
        return try make(.fold(fold), from: start)
    }

    private mutating func quantifier(
        _ amount: Formula.Quantifier.Amount, from start: Int
    ) throws(Stop) -> Formula {
        let entries = try entries()
        // A name after the entries starts a condition whose colon is missing.
        if let name = reader.next?.name, !Grammar.words.contains(name), !["else", "because"].contains(name) {
            throw reader.stop(.expectedWord, ["expected": ":"])
        }
        let condition: Formula? = reader.takes(":") ? try formula() : nil
        return try make(
            .quantifier(Formula.Quantifier(amount: amount, entries: entries, condition: condition)), from: start)
    }

    private mutating func entries() throws(Stop) -> Formula.Entries {
        let kind = try reader.anyName()
        let owner: Formula.Word? = reader.takes("of") ? try reader.anyName() : nil
        var clauses: [Formula.Clause] = []
        while let clause = try clause() {
            size += 1
            clauses.append(clause)
        }
        return Formula.Entries(kind: kind, owner: owner, clauses: clauses)
    }

    private mutating func clause() throws(Stop) -> Formula.Clause? {
        if reader.takes("where") {
            // What follows the condition belongs to the fold.
            return .whose(try plainDisjunction())
        }
        let start = reader.range.lowerBound
        if reader.takes("best") {
            let count = try factor()
            let amount: Formula? = reader.takes("of") ? try factor() : nil
            let place = start..<reader.lastEnd
            try reader.word("by")
            let keys = try keys()
            if amount != nil, reader.sees("at", "most") { throw reader.stop(.limitOfAmount) }
            if let amount { return .bestOf(count, of: amount, by: keys, at: place) }
            return .best(count, by: keys, limit: try limit())
        }
        if reader.takes("one") {
            try reader.word("per")
            let key = try factor()
            try reader.word("by")
            return .onePer(key, by: try keys())
        }
        if reader.takes("expecting") { return .expecting(try factor(), at: start..<reader.lastEnd) }
        guard reader.takes("without") else { return nil }
        let isWorst = reader.takes("worst")
        if !isWorst { try reader.word("best") }
        let count = try factor()
        try reader.word("by")
        let place = reader.range
        if reader.takes("ratio") {
            let spared: Formula.Word? = reader.takes("sparing") ? try reader.anyName() : nil
            return .withoutByRatio(worst: isWorst, count, sparing: spared, at: place)
        }
        let keys = try keys()
        return .without(worst: isWorst, count, by: keys, sparing: reader.takes("sparing") ? try reader.anyName() : nil)
    }

    /// Reads how many of the best may be alike, if the text says so.
    private mutating func limit() throws(Stop) -> Formula.Limit? {
        guard reader.takes("at", "most") else { return nil }
        let count = try factor()
        if reader.takes("per") { return Formula.Limit(count: count, likeness: .per(try factor())) }
        try reader.word("where")
        return Formula.Limit(count: count, likeness: .whose(try plainDisjunction()))
    }

    private mutating func keys() throws(Stop) -> [Formula] {
        var keys = [try factor()]
        while reader.takes(",") { keys.append(try counted { parser throws(Stop) in try parser.factor() }) }
        return keys
    }

    /// A condition after `where`: its `otherwise`, `as`, `in` and `through` belong to the fold.
    private mutating func plainDisjunction() throws(Stop) -> Formula {
        let before = isInClause
        isInClause = true
        defer { isInClause = before }
        return try disjunction()
    }
}
