import Application
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for an institution's years, terms and periods.
struct TermRoutes: RouteGroup {
    let terms: Terms
    let access: InstitutionAccess

    private static let path = "/v1/institutions/{institution}/terms"

    var routes: [Route] {
        [
            .open(
                .get, Self.path, "Its years, terms and periods, each behind the one in which it stands",
                scope: .programsRead, .list(of: .term)
            ) { call in
                let institution = try await access.institution(.read, call["institution"], for: call.principal)
                let found = try await terms.list(of: institution.id)
                return .list(found, limit: .max, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, Self.path, "Make a year, a term or a period", scope: .rosterWrite,
                takes: .json(NewTerm.form), answers: 201, .wrapped("term", .term)
            ) { call in
                let permit = try await permit(call)
                let term = try await terms.create(
                    NewTerm.form.input(call.json()), in: permit.institution.id, by: call.audit(under: permit))
                return Self.answer(term, .created)
            },
            .signedIn(
                .patch, Self.path + "/{term}",
                "Change the title or the days of a year, term or period; lock the results of its days",
                scope: .rosterWrite, takes: .json(TermEdit.form), .wrapped("term", .term)
            ) { call in
                let permit = try await permit(call)
                let term = try await terms.edit(
                    TermEdit.form.read(call.json()), of: TermID(call["term"]), in: permit.institution.id,
                    by: call.audit(under: permit))
                return Self.answer(term, .ok)
            },
            .signedIn(
                .delete, Self.path + "/{term}", "Remove a year, term or period that holds nothing", scope: .rosterWrite,
                answers: 204, refuses: [.invalid]
            ) { call in
                let permit = try await permit(call)
                try await terms.remove(
                    TermID(call["term"]), of: permit.institution.id, by: call.audit(under: permit))
                return Response(.noContent)
            },
        ]
    }

    private func permit(_ call: SignedInCall) async throws -> InstitutionPermit<May.Write> {
        try await access.permit(to: May.Write.self, in: call["institution"], for: call.principal)
    }

    private static func answer(_ term: Term, _ status: Status) -> Response {
        .json(status) { $0.object { $0.member("term") { term.write(to: &$0) } } }
    }
}
