/// The order in which figures are checked.
extension Checker {
    /// The figures, each after those that it mentions, so that checks nest little. Each figure and each `let` is
    /// visited once.
    var order: [Int] {
        let count = document.figures.count
        var owners: [String: [Int]] = [:]
        for (place, figure) in document.figures.enumerated() {
            owners[figure.heading.name.text, default: []].append(place)
        }
        for (place, item) in document.abbreviations.enumerated() {
            owners[item.heading.name.text, default: []].append(count + place)
        }
        func needs(_ place: Int) -> [Int] {
            let formula =
                place < count ? document.figures[place].formula : document.abbreviations[place - count].formula
            return formula.names.sorted().flatMap { owners[$0] ?? [] }
        }
        var order: [Int] = []
        var seen = [Bool](repeating: false, count: count + document.abbreviations.count)
        for start in document.figures.indices {
            var stack: [(place: Int, isDone: Bool)] = [(start, false)]
            while let (place, isDone) = stack.popLast() {
                if isDone {
                    if place < count { order.append(place) }
                } else if !seen[place] {
                    seen[place] = true
                    stack.append((place, true))
                    stack += needs(place).lazy.filter { !seen[$0] }.map { ($0, false) }
                }
            }
        }
        return order
    }
}
