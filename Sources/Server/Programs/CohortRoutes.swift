import GradingKit
import HTTP
import Institutions
import Live
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
            }
        ]
    }
}

extension Schema {
    static let cohort = Schema.object(
        "Cohort",
        [
            "program": SchemaType.text, "records": SchemaType.integer, "suppressed": SchemaType.flag,
            "figures": SchemaType.object, "letters": SchemaType.object, "outcomes": SchemaType.object,
            "atRisk": SchemaType.object,
        ])
}
