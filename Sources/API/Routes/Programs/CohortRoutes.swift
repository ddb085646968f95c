import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Institutions
import Live
import Records
import Shared

/// Routes for the statistics and the students of a program's cohort, for its staff.
struct CohortRoutes: RouteGroup {
    let work: ProgramWork

    var routes: [Route] {
        [
            .signedIn(
                .get, "/v1/programs/{program}/cohort", "Counts and distributions over all records, and who is at risk",
                scope: .recordsRead,
                reads: [Header.ifNoneMatch], .cohort, tells: [.eTag]
            ) { call in
                guard let cohort = try await work.cohort(of: call.program, for: call.context) else {
                    throw Problem.notFound
                }
                return try call.document(cohort.bytes, at: cohort.revision)
            },
            .signedIn(
                .get, "/v1/programs/{program}/students", "Whose some records of the program are", scope: .recordsRead,
                reads: [Self.records], .list(of: .recordStudent)
            ) { call in
                try await students(call)
            },
        ]
    }

    private static let records = Parameter<[RecordID]>(
        .query, "records", "The identifiers of 1 to 200 records, separated by commas.", isRequired: true
    ) { text in
        let records = (text ?? "").split(separator: ",").map { RecordID(String($0)) }
        guard (1...200).contains(records.count) else { throw Problem.malformed("records takes 1 to 200 identifiers") }
        return records
    }

    private func students(_ call: SignedInCall) async throws -> Response {
        let (records, owners) = try await work.students.owners(
            of: call.read(Self.records), in: call.program, for: call.context)
        return .list(records, limit: .max, of: call, cursor: \.text) { record, writer in
            writer.object {
                $0.member("record", record.text)
                $0.member("student", owners[record]?.student.text)
                $0.member("displayName", owners[record]?.displayName)
            }
        }
    }
}

extension JSONSchema {
    static let recordStudent = document(
        "RecordStudent", ["record": .text, "student": .text.nullable, "displayName": .text.nullable])
    private static let cohortFigure = document(
        "CohortFigure",
        [
            "defined": .integer.nullable, "undefined": .integer.nullable, "mean": .text.nullable,
            "bands": .map(to: .integer),
            "distribution": .array(
                of: .document("Bin", ["from": .text.nullable, "to": .text.nullable, "count": .integer.nullable])),
        ])
    static let cohort = document(
        "Cohort",
        [
            "program": .text, "records": .integer,
            "suppressed": JSONSchema.flag.described("Whether there are too few records to tell anything of them."),
            "figures": .map(to: cohortFigure), "letters": .map(to: .integer),
            "outcomes": .map(to: .map(to: .integer.nullable)),
            "atRisk": .document(
                "AtRisk",
                [
                    "count?": .integer,
                    "items?": .array(of: .document("RecordAtRisk", ["record": .text, "outcome": .text])),
                ]),
        ])
}
