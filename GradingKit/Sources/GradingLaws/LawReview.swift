public import GradingKit

/// The result of trying the laws of grading, and how far they were tried.
public struct LawReview: Sendable {
    /// The laws that are broken, each once.
    public let violations: [LawViolation]
    /// The number of records on which the laws were tried.
    public let tried: Int
    /// The number of records on which they should have been tried.
    public let records: Int
    /// Whether the work of the greatest record was tried.
    public let isGreatestTried: Bool

    /// Whether everything was tried.
    public var isWhole: Bool { tried == records && isGreatestTried }

    /// Why the rules cannot be published: broken laws, and laws that could not be tried completely.
    public var faults: [Fault] {
        let broken = violations.map(\.fault)
        guard !isWhole else { return broken }
        return broken + [
            Fault(
                "laws_untried",
                ["tried": .number(String(tried)), "records": .number(String(records))],
                wording: LocalizedText(
                    "these rules take so much work that the laws of grading could be tried on {tried} of {records} records only — bound the kinds, as in `at most 60`, or go over fewer entries",
                    fr:
                        "ces règles demandent tant de calculs que les lois de la notation n’ont pu être vérifiées que sur {tried} relevés sur {records} — bornez les types, comme dans `at most 60`, ou parcourez moins d’éléments",
                    zh: "这些规则计算量过大，评分规律只在 {records} 份记录中的 {tried} 份上得到检验——请限制条目数，如 `at most 60`，或减少遍历"))
        ]
    }
}
