import Classes
public import GradingKit

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

    /// The fault of a class with a root of that kind under some rules. Its message has the labels of the rules, and what
    /// to write instead.
    public func fault(of root: Kind, under rules: Rulebook) -> Fault {
        var arguments: JSONObject = ["kind": .string(root.name)]
        guard let figure else { return Fault(.notMountable, at: "/root", arguments) }
        arguments["figure"] = .string(figure)
        let owner = kind.map { Kind($0) } ?? .record
        if let article = rules.article(of: figure, in: owner) { arguments["article"] = .string(article) }
        let inside = rules.shape.kinds.first { $0.parent == root }?.kind
        // An entry that stands for a row has given figures; its outcomes are decided from them.
        let why = inside != nil || owner != root ? Self.inside : Self.beside
        var words: JSONObject = [
            "kind": rules.label(of: root).json, "figure": rules.label(of: figure, in: owner).json,
            "name": .string(root.name),
        ]
        words["inside"] = inside.map { .string($0.name) }
        let wording = inside == nil ? why : why.followed(by: Self.instead)
        return Fault(.notMountable, at: "/root", arguments, wording: wording.filled(words))
    }

    private static let inside = LocalizedText(
        "No class can grade “{kind}”: “{figure}” looks at what stands in it. A record has only the figures of a class and none of its lines, neither graded nor still empty. Make a figure of “{kind}” of what “{figure}” asks, and let it ask for that",
        fr:
            "Aucun cours ne peut noter « {kind} » : « {figure} » regarde ce qu’il contient. Un relevé n’a que les valeurs d’un cours et aucune de ses lignes, notée ou encore vide. Faites une valeur de « {kind} » de ce que « {figure} » demande, et qu’il demande celle-ci",
        zh: "班级无法为“{kind}”评分：“{figure}”查看其中的内容。成绩单只有班级的数值，没有它的任何一列，无论已评还是仍空。请把“{figure}”所需的内容写成“{kind}”的数值，再由它引用")
    private static let beside = LocalizedText(
        "No class can grade “{kind}”: “{figure}” depends on more than the figures of “{kind}”. Make a figure of “{kind}” of what it asks",
        fr:
            "Aucun cours ne peut noter « {kind} » : « {figure} » dépend d’autre chose que des valeurs de « {kind} ». Faites une valeur de « {kind} » de ce qu’il demande",
        zh: "班级无法为“{kind}”评分：“{figure}”不只取决于“{kind}”的数值。请把它所需的内容写成“{kind}”的数值")
    /// What is written in place of a condition such as `awaits every test : score is known`.
    private static let instead = LocalizedText(
        ", as in `hidden figure open of {name} without range = count over {inside} where awaiting` and `open = 0`",
        fr: ", comme `hidden figure open of {name} without range = count over {inside} where awaiting` et `open = 0`",
        zh: "，例如 `hidden figure open of {name} without range = count over {inside} where awaiting` 与 `open = 0`")

    /// The fault of a kind as the root of a class, if no class can have it, wherever its figures are used.
    public static func misplacement(of kind: Kind, under rules: Rulebook) -> Fault? {
        let shape = rules.shape
        guard let root = shape.kinds.first(where: { $0.kind == kind }) else { return nil }
        if let parent = root.parent, parent != .record { return fault(of: kind, within: parent, under: rules) }
        var (inside, next): (Set<Kind>, [Kind]) = ([], [kind])
        while let one = next.popLast() {
            guard inside.insert(one).inserted else { continue }
            next += shape.kinds.filter { $0.parent == one }.map(\.kind)
        }
        let hasColumn = shape.kinds.contains { each in
            inside.contains(each.kind) && each.fields.contains { $0.isGrade || $0.isPerStudent }
        }
        return hasColumn ? nil : Fault(.noColumn, at: "/root", ["kind": .string(kind.name)])
    }

    /// The fault of a root whose entries are inside entries of another kind.
    private static func fault(of root: Kind, within parent: Kind, under rules: Rulebook) -> Fault {
        let wording = LocalizedText(
            "No class can grade “{kind}”: it stands in “{parent}”, and a class takes the place of an entry of the record itself",
            fr:
                "Aucun cours ne peut noter « {kind} » : il se trouve dans « {parent} », et un cours prend la place d’un élément du dossier lui-même",
            zh: "班级无法为“{kind}”评分：它位于“{parent}”之中，而班级只能代替成绩单的直接条目")
        return Fault(
            .notMountable, at: "/root", ["kind": .string(root.name), "parent": .string(parent.name)],
            wording: wording.filled(["kind": rules.label(of: root).json, "parent": rules.label(of: parent).json]))
    }
}

extension LocalizedText {
    fileprivate func followed(by other: LocalizedText) -> LocalizedText {
        LocalizedText(english + other.english, fr: french + other.french, zh: chinese + other.chinese)
    }
}
