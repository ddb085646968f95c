public import GradingKit

/// The settings of a department for units and the diploma.
public struct IUTConfiguration: SchemeConfiguration {
    /// The diploma whose rules apply.
    enum Preset: String, CaseIterable {
        /// Licence professionnelle.
        case lp
        /// Diplôme universitaire de technologie.
        case dut
        /// Bachelor universitaire de technologie.
        case but
    }

    var preset = Preset.lp
    var bar: Exact = 10
    var unitBar: Exact = 8
    var groupLow: Exact = 8
    var average = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
    var statuses = StatusTable.standard

    /// Creates the default settings.
    public init() {}

    /// Describes every setting.
    public static func describe(_ form: inout SettingsForm<Self>) {
        form.choice("preset", \.preset, LocalizedText("Diploma rules", fr: "Règles du diplôme", zh: "文凭规则"))
        form.number(
            "bar", \.bar, in: 0...20, LocalizedText("Average to reach", fr: "Moyenne à atteindre", zh: "及格平均分"),
            judgedBy: \.average)
        form.number(
            "unitBar", \.unitBar, in: 0...20,
            LocalizedText(
                "Least average of a unit (DUT)", fr: "Moyenne minimale d’une unité (DUT)", zh: "单元最低平均分（DUT）"),
            judgedBy: \.average)
        form.number(
            "groupLow", \.groupLow, in: 0...20,
            LocalizedText("Least average of a group (BUT)", fr: "Moyenne minimale d’un RCUE (BUT)", zh: "组最低平均分（BUT）"),
            judgedBy: \.average)
        form.figureRule("average", \.average, LocalizedText("Averages", fr: "Moyennes", zh: "平均分"))
        form.statuses("statuses", \.statuses, LocalizedText("Statuses", fr: "Statuts", zh: "状态"))
        form.preset("lp", LocalizedText("Professional licence", fr: "Licence professionnelle", zh: "职业学士")) {
            $0.preset = .lp
        }
        form.preset("dut", LocalizedText("DUT", fr: "DUT", zh: "DUT")) { $0.preset = .dut }
        form.preset("but", LocalizedText("BUT", fr: "BUT", zh: "BUT")) { $0.preset = .but }
    }

    /// Checks the settings against each other.
    public func check(_ clashes: inout SettingClashes) {
        // A licence uses neither of the lower bars.
        if preset == .dut, unitBar > bar {
            clashes.add(.outOfRange, ("unitBar", ["max": bar.json]), ("bar", ["min": unitBar.json]))
        }
        if preset == .but, groupLow > bar {
            clashes.add(.outOfRange, ("groupLow", ["max": bar.json]), ("bar", ["min": groupLow.json]))
        }
    }
}
