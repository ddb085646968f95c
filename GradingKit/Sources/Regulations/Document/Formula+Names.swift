extension Formula {
    /// The last words of all names in it.
    var names: Set<String> {
        var names: Set<String> = []
        collect(&names)
        return names
    }

    private func collect(_ names: inout Set<String>) {
        switch node {
        case .choice(let condition, let then, let otherwise):
            for part in [condition, then, otherwise].compactMap(\.self) { part.collect(&names) }
        case .any(let parts), .all(let parts): for part in parts { part.collect(&names) }
        case .call(let name, let parts):
            names.insert(name.text)
            for part in parts { part.collect(&names) }
        case .not(let part), .ungraded(let part), .negative(let part), .state(let part, _, _, _): part.collect(&names)
        case .comparison(let left, _, let right, _):
            left.collect(&names)
            right.collect(&names)
        case .otherwise(let first, let others):
            first.collect(&names)
            for other in others { other.collect(&names) }
        case .sum(let first, let terms):
            first.collect(&names)
            for term in terms { term.term.collect(&names) }
        case .product(let first, let factors):
            first.collect(&names)
            for factor in factors {
                switch factor {
                case .times(let part), .over(let part): part.collect(&names)
                case .converted, .said, .through: break
                }
            }
        case .missingAsWorst(let part, let condition):
            part.collect(&names)
            condition?.collect(&names)
        case .cell(_, let row, let column):
            row.collect(&names)
            column.collect(&names)
        case .number, .text: break
        case .name(let words): if let last = words.last { names.insert(last.text) }
        case .fold(let fold):
            fold.value?.collect(&names)
            fold.divisor?.collect(&names)
            fold.weight?.collect(&names)
            fold.entries.collect(&names)
        case .quantifier(let quantifier):
            quantifier.condition?.collect(&names)
            quantifier.entries.collect(&names)
        }
    }
}

extension Formula.Entries {
    fileprivate func collect(_ names: inout Set<String>) {
        for clause in clauses {
            switch clause {
            case .whose(let condition): names.formUnion(condition.names)
            case .best(let count, let keys, let limit):
                let alike = limit.map { [$0.count, $0.formula] } ?? []
                for part in [count] + keys + alike { names.formUnion(part.names) }
            case .bestOf(let limit, let amount, let keys, _):
                for part in [limit, amount] + keys { names.formUnion(part.names) }
            case .onePer(let key, let keys): for part in [key] + keys { names.formUnion(part.names) }
            case .withoutByRatio(_, let count, _, _), .expecting(let count, _): names.formUnion(count.names)
            case .without(_, let count, let keys, _): for part in [count] + keys { names.formUnion(part.names) }
            }
        }
    }
}
