import GradingKit

/// One student of the demonstration's class: the name, and how well the student does.
struct DemonstrationStudent {
    /// The place in the class, from 0; the student of the demonstration has place 0.
    let place: Int
    let login: String
    let name: String
    /// The mean result in percent.
    let ability: Int

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
    static let all: [DemonstrationStudent] = [
        ("demo-student", "Demo student", 84), ("amara.okafor", "Amara Okafor", 93),
        ("noah.lindqvist", "Noah Lindqvist", 71),
        ("wang.yutong", "王雨桐", 89), ("lea.fontaine", "Léa Fontaine", 77), ("mateus.carvalho", "Mateus Carvalho", 56),
        ("priya.raghunathan", "Priya Raghunathan", 96), ("yusuf.demir", "Yusuf Demir", 58),
        ("hana.kobayashi", "小林花", 82), ("seun.adeyemi", "Oluwaseun Adeyemi", 74),
        ("zofia.kowalczyk", "Zofia Kowalczyk", 87), ("tomas.herrera", "Tomás Herrera", 69),
        ("nguyen.minh.anh", "Nguyễn Minh Anh", 91), ("fatima.elidrissi", "Fatima Zahra El Idrissi", 79),
        ("ioannis.papadopoulos", "Ιωάννης Παπαδόπουλος", 54), ("siobhan.nibhriain", "Siobhán Ní Bhriain", 85),
        ("kwame.mensah", "Kwame Mensah", 72), ("leilani.kahananui", "Leilani Kahananui", 76),
        ("dmytro.shevchenko", "Дмитро Шевченко", 81), ("soojin.park", "박수진", 94),
        ("jamal.washington", "Jamal Washington", 67),
        ("ingrid.sorensen", "Ingrid Sørensen", 88), ("rafael.ortiz", "Rafael Ortiz Peña", 49),
        ("aisha.rahman", "عائشة رحمن", 83), ("chloe.tremblay", "Chloé Tremblay", 61), ("david.cohen", "דוד כהן", 78),
        ("meera.krishnamurthy", "Meera Krishnamurthy", 90), ("emeka.nwosu", "Emeka Nwosu", 55),
        ("anneliese.vogt", "Anneliese Vogt", 73), ("sione.tuilagi", "Sione Tuilagi", 44),
    ].enumerated().map { DemonstrationStudent(place: $0, login: $1.0, name: $1.1, ability: $1.2) }
}
