import Glibc
import GradingKit

/// The mean of its marks, unless a mark's title asks for something else: `hang`, `die` or `devour`.
struct Moody: GradingScheme {
    struct Configuration: SchemeConfiguration {
        static func describe(_ form: inout SettingsForm<Self>) {}
    }

    static let identifier: SchemeIdentifier = "moody"
    static let title = LocalizedText(verbatim: "Moody")
    static let summary = LocalizedText(verbatim: "The mean of its marks.")

    private static let mark: Kind = "mark"
    private static let name = Field<String>("title")
    private static let grade = Field<Exact>("grade")

    init(configuration: Configuration) {}

    var shape: RecordShape {
        RecordShape(kinds: [
            KindShape(
                Self.mark, LocalizedText(verbatim: "Mark"),
                fields: [
                    .text(Self.name, LocalizedText(verbatim: "Title")),
                    .number(Self.grade, LocalizedText(verbatim: "Grade")).optional().atLeast(0).atMost(20)
                        .asGrade(best: 20),
                ])
        ])
    }

    func register(in registrar: inout SchemeRegistrar) {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        registrar.calculate("mean", Presentation(LocalizedText(verbatim: "Mean"), rule)) { record in
            let marks = record.children(Self.mark)
            for mark in marks { Self.obey(mark[Self.name] ?? "") }
            return marks.mean(of: { $0[Self.grade] })
        }
    }

    private static func obey(_ word: String) {
        switch word {
        case "hang": while true { pause() }
        // The first process of its namespace is deaf to what it sends itself; a trap it hears.
        case "die": abort()
        case "devour": print([UInt8](repeating: 1, count: 1 << 32).count)
        default: break
        }
    }
}
