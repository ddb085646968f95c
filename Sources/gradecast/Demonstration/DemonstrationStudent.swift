import GradingKit

/// One student of the demonstration's class: the names, and how well the student does.
struct DemonstrationStudent {
    /// The place in the class, from 0; the student of the demonstration has place 0.
    let place: Int
    let login: String
    /// The displayed name, which consists of the first and the last name.
    let name: String
    /// The last name, wherever the displayed name has it; `nil` for a student who has not said it.
    let family: String?
    /// The mean result in percent.
    let ability: Int

    /// The first name: what the displayed name has beside the last one.
    var given: String? {
        family.map { family in
            name.hasPrefix(family)
                ? String(name.dropFirst(family.count).drop { $0 == " " })
                : String(name.dropLast(family.count + 1))
        }
    }

    /// The result of one piece of work as a whole number out of `best`: the student's mean, and a deviation that is
    /// always the same for the same work.
    func result(of work: Int, outOf best: Int) -> Int {
        let deviation = ((place + 3) * (work + 5) * 7 + work * work * 13 + place * 5) % 17 - 4
        return best * min(max(ability + deviation, 12), 100) / 100
    }

    /// The same on the scale of 20, in quarters.
    func grade(of work: Int) -> JSON {
        let quarters = min(max(result(of: work, outOf: 100) * 9 / 10 - 22, 6), 78)
        return .number("\(quarters / 4).\(["0", "25", "5", "75"][quarters % 4])")
    }
}

extension DemonstrationStudent {
    /// The demonstration's student, and twenty-nine others.
    static let all: [DemonstrationStudent] = people.enumerated().map {
        DemonstrationStudent(place: $0, login: $1.0, name: $1.1, family: $1.2, ability: $1.3)
    }

    private static let people: [(String, String, String?, Int)] = [
        ("demo-student", "Demo student", nil, 84),
        ("amara.okafor", "Amara Okafor", "Okafor", 93),
        ("noah.lindqvist", "Noah Lindqvist", "Lindqvist", 71),
        ("wang.yutong", "王雨桐", "王", 89),
        ("lea.fontaine", "Léa Fontaine", "Fontaine", 77),
        ("mateus.carvalho", "Mateus Carvalho", "Carvalho", 56),
        ("priya.raghunathan", "Priya Raghunathan", "Raghunathan", 96),
        ("yusuf.demir", "Yusuf Demir", "Demir", 58),
        ("hana.kobayashi", "小林花", "小林", 82),
        ("seun.adeyemi", "Oluwaseun Adeyemi", "Adeyemi", 74),
        ("zofia.kowalczyk", "Zofia Kowalczyk", "Kowalczyk", 87),
        ("tomas.herrera", "Tomás Herrera", "Herrera", 69),
        ("nguyen.minh.anh", "Nguyễn Minh Anh", "Nguyễn", 91),
        ("fatima.elidrissi", "Fatima Zahra El Idrissi", "El Idrissi", 79),
        ("ioannis.papadopoulos", "Ιωάννης Παπαδόπουλος", "Παπαδόπουλος", 54),
        ("siobhan.nibhriain", "Siobhán Ní Bhriain", "Ní Bhriain", 85),
        ("kwame.mensah", "Kwame Mensah", "Mensah", 72),
        ("leilani.kahananui", "Leilani Kahananui", "Kahananui", 76),
        ("dmytro.shevchenko", "Дмитро Шевченко", "Шевченко", 81),
        ("soojin.park", "박수진", "박", 94),
        ("jamal.washington", "Jamal Washington", "Washington", 67),
        ("ingrid.sorensen", "Ingrid Sørensen", "Sørensen", 88),
        ("rafael.ortiz", "Rafael Ortiz Peña", "Ortiz Peña", 49),
        ("aisha.rahman", "عائشة رحمن", "رحمن", 83),
        ("chloe.tremblay", "Chloé Tremblay", "Tremblay", 61),
        ("david.cohen", "דוד כהן", "כהן", 78),
        ("meera.krishnamurthy", "Meera Krishnamurthy", "Krishnamurthy", 90),
        ("emeka.nwosu", "Emeka Nwosu", "Nwosu", 55),
        ("anneliese.vogt", "Anneliese Vogt", "Vogt", 73),
        ("sione.tuilagi", "Sione Tuilagi", "Tuilagi", 44),
    ]
}
