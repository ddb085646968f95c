public import Forms
package import GradingKit

/// A request for a new program, as far as it could be read.
public struct NewProgram: Sendable {
    package let scheme: String?
    package let title: String?
    package let entry: EntryPolicy
    package let given: GivenPolicy
    package let preset: String?
    package let configuration: JSONObject

    /// The form of a request for a new program.
    public static let form = RequestForm(
        "ProgramInput", example: ["scheme": "chalkboard", "title": "Computing", "entry": "both"]
    ) { NewProgram(&$0) }

    /// Creates a request for a program with the scheme's own configuration.
    public init(scheme: String, title: String, entry: EntryPolicy = .both) {
        self.scheme = scheme
        self.title = title
        self.entry = entry
        given = .registrar
        preset = nil
        configuration = JSONObject()
    }

    private init(_ form: inout Form) {
        scheme = form.text("scheme", required: true)
        title = form.line("title", max: 200, required: true)
        entry = form.choice("entry", of: EntryPolicy.self) ?? .both
        given = form.choice("given", of: GivenPolicy.self) ?? .registrar
        preset = form.text("preset")
        configuration = form.object("configuration") ?? JSONObject()
    }
}

/// A change of a program, as far as it could be read; a value of `nil` leaves the member unchanged.
public struct ProgramEdit: Sendable {
    package let title: String?
    /// Who enters scores; `nil` leaves that unchanged.
    package let entry: EntryPolicy?
    /// Who gives figures and outcomes; `nil` leaves that unchanged.
    package let given: GivenPolicy?
    /// Whether the draft restarts from ``preset``.
    package let startsOver: Bool
    package let preset: String?
    /// The members to merge into the draft's configuration.
    package let configuration: JSONObject?

    /// The form of a request to change a program.
    public static let form = RequestForm("ProgramPatch", example: ["title": "Computing"]) { ProgramEdit(&$0) }

    private init(_ form: inout Form) {
        title = form.line("title", max: 200, required: form.ifPresent("title"))
        entry = form.choice("entry", of: EntryPolicy.self, required: form.ifPresent("entry"))
        given = form.choice("given", of: GivenPolicy.self, required: form.ifPresent("given"))
        startsOver = form.has("preset")
        preset = form.text("preset")
        configuration = form.object("configuration", required: form.ifPresent("configuration"))
    }
}
