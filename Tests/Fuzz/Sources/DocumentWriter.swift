/// Writes documents of regulations by choices that bytes make. Names are few, so that most of them mean something where they
/// stand; once the bytes end, the first choice is made each time, which is the simplest.
struct DocumentWriter {
    private var bytes: ArraySlice<UInt8>
    private var lines: [String] = []
    /// The figures so far, by their kinds.
    private var figures: [String: [String]] = [:]
    /// Those that are shown.
    private var shown: [String: [String]] = [:]
    private var outcomes: [String: [String]] = [:]
    /// Whether an outcome of the earlier record names values.
    private var hasRanks = false
    private var made = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    // MARK: Choices

    private mutating func below(_ count: Int) -> Int { Int(bytes.popFirst() ?? 0) % count }

    private mutating func pick(_ choices: String...) -> String { choices[below(choices.count)] }

    /// Nearly always the first one.
    private mutating func rarely(_ usual: String, _ others: String...) -> String {
        let choice = below(16)
        return choice == 0 || choice > others.count ? usual : others[choice - 1]
    }

    private mutating func maybe(_ text: String) -> String { below(2) == 1 ? text : "" }

    private mutating func name(_ start: String) -> String {
        made += 1
        return "\(start)\(made)"
    }

    // MARK: The document

    mutating func document() -> String {
        declareNumbers()
        declareEntries()
        for _ in 0..<(1 + below(12)) { declareRule() }
        declareTexts()
        declareOutlines()
        // Some of what is sound is broken.
        switch below(16) {
        case 1: lines.remove(at: below(lines.count))
        case 2: lines.swapAt(below(lines.count), below(lines.count))
        case 3: lines[below(lines.count)] += pick(" )", " otherwise", " by", " expecting 3", " is", ",", " \"")
        default: break
        }
        return "# Article\n\n```rules\n" + lines.joined(separator: "\n") + "\n```\n"
    }

    private mutating func declareNumbers() {
        let mode = pick("half up", "half even", "half down", "floor", "ceiling", "truncate")
        let grid = pick("2 decimals", "0 decimals", "step 1/4")
        let judged = pick("as shown", "exactly", "within 0.005")
        let (isRounding, isBands, isStatus) = (below(2) == 1, below(2) == 1, below(2) == 1)
        lines += [
            "regulation r \"R\" language 1", "scale mark \"/20\" worst 0 best 20 step 0.01",
            "scale note \"N\" worst 5 best 1 step 0.1",
            (isRounding ? "setting " : "") + "rounding shown \(mode), \(grid), judged \(judged)"
                + maybe(", after half up 3 decimals"),
            "rounding other floor, 0 decimals, judged as shown",
            (isBands ? "setting " : "") + "bands letters in mark judged by shown worth gp",
            "    A \(pick("16", "14")) 4",
            "    \"B+\" 12 \(pick("3.3", "4", "5"))", "    F 0 \(pick("0", "-1"))",
            "bands two in mark judged by other worth gp", "    good 10 4", "    poor 0 0",
            "bands words worth gp", "    Excellent 4", "    Good \(pick("3", "4"))", "    Poor 0",
            "bands german worth note", "    gut 1", "    mangelhaft 5",
            "curve up from mark to mark", "    0 \(pick("2", "10"))", "    10 12", "    20 \(rarely("19", "1"))",
            "table numbers in weight", "              a  b  \"c d\"", "    Excellent 2 \(pick("1", "-", "3")) 1/2",
            "    Good      2 1 \(pick("0", "-1"))", "    Poor      1 1 0",
            "table verdicts \"Verdicts\"", "         gut   mangelhaft",
            "    a    pass  \(pick("fail", "-", "\"no 1\""))",
            "    b    \(pick("Pass", "honours"))  fail",
            "setting bar in mark = 10 " + pick("from 0 to 20", "one of 8, 10, 12.5") + " \"Bar\"",
            "setting strict = \(pick("no", "yes")) \"Strict\"", "setting way = a one of a, b",
            (isStatus ? "setting " : "") + "status late average \(pick("40%", "worst", "leaves", "pending", "counts")) "
                + pick("attempted", "earned in_gpa", ""),
            "preset p \"P\" : bar = \(pick("8", "12.5")), strict = yes" + (isRounding ? maybe(", shown = other") : "")
                + (isBands ? maybe(", letters = two") : "")
                + (isStatus ? maybe(", late = \(pick("absent", "excused"))") : ""),
        ]
    }

    private mutating func declareEntries() {
        hasRanks = below(2) == 1
        lines += [
            "entry record", "    prior grade in mark" + maybe(" was before_it"), "    asked whole number optional",
            "    word letter of words", "    level one of a, b optional",
            "entry unit \"Unit\" at most \(pick("4", "12")) statuses excused, absent, pending, late"
                + maybe(" was module"),
            "    title text" + maybe(" unique"), "    code text optional",
            "    weight number in weight from 0 starts at 1" + maybe(" comma"), "    core yes/no optional",
            "    kind_of one of a, b optional",
            "entry test in unit at most 6 statuses excused, absent, pending, late" + maybe(" was exam, quiz"),
            "    title text optional", "    code text optional", "    number whole number optional",
            "    weight number in weight from 0 starts at 1", "    grade grade in mark" + maybe(" to any"),
            "    second grade in mark" + rarely("", " required"), "    letter letter of words",
            "    verdict letter of german",
            "    late number in days optional from 0" + maybe(" per student"), "    core yes/no optional",
            "    score grade out of max", "    max number from 0 to 40 optional",
            "entry block in unit nested \(pick("3", "2", "6")) deep at most 3 statuses excused",
            "    title text", "    weight number in weight from 0 starts at 1", "    grade grade in mark",
            "    core yes/no optional", "    code text optional", "    number whole number optional",
            "earlier before \"Before\"", "    title text", "    figure total in mark shown by shown",
            "    outcome rank" + (hasRanks ? " met first \"First\" met second unmet third" : ""), "    outcome passed",
            "    entry part code text, weight number in weight, core yes/no, figure average in mark, "
                + "outcome result met ADM met CMP \"C\" unmet AJ",
            "group pair of unit by " + pick("code", "code, kind_of", "(weight * 2), code", "kind_of"),
            "group shelf of test by " + pick("number", "code", "(number + 1)"),
        ]
    }

    private static let kinds = ["record", "unit", "test", "block", "pair", "shelf"]

    private mutating func declareRule() {
        let kind = Self.kinds[below(Self.kinds.count)]
        let of = kind == "record" ? "" : " of \(kind)"
        switch below(8) {
        case 0, 1, 2, 3:
            let figure = name("f")
            let isBlock = kind == "block" && below(2) == 1
            let formula = isBlock ? "if any block then mean of \(figure) over block else grade" : number(kind, 3)
            let shape = below(4)
            lines.append(
                shape == 0
                    ? "hidden figure \(figure)\(of) in mark\(rarely(" without range", "", "", "")) = \(formula)"
                    : "figure \(figure)\(of) in mark \"\(figure)\" shown by shown\(rarely(" without range", "", "", ""))"
                        + "\(maybe(" lettered by letters"))\(maybe(" coloured by two")) = \(formula)"
                        + (["unit", "test", "block"].contains(kind) ? maybe(" otherwise ungraded") : ""))
            figures[kind, default: []].append(figure)
            if shape > 0 { self.shown[kind, default: []].append(figure) }
        case 4:
            let name = name("l")
            lines.append("let \(name)\(of) = \(number(kind, 2))")
        case 5: declareOutcome(kind, of)
        case 6: lines.append("check \(kind) \(condition(kind, 2)) or \(rarely("bar >= 8", "strict")) else refused_it")
        default: lines.append("warn \(kind) \(condition(kind, 2)) because warned")
        }
    }

    private mutating func declareOutcome(_ kind: String, _ of: String) {
        let outcome = name("o")
        lines.append("outcome \(outcome)\(of) \"\(outcome)\"")
        if below(2) == 1 { lines.append("    awaits \(condition(kind, 2)) else open") }
        for _ in 0..<below(3) { lines.append("    needs \(condition(kind, 2)) else too_low") }
        if below(2) == 1 {
            lines.append("    met ADM \"Acquired\" when \(condition(kind, 2)) because direct")
            if below(2) == 1 { lines.append("    unmet DEF when \(condition(kind, 1))") }
            if below(2) == 1 { lines.append("    met ADJ by hand") }
            lines.append("    else AJ not_acquired")
        } else if below(2) == 1 {
            lines.append("    met when \(condition(kind, 2))" + maybe(" because direct"))
        }
        outcomes[kind, default: []].append(outcome)
    }

    // MARK: Formulas. Most of them are in marks.

    private mutating func number(_ kind: String, _ depth: Int) -> String {
        guard depth > 0 else { return leaf(kind) }
        switch below(14) {
        case 0: return fold(kind, depth - 1)
        case 1: return leaf(kind)
        case 2: return "(\(number(kind, depth - 1)) \(pick("+", "-")) \(number(kind, depth - 1)))"
        case 3: return "\(pick("min", "max"))(\(number(kind, depth - 1)), \(number(kind, depth - 1)))"
        case 4:
            return "(if \(condition(kind, depth - 1)) then \(number(kind, depth - 1)) else \(number(kind, depth - 1)))"
        case 5: return "(\(number(kind, depth - 1)) otherwise \(number(kind, depth - 1)))"
        case 6: return "(\(number(kind, depth - 1)) * \(plain(kind, depth - 1)))"
        case 7: return "((\(number(kind, depth - 1))) through up)"
        case 8: return "round(\(number(kind, depth - 1)), \(pick("shown", "other")))"
        case 9: return "((\(number(kind, depth - 1))) as note as mark)"
        case 10: return "(- \(leaf(kind)))"
        case 11: return "(\(plain(kind, depth - 1)) in mark)"
        case 12: return "((\(number(kind, depth - 1)) / (20 in mark)) as \(pick("mark", "mark", "percent as mark")))"
        default: return "(\(number(kind, depth - 1)) - 5%)"
        }
    }

    private mutating func leaf(_ kind: String) -> String {
        if let own = figures[kind], below(3) == 1 { return own[below(own.count)] }
        switch kind {
        case "record":
            return pick("prior", "bar", "before.total", "(10 in mark)", "(prior missing as worst when strict)")
        case "unit":
            return pick("(mean of grade over test)", "bar", "record.prior", "(mean of grade over test of pair)")
        case "test":
            return pick("grade", "second", "(grade missing as worst when unit.core)", "(verdict as mark)", "bar")
        case "block": return pick("grade", "bar", "(mean of grade over block)", "record.prior")
        case "pair": return pick("(mean of grade over test of unit)", "bar", "record.prior")
        default: return pick("(mean of grade over test)", "(least of second over test)", "bar")
        }
    }

    private mutating func plain(_ kind: String, _ depth: Int) -> String {
        let letter =
            kind == "test" ? pick("letter", "\"Good\"") : kind == "record" ? pick("word", "\"Poor\"") : "\"Good\""
        let column =
            ["block", "pair", "shelf"].contains(kind)
            ? pick("\"a\"", "\"b\"") : kind == "record" ? pick("\"a\"", "level") : pick("\"a\"", "code", "\"c d\"")
        switch below(6) {
        case 0: return rarely(pick("2", "1/2", "10%", "0.5"), "way")
        case 1: return "(numbers[\(letter), \(column)] in plain)"
        case 2: return "(count over \(entries(kind, depth, for: .count)))"
        case 3 where kind != "block": return "(ratio of score to max over \(source("test", in: kind))\(ratio()))"
        case 4: return kind == "test" ? "((letter in plain) / 4)" : "(\(pick("bar", "10 in mark")) in plain)"
        default: return "(\(number(kind, depth - 1)) in plain)"
        }
    }

    private mutating func ratio() -> String {
        pick("", " without worst 1 by ratio", " without best 1 by ratio sparing core", " where score is known")
    }

    private enum Use { case count, mean, sum, other }

    private mutating func fold(_ kind: String, _ depth: Int) -> String {
        let operation = pick("mean", "sum", "median", "mode", "least", "greatest")
        let inner = child(of: kind)
        let use: Use = operation == "mean" ? .mean : operation == "sum" ? .sum : .other
        let value = inner == "part" ? "average" : number(inner, depth)
        let (before, choice) = (figures[inner], below(3))
        let isWeighted = !["pair", "shelf"].contains(inner)
        let of = choice == 1 ? before?.first ?? value : value
        var text = "(\(operation) of \(of) over \(source(inner, in: kind))"
        switch below(6) {
        case 1 where use == .mean || use == .sum:
            text += " expecting \(pick("4", "asked_or_2", "(2 + 2)")) without \(pick("worst", "best")) 1 by \(of)"
        case 2 where use == .mean && isWeighted: text += " best \(pick("3", "10")) of weight by \(of)"
        case 3 where use == .mean && isWeighted: text += clauses(inner, depth) + " weighted by weight"
        default: text += clauses(inner, depth)
        }
        return text.replacing("asked_or_2", with: kind == "record" ? "asked" : "2") + maybe(" if complete") + ")"
    }

    private mutating func child(of kind: String) -> String {
        switch kind {
        case "record": return pick("unit", "test", "pair", "part", "block")
        case "unit": return pick("test", "block", "shelf", "part")
        case "test": return pick("test", "part")
        case "block": return "block"
        case "pair": return pick("unit", "test")
        default: return "test"
        }
    }

    /// How entries of a kind are named from another.
    private mutating func source(_ inner: String, in kind: String) -> String {
        switch (inner, kind) {
        case ("part", _): "part of before"
        case ("test", "record"), ("test", "pair"), ("block", "record"): "\(inner) of unit"
        case ("test", "test"): pick("test of unit", "test of shelf", "test of record")
        default: inner
        }
    }

    private mutating func entries(_ kind: String, _ depth: Int, for use: Use) -> String {
        let inner = child(of: kind)
        return source(inner, in: kind) + clauses(inner, depth)
    }

    private mutating func clauses(_ kind: String, _ depth: Int) -> String {
        var text = ""
        for _ in 0..<below(3) {
            let key = ["unit", "pair"].contains(kind) ? "weight" : kind == "part" ? "average" : "grade"
            switch below(5) {
            case 0: text += " where \(condition(kind, max(0, depth - 1)))"
            case 1: text += " best \(pick("1", "2", "0")) by \(key)" + maybe(", -weight")
            case 2: text += " one per code by \(key)"
            case 3: text += " without worst 1 by \(key)" + (kind == "pair" ? "" : maybe(" sparing core"))
            default: text += " without best 1 by \(key), -\(key)"
            }
        }
        return kind == "shelf" || kind == "pair" ? "" : text
    }

    private mutating func condition(_ kind: String, _ depth: Int) -> String {
        guard depth > 0 else { return pick("strict", "bar > 8", "way is b", "not strict") }
        switch below(13) {
        case 0:
            return "(\(number(kind, depth - 1)) \(pick(">=", ">", "<", "<=", "=", "<>")) \(number(kind, depth - 1)))"
        case 1: return "(\(condition(kind, depth - 1)) \(pick("and", "or")) \(condition(kind, depth - 1)))"
        case 2: return "not (\(condition(kind, depth - 1)))"
        case 3:
            let inner = child(of: kind)
            let amount = pick("every", "any", "no", "most", "at least 2")
            return "(\(amount) \(source(inner, in: kind))\(clauses(inner, depth - 1)) : \(condition(inner, depth - 1)))"
        case 4: return shown[kind].map { "(\($0[0]) reaches bar)" } ?? "(bar >= 9)"
        case 5:
            return outcomes[kind].map { "(\($0[0]) is \(pick("met", "unmet", "pending", "ADM", "AJ")))" } ?? "strict"
        case 6: return state(kind)
        case 7: return "(\(number(kind, depth - 1)) is known)"
        case 8: return "before.passed is met"
        case 9: return hasRanks ? pick("before.rank is first", "before.rank is not third") : "before.title = \"X\""
        case 10: return text(kind)
        case 11: return "(any part of before : result is \(pick("ADM", "AJ", "CMP", "unmet")))"
        default: return pick("strict", "awaiting", "way is a")
        }
    }

    private mutating func state(_ kind: String) -> String {
        switch kind {
        case "unit", "test", "block":
            pick("counts", "attempted", "earned", "in_gpa", "pending", "status is excused", "core")
        case "part": pick("result is ADM", "core", "average is known")
        default: pick("awaiting", "strict")
        }
    }

    private mutating func text(_ kind: String) -> String {
        switch kind {
        case "record": pick("level is a", "verdicts[level, \"gut\"] is pass", "word is recorded")
        case "unit": pick("kind_of is a", "code = \" X\"", "verdicts[kind_of, \"gut\"] = \"no 1\"", "kind_of is not b")
        case "test":
            pick("verdicts[unit.kind_of, verdict] is fail", "code = unit.code", "letter >= 3", "letter is recorded")
        default: pick("way is b", "strict")
        }
    }

    // MARK: Texts, templates, examples

    private mutating func declareTexts() {
        lines += [
            "texts", "    too_low \"Below {\(rarely("bar", "strict", "nothing"))}\" fr \"Sous {bar}\"",
            "    direct \"By itself\"",
            "    warned \"\(rarely("{bar}", "{title}", "{prior}", "{"))\"",
        ]
    }

    private mutating func declareOutlines() {
        lines += [
            "template t \"T\"", "    record prior \(pick("12", "0", "20"))\(maybe(" word Good"))",
            "    unit \"U\" code \"X\"\(maybe(" core yes"))\(maybe(" status excused"))",
            "        test \"T\" grade \(pick("12", "7.5", "none"))\(maybe(" letter \"Poor\" verdict gut"))",
            "        test \"S\" number 2\(maybe(" status late")) score 3 max 4", "        block \"B\" grade 11",
            "            block \"C\"",
            "example e \"E\"", "    template t with unit \"U\" test \"T\" grade \(pick("3", "19"))",
            "    before total 12\(maybe(" rank first")) passed \(pick("met", "unmet"))",
            "        part average 11 result \(pick("ADM", "AJ", "met"))",
            "    expect \(figures["record"]?.first ?? "none_such") \(pick("= 12", "shown 12.00", "is known", "is unknown"))",
        ]
        if let outcome = outcomes["record"]?.first {
            lines.append("    expect \(outcome) \(pick("met", "unmet", "pending", "ADM", "met final"))")
        }
        lines.append("    expect refused \(pick("refused_it", "out_of_range"))")
    }
}
