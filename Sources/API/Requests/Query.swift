import Cryptography
import Forms
import GradingKit
import HTTP
import Records
import Shared

/// Query parameters that several routes share. A route's own parameters are declared beside it.
enum Query {
    static let limit = Parameter<Int>.integer(
        "limit", in: 1...PageLimit.most, default: 50, "How many items a page has at most.")

    /// The place after which the list continues, decoded from the opaque text in the link of the previous page.
    static let cursor = Parameter<String?>(
        .query, "cursor", "Where the page begins; opaque, from the `Link` of the page before."
    ) { text in
        guard let text else { return nil }
        guard let bytes = Base64.url.decode(text), bytes.first == cursorMark,
            let place = String(validating: bytes.dropFirst(), as: UTF8.self)
        else { throw Problem.malformed("cursor must come from an earlier page's link") }
        return place
    }

    /// Returns the opaque text for a place in a list.
    static func cursor(after place: String) -> String { Base64.url.encode([cursorMark] + place.utf8) }

    private static let cursorMark = UInt8(ascii: "c")

    static let trace = Parameter<TraceSelection>(
        .query, "trace",
        "The figures to explain, by name, separated by commas; `all` for every figure. Without it nothing is explained."
    ) { TraceSelection(query: $0) }

    /// The reason that an administrator gives for an act on a person's account.
    static let reason = Parameter<String>(
        .query, "reason", "Why, in one line; it stands in the audit trail.", as: .text(1...500), isRequired: true
    ) { text in
        var form = Form(.object(["reason": text.map { .string($0) } ?? .null]))
        let reason = form.line("reason", max: 500, required: true)
        try form.finish()
        return reason ?? ""
    }

    static let position = Parameter<String>(
        .query, "position", "The position of an outermost entry, from 1.", as: .integer(1...Int.max), isRequired: true
    ) { text in
        guard let text else { throw Problem.malformed("position is missing") }
        return text
    }
}

extension ParameterList {
    /// The parameters of a list that comes in pages.
    static let page: ParameterList = [Query.limit, Query.cursor]
    /// The parameters of a change of a versioned document.
    static let change: ParameterList = [Header.ifMatch, Header.idempotencyKey]
}
