import GradingKit

extension IUT {
    /// A typical, partly graded year at an IUT: the record that new users see first.
    static let sampleYear: JSON = .array([
        unit(
            "Génie logiciel", 1, weight: 6,
            [
                ("Processus de développement", 4, "13.17"), ("Programmation Orientée Objet", 9, "13.63"),
                ("Qualité de développement", 5, "12.4"), ("Remise à niveau objets", 4, "20"),
            ]),
        unit(
            "Systèmes et réseaux", 2, weight: 6,
            [
                ("Internet des Objets", 4, nil), ("Réseaux", 4, "14.5"), ("Services mobiles", 4, nil),
                ("Système", 5, "13.88"),
            ]),
        unit(
            "Insertion professionnelle", 3, weight: 6,
            [
                ("Anglais", 5, "18.65"), ("Communication", 4, "17.13"), ("Économie", 4, "9.5"),
                ("Gestion", 3, "9.5"),
            ]),
        unit(
            "Technologies mobiles 1", 4, weight: 9,
            [
                ("Android", 6, "4"), ("Architecture de projet C# .NET (1)", 5, "14.5"), ("C++", 4, "10.2"),
                ("Swift", 5, "14.93"),
            ]),
        unit(
            "Technologies mobiles 2", 5, weight: 9,
            [
                ("Architecture de projet C# .NET (2)", 4, "12.17"), ("Client/Serveur", 4, nil), ("iOS", 5, nil),
                ("Multiplateformes", 3, nil), ("Qt Quick", 5, nil), ("Xamarin", 5, nil),
            ]),
        unit("Projet", 6, weight: 9, isProfessional: true, [("Projet", 1, "13.66")]),
        unit("Stage", 7, weight: 15, isProfessional: true, [("Stage", 1, nil)]),
    ])

    private static func unit(
        _ title: String, _ code: Int, weight: Int, isProfessional: Bool = false,
        _ subjects: [(title: String, weight: Int, grade: String?)]
    ) -> JSON {
        let children = subjects.map { subject -> JSON in
            let grade = subject.grade.map { JSON.number($0) } ?? .null
            return [
                "kind": "subject",
                "fields": [
                    "title": .string(subject.title), "weight": .number(String(subject.weight)), "grade": grade,
                ],
            ]
        }
        return [
            "kind": "unit",
            "fields": [
                "title": .string(title), "code": .number(String(code)), "weight": .number(String(weight)),
                "professional": .bool(isProfessional),
            ],
            "children": .array(children),
        ]
    }
}
