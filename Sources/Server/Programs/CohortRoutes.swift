import Accounts
import GradingKit
import HTTP
import Institutions
import Live
import Records
import Storage

/// The picture of a program's cohort, for its staff.
struct CohortRoutes: RouteGroup {
    let access: InstitutionAccess
    let work: ProgramWork

    var routes: [Route] {
        [
            .signedIn(
                .get, "/v1/programs/{program}/cohort", "Counts and distributions over all records, and who is at risk",
                .cohort
            ) { call in
                let (program, _) = try await access.program(.oversee, for: call.call)
                guard let cohort = try await work.cohorts.document(of: program.id) else { throw Problem.notFound }
                return call.call.document(cohort.bytes, at: cohort.revision)
            },
            .signedIn(
                .get, "/v1/programs/{program}/students",
                "Whose some records of the program are: ?records= takes up to 200 identifiers with commas between",
                .list(of: .recordStudent)
            ) { call in
                try await students(call)
            },
        ]
    }

    /// A cohort's document names records alone, so that no name outlives its account there; staff read the names here.
    private func students(_ call: SignedInCall) async throws -> Response {
        let (program, _) = try await access.program(.oversee, for: call.call)
        let asked = (call.call.request.target.query("records") ?? "").split(separator: ",").map { RecordID(String($0)) }
        guard (1...200).contains(asked.count) else { throw Problem.malformed("records takes 1 to 200 identifiers") }
        let browser = work.rehearsals.browser
        let records = try await browser.standings(of: asked, in: program.id).map(\.record)
        let owners = try await RecordOwners(of: records, browser: browser, desk: work.rehearsals.desk)
        try await work.rehearsals.desk.readings.note(
            call.call.principal, lists: records.map { ($0, owners[$0]?.student) }, of: program,
            from: call.call.client.source)
        return .list(records, limit: .max, of: call.call, cursor: \.text) { record, writer in
            writer.object {
                $0.member("record", record.text)
                $0.member("student", owners[record]?.student.text)
                $0.member("displayName", owners[record]?.displayName)
            }
        }
    }
}

extension Schema {
    static let recordStudent = Schema.object(
        "RecordStudent",
        [
            "record": SchemaType.text, "student": SchemaType.optionalText, "displayName": SchemaType.optionalText,
        ])
    static let cohort = Schema.object(
        "Cohort",
        [
            "program": SchemaType.text, "records": SchemaType.integer, "suppressed": SchemaType.flag,
            "figures": SchemaType.object, "letters": SchemaType.object, "outcomes": SchemaType.object,
            "atRisk": SchemaType.object,
        ])
}
