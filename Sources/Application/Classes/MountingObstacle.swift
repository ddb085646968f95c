import GradingKit

/// Why entries of a kind cannot stand for the rows of a class.
public struct MountingObstacle: Sendable {
    /// The figure or outcome that uses something inside such an entry; `nil` if it is not a single one.
    private let figure: String?
    /// The kind of the entries with that figure; `nil` for the record.
    private let kind: String?

    /// Creates an obstacle.
    public init(figure: String?, of kind: String?) {
        self.figure = figure
        self.kind = kind
    }

    /// The fault of a class with a root of that kind under some rules.
    func fault(of root: Kind, under rules: Rulebook) -> Fault {
        var arguments: JSONObject = ["kind": .string(root.name)]
        guard let figure else { return Fault(.notMountable, at: "/root", arguments) }
        arguments["figure"] = .string(figure)
        if let article = rules.article(of: figure, in: kind.map { Kind($0) } ?? .record) {
            arguments["article"] = .string(article)
        }
        // An entry that stands for a row has given figures; its outcomes are decided from them.
        return Fault(.notMountable, at: "/root", arguments, wording: kind == root.name ? Self.ofOwn : Self.ofOthers)
    }

    private static let ofOwn = LocalizedText(
        "Entries of kind {kind} cannot be graded by a class: “{figure}” of {kind} depends on more than the figures of {kind}. Make a figure of {kind} of what it asks",
        fr:
            "Les éléments de type {kind} ne peuvent pas être notés par un cours : « {figure} » de {kind} dépend d’autre chose que des valeurs de {kind}. Faites une valeur de {kind} de ce qu’il demande",
        zh: "{kind} 类条目不能由班级评分：{kind} 的“{figure}”不只取决于 {kind} 的数值。请把它所需的内容写成 {kind} 的数值")
    private static let ofOthers = LocalizedText(
        "Entries of kind {kind} cannot be graded by a class: “{figure}” looks at what stands in them. Make a figure of {kind} of it, and let “{figure}” ask for that",
        fr:
            "Les éléments de type {kind} ne peuvent pas être notés par un cours : « {figure} » regarde ce qu’ils contiennent. Faites-en une valeur de {kind}, que « {figure} » utilise",
        zh: "{kind} 类条目不能由班级评分：“{figure}”查看其中的内容。请把这些内容写成 {kind} 的数值，再由“{figure}”引用")

    /// The fault of a root whose entries are inside entries of another kind.
    static func fault(of root: Kind, within parent: Kind) -> Fault {
        Fault(
            .notMountable, at: "/root", ["kind": .string(root.name), "parent": .string(parent.name)],
            wording: LocalizedText(
                "Entries of kind {kind} cannot be graded by a class: they stand in {parent}, and a class takes the place of an entry of the record itself",
                fr:
                    "Les éléments de type {kind} ne peuvent pas être notés par un cours : ils se trouvent dans {parent}, et un cours prend la place d’un élément du dossier lui-même",
                zh: "{kind} 类条目不能由班级评分：它们位于 {parent} 之中，而班级只能代替成绩单的直接条目"))
    }
}
