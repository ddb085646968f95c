import Glibc
import GradingKit

/// Writes a package with a small scheme that keeps the laws, as a starting point.
struct SchemeTemplate {
    /// The scheme's name as a Swift type: `Honours`.
    private let name: String
    /// The path of the kit's folder, relative to the package.
    private let kit: String
    /// The name of the kit's package, the same as its folder's.
    private let kitName: String

    /// Finds the kit.
    ///
    /// - Parameter kit: the kit's folder, relative to the current one; `nil` looks in the usual places.
    /// - Throws: an error if the name is not valid for a package and a type, or if the kit is not found.
    init(name: String, kit: String?) throws {
        let letters = name.unicodeScalars
        guard let first = letters.first, "A"..."Z" ~= first, letters.count <= 40,
            letters.allSatisfy({ "A"..."Z" ~= $0 || "a"..."z" ~= $0 || "0"..."9" ~= $0 })
        else {
            throw UsageError("A scheme's name begins with a capital and has letters and digits: Honours.", of: "scheme")
        }
        let places = kit.map { [$0] } ?? Self.usualPlaces
        guard let place = places.lazy.compactMap(Files.resolved).first(where: Self.isKit) else {
            throw Failure(
                kit.map { "\($0) is not the folder of GradingKit: it has no Package.swift." }
                    ?? "GradingKit is neither here nor beside this program; name its folder with --kit.")
        }
        self.name = name
        kitName = place.split(separator: "/").last.map { String($0) } ?? "GradingKit"
        self.kit = Self.path(to: place, from: "\(Files.resolved(".") ?? "")/\(name)")
    }

    /// Places of the kit: in the current checkout, beside the program, or in the checkout where the program was built.
    private static var usualPlaces: [String] {
        ["GradingKit", "../GradingKit"]
            + ["/../share/gradecast/GradingKit", "/../../../GradingKit", "/../../GradingKit"].map {
                Files.programFolder + $0
            }
    }

    private static func isKit(_ folder: String) -> Bool { access(folder + "/Package.swift", R_OK) == 0 }

    /// Returns the path from one folder to another, both absolute; the goal unchanged if they share only the root.
    private static func path(to place: String, from folder: String) -> String {
        let (goal, start) = (place.split(separator: "/"), folder.split(separator: "/"))
        let shared = zip(goal, start).prefix { $0 == $1 }.count
        guard shared > 0 else { return place }
        return (start.dropFirst(shared).map { _ in ".." } + goal.dropFirst(shared).map { String($0) })
            .joined(separator: "/")
    }

    /// Writes the package into a new folder with the scheme's name.
    func write() throws {
        guard mkdir(name, 0o777) == 0 else { throw Failure("\(name): \(String(cString: strerror(errno)))") }
        for folder in ["Sources", "Sources/\(name)"] where mkdir("\(name)/\(folder)", 0o777) != 0 {
            throw Failure("\(name)/\(folder): \(String(cString: strerror(errno)))")
        }
        for (file, text) in [("Package.swift", package), ("Sources/\(name)/\(name).swift", scheme)] {
            try Files.write(Array(text.utf8), to: "\(name)/\(file)")
        }
    }

    private var identifier: String {
        name.reduce(into: "") { text, letter in
            if letter.isUppercase, !text.isEmpty { text += "-" }
            text += letter.lowercased()
        }
    }

    private var package: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            dependencies: [.package(path: \(String(reflecting: kit)))],
            targets: [
                .executableTarget(
                    name: "\(name)",
                    dependencies: [
                        .product(name: "GradingKit", package: \(String(reflecting: kitName))),
                        .product(name: "SchemeProcess", package: \(String(reflecting: kitName))),
                    ])
            ],
            swiftLanguageModes: [.v6]
        )

        """
    }

    private var scheme: String {
        """
        import GradingKit
        import SchemeProcess

        /// Courses of exams, each out of 20.
        @main
        struct \(name): GradingScheme {
            static let identifier: SchemeIdentifier = "\(identifier)"
            static let version: String? = "0.1.0"
            static let title = LocalizedText(verbatim: "\(name)")
            static let summary = LocalizedText(verbatim: "Courses of exams, each out of 20.")

            static func main() { SchemeProcess.run(Self.self) }

            /// What an institution may decide.
            struct Settings: SchemeConfiguration {
                var average = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
                var bar: Exact = 10

                static func describe(_ form: inout SettingsForm<Self>) {
                    form.figureRule("average", \\.average, LocalizedText("Averages", fr: "Moyennes", zh: "平均分"))
                    form.number(
                        "bar", \\.bar, in: 0...20, LocalizedText("Bar", fr: "Barre", zh: "及格线"), judgedBy: \\.average)
                }
            }

            let configuration: Settings

            /// What records look like.
            var shape: RecordShape {
                let exam = KindShape(
                    Exam.kind, LocalizedText("Exam", fr: "Examen", zh: "考试"), statuses: [.excused, .absent],
                    fields: [
                        .text(Exam.title, LocalizedText("Title", fr: "Titre", zh: "名称")),
                        .number(Exam.weight, LocalizedText("Weight", fr: "Coefficient", zh: "权重")).above(0).initially(1),
                        .number(Exam.grade, LocalizedText("Grade", fr: "Note", zh: "成绩"))
                            .optional().atLeast(0).atMost(20).asGrade(best: 20),
                    ])
                return RecordShape(kinds: [
                    KindShape(
                        Course.kind, LocalizedText("Course", fr: "Cours", zh: "课程"),
                        fields: [.text(Course.title, LocalizedText("Title", fr: "Titre", zh: "名称"))], children: [exam])
                ])
            }

            /// What is computed, and what is decided.
            func register(in registrar: inout SchemeRegistrar) {
                let bar = Bar(configuration.bar, judging: configuration.average)
                let label = LocalizedText("Average", fr: "Moyenne", zh: "平均分")
                registrar.words([
                    "below_bar": LocalizedText("Below the bar", fr: "Sous la barre", zh: "未达及格线")
                ])
                registrar.calculate(Course.average, of: Course.kind, Presentation(label, configuration.average)) { course in
                    let exams = course.children(Exam.kind).mean(of: { $0[Exam.grade] }, weightedBy: { $0[Exam.weight] })
                    return course.orUngraded(exams, best: 20)
                }
                registrar.calculate("average", Presentation(label, configuration.average)) { record in
                    record.children(Course.kind).mean(of: { $0.figure(Course.average) })
                }
                registrar.decide("passed", LocalizedText("Passed", fr: "Réussi", zh: "通过")) { record in
                    record.figure("average").reaches(bar, orReason: "below_bar")
                }
            }
        }

        private enum Course {
            static let kind: Kind = "course"
            static let title = Field<String>("title")
            static let average: Figure = "average"
        }

        private enum Exam {
            static let kind: Kind = "exam"
            static let title = Field<String>("title")
            static let weight = Field<Exact>("weight")
            static let grade = Field<Exact>("grade")
        }

        """
    }
}
