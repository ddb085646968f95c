import GradingKit

extension DemonstrationResults {
    /// A year of seven units. The report on the internship is graded and not released; its defence is still to come.
    static let year = DemonstrationResults(
        scheme: "iut", title: "Développement mobile, promotion 2027",
        acts: { student in
            [
                additions(units[0].json(student), units[1].json(student), units[2].json(student)),
                additions(units[3].json(student), units[4].json(student)),
                additions(units[5].json(student), units[6].json(student, isHidden: true)),
            ]
        },
        own: { student in
            [
                additions(
                    units[0].json(student), units[1].json(student), units[2].json(student), units[3].json(student)),
                additions(units[4].json(student), units[5].json(student), units[6].json(student, isGraded: false)),
            ]
        })

    private struct Unit {
        let code: Int
        let title: String
        let weight: Int
        let isProfessional: Bool
        let subjects: [(title: String, weight: Int)]

        func json(_ student: DemonstrationStudent, isHidden: Bool = false, isGraded: Bool = true) -> JSON {
            let children = subjects.enumerated().map { index, subject -> JSON in
                var fields: JSONObject = ["title": .string(subject.title), "weight": whole(subject.weight)]
                if isGraded, subject.title != defence { fields["grade"] = student.grade(of: code * 10 + index) }
                var entry: JSONObject = ["kind": "subject", "fields": .object(fields)]
                if isHidden, subject.title != defence { entry["hidden"] = true }
                return .object(entry)
            }
            return [
                "kind": "unit",
                "fields": [
                    "title": .string(title), "code": whole(code), "weight": whole(weight),
                    "professional": .bool(isProfessional),
                ],
                "children": .array(children),
            ]
        }
    }

    private static let defence = "Soutenance"
    private static let units = [
        Unit(
            code: 1, title: "Génie logiciel", weight: 6, isProfessional: false,
            subjects: [
                ("Processus de développement", 4), ("Programmation orientée objet", 9), ("Qualité de développement", 5),
            ]),
        Unit(
            code: 2, title: "Systèmes et réseaux", weight: 6, isProfessional: false,
            subjects: [("Internet des objets", 4), ("Réseaux", 4), ("Services mobiles", 4), ("Système", 5)]),
        Unit(
            code: 3, title: "Insertion professionnelle", weight: 6, isProfessional: false,
            subjects: [("Anglais", 5), ("Communication", 4), ("Économie", 4), ("Gestion", 3)]),
        Unit(
            code: 4, title: "Technologies mobiles 1", weight: 9, isProfessional: false,
            subjects: [("Android", 6), ("C++", 4), ("Swift", 5)]),
        Unit(
            code: 5, title: "Technologies mobiles 2", weight: 9, isProfessional: false,
            subjects: [("Client/serveur", 4), ("iOS", 5), ("Multiplateforme", 3), ("Qt Quick", 5)]),
        Unit(code: 6, title: "Projet", weight: 9, isProfessional: true, subjects: [("Projet tuteuré", 1)]),
        Unit(
            code: 7, title: "Stage", weight: 15, isProfessional: true,
            subjects: [("Rapport de stage", 1), (defence, 1)]),
    ]
}
