public import Forms
import GradingKit
package import Shared

/// A request for a new year, term or period, as far as it could be read.
public struct NewTerm: Sendable {
    package let kind: Term.Kind?
    package let title: String?
    package let parent: TermID?
    package let first: CalendarDay?
    package let last: CalendarDay?

    /// The form of the request.
    public static let form = RequestForm(
        "TermInput",
        example: ["kind": "term", "title": "Autumn 2026", "from": "2026-09-01", "until": "2026-12-18"]
    ) { NewTerm(&$0) }

    private init(_ form: inout Form) {
        kind = form.choice("kind", of: Term.Kind.self, required: true)
        title = form.line("title", max: Term.longestTitle, required: true)
        parent = form.text("parent").map { TermID($0) }
        first = form.day("from", required: true)
        last = form.day("until", required: true)
    }
}

/// A change of a year, term or period, as read from a request; a value of `nil` leaves the member unchanged.
public struct TermEdit: Sendable {
    private let title: String?
    private let first: CalendarDay?
    private let last: CalendarDay?
    private let isLocked: Bool?

    /// The form of the request.
    public static let form = RequestForm("TermPatch", example: ["locked": true]) { TermEdit(&$0) }

    private init(_ form: inout Form) {
        title = form.line("title", max: Term.longestTitle, required: form.ifPresent("title"))
        first = form.day("from", required: form.ifPresent("from"))
        last = form.day("until", required: form.ifPresent("until"))
        isLocked = form.flag("locked", required: form.ifPresent("locked"))
    }

    package func applied(to before: Term) -> Term {
        var after = before
        after.title = title ?? before.title
        after.first = first ?? before.first
        after.last = last ?? before.last
        after.isLocked = isLocked ?? before.isLocked
        return after
    }
}

extension Form {
    fileprivate mutating func day(_ name: String, required: Bool) -> CalendarDay? {
        let schema = JSONSchema.text.described("`YYYY-MM-DD`.")
        return parse(name, text(name, required: required, as: schema)) { text throws(FaultList) in
            guard let day = CalendarDay(text: text) else { throw FaultList([Fault(.dayInvalid)]) }
            return day
        }
    }
}
