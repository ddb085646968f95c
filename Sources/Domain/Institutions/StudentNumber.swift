public import Forms
import GradingKit

/// By what an institution knows one of its members on paper. It belongs to the membership, and no two members of an
/// institution have the same one.
public enum StudentNumber {
    /// The most code points of one.
    public static let longest = 64

    /// What a request holds that gives a member a number; `null` takes it away.
    public static let form = RequestForm("StudentNumberInput", example: ["studentNumber": "2026-0042"]) { form in
        let clears = form.clears("studentNumber")
        return form.line("studentNumber", max: longest, required: !clears)
    }

    /// The number in what a provider says; `nil` for what is none.
    static func read(_ text: String) -> String? { try? PlainText.line(text, max: longest) }
}
