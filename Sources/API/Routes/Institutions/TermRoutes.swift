import Application
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for an institution's years, terms and periods.
struct TermRoutes: RouteGroup {
    let terms: TermService

    private static let path = "/v1/institutions/{institution}/terms"

    var routes: [Route] {
        [
            .open(
                .get, Self.path, "Its years, terms and periods, each behind the one in which it stands",
                scope: .programsRead, .list(of: .term)
            ) { call in
                let found = try await terms.list(of: call["institution"], for: call.context)
                return .list(found, limit: .max, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, Self.path, "Make a year, a term or a period", scope: .rosterWrite,
                takes: .json(NewTerm.form), answers: 201, .wrapped("term", .term)
            ) { call in
                let term = try await terms.create(
                    await NewTerm.form.input(call.json()), in: call["institution"], by: call.context)
                return Self.answer(term, .created)
            },
            .signedIn(
                .patch, Self.path + "/{term}",
                "Change the title or the days of a year, term or period; lock the results of its days",
                scope: .rosterWrite, takes: .json(TermEdit.form), .wrapped("term", .term)
            ) { call in
                let term = try await terms.edit(
                    TermID(call["term"]), in: call["institution"], to: await TermEdit.form.read(call.json()),
                    by: call.context)
                return Self.answer(term, .ok)
            },
            .signedIn(
                .delete, Self.path + "/{term}", "Remove a year, term or period that holds nothing", scope: .rosterWrite,
                answers: 204, refuses: [.invalid]
            ) { call in
                try await terms.remove(TermID(call["term"]), of: call["institution"], by: call.context)
                return Response(.noContent)
            },
        ]
    }

    private static func answer(_ term: Term, _ status: Status) -> Response {
        .json(status) { $0.object { $0.member("term") { term.write(to: &$0) } } }
    }
}
