import GradingKit

/// A formula as written: a tree whose chains are lists, so that its depth is that of its brackets.
struct Formula: Sendable {
    /// Its bytes in the document.
    let range: Range<Int>
    let node: Node

    indirect enum Node: Sendable {
        case choice(condition: Formula, then: Formula, otherwise: Formula?)
        case any([Formula])
        case all([Formula])
        case not(Formula)
        case comparison(Formula, Comparison, Formula, sign: Range<Int>)
        case state(Formula, isNegated: Bool, word: String, at: Range<Int>)
        case otherwise(Formula, [Formula])
        /// The last part of an `otherwise`: an empty group counts as one missing grade.
        case ungraded(Formula)
        case sum(Formula, [(isMinus: Bool, term: Formula)])
        case product(Formula, [Factor])
        case negative(Formula)
        case missingAsWorst(Formula, when: Formula?)
        case number(Exact, isPercent: Bool)
        case text(String)
        /// A name with the kinds before it.
        case name([Word])
        case call(Word, [Formula])
        /// `table[row, column]`.
        case cell(Word, row: Formula, column: Formula)
        case fold(Fold)
        case quantifier(Quantifier)
    }

    /// A word with its place.
    struct Word: Sendable {
        let text: String
        let range: Range<Int>
    }

    enum Comparison: String, Sendable, CaseIterable {
        case equal = "="
        case unequal = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case reaches
    }

    enum Factor: Sendable {
        case times(Formula)
        case over(Formula)
        case converted(Unit)
        case said(Unit)
        case through(Word)

        struct Unit: Sendable {
            let over: Word
            let per: Word?
        }
    }

    struct Fold: Sendable {
        enum Operation: String, Sendable, CaseIterable { case sum, mean, median, mode, least, greatest, count, ratio }

        let operation: Operation
        let value: Formula?
        /// In a ratio, the value whose sum is the divisor.
        let divisor: Formula?
        let entries: Entries
        let weight: Formula?
        let isComplete: Bool
    }

    struct Quantifier: Sendable {
        enum Amount: Sendable, Equatable { case every, any, no, most, atLeast(Int) }

        let amount: Amount
        let entries: Entries
        let condition: Formula?
    }

    /// The entries of a fold or quantifier.
    struct Entries: Sendable {
        let kind: Word
        let owner: Word?
        let clauses: [Clause]
    }

    /// How many of the best entries may be alike.
    struct Limit: Sendable {
        enum Likeness: Sendable {
            /// The entries that satisfy a condition.
            case whose(Formula)
            /// The entries that share a key.
            case per(Formula)
        }

        let count: Formula
        let likeness: Likeness

        /// The formula that determines which entries are alike.
        var formula: Formula {
            switch likeness {
            case .whose(let formula), .per(let formula): formula
            }
        }
    }

    enum Clause: Sendable {
        case whose(Formula)
        case best(Formula, by: [Formula], limit: Limit?)
        /// The best entries up to an amount, such as credits; of the last one only a part.
        case bestOf(Formula, of: Formula, by: [Formula], at: Range<Int>)
        case onePer(Formula, by: [Formula])
        case without(worst: Bool, Formula, by: [Formula], sparing: Word?)
        /// Drops the entries whose removal makes the ratio best, or worst.
        case withoutByRatio(worst: Bool, Formula, sparing: Word?, at: Range<Int>)
        /// Missing entries, up to the expected number.
        case expecting(Formula, at: Range<Int>)
    }
}

/// The words that cannot be names of declarations.
enum Grammar {
    static let reserved: Set<String> = [
        "if", "then", "else", "or", "and", "not", "reaches", "is", "otherwise", "ungraded", "as", "in", "through",
        "missing", "worst", "when", "every", "any", "no", "most", "at", "least", "sum", "mean", "median", "greatest",
        "mode", "count", "of", "over", "weighted", "by", "complete", "ratio", "to", "best", "one", "per", "without",
        "sparing", "expecting", "where", "known", "recorded", "record", "was",
    ]

    /// All words to which the language gives a meaning on their own.
    static let words = reserved.union(DocumentParser.declarations).union([
        "above", "after", "article", "attempted", "average", "awaiting", "awaits", "because", "ceiling", "coloured",
        "comma", "counts", "decimal", "decimals", "deep", "down", "earned", "even", "exactly", "expect", "final",
        "floor", "fr", "from", "grade", "half", "hand", "in_gpa", "judged", "language", "leaves", "letter", "lettered",
        "max", "met", "min", "needs", "nested", "none", "number", "optional", "out", "pending", "plain", "range",
        "refused", "required", "round", "shown", "starts", "statuses", "step", "student", "text", "truncate", "unique",
        "unknown", "unmet", "up", "whole", "with", "within", "worth", "yes", "zh",
    ])
}
