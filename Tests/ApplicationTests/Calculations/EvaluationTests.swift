import Accounts
import Chalkboard
import GradingKit
import Shared
import Testing

@testable import Application

@Suite struct EvaluationTests {
    private let evaluation = Evaluation(Calculations(perSecond: 1_000, workers: 1))
    private let guest = RequestContext(
        principal: .guest, client: Client(source: "192.0.2.1"), language: .english, now: Timestamp(microseconds: 0))

    private func standing(_ entries: JSON, configuration: JSON = .null) async throws -> JSON {
        let scheme = InstalledScheme(Chalkboard.self)
        return try JSON.parse(
            try await evaluation.document(of: entries.bytes, explaining: .none, for: guest) {
                Evaluation.Question(
                    scheme: scheme, preset: nil, configuration: configuration, fields: .null, entries: entries)
            })
    }

    private func course(credits: JSON, points: JSON) -> JSON {
        let parts = [("Assignments", 30), ("Midterm", 30), ("Final", 40)].map { name, weight -> JSON in
            let fields: JSON = [
                "name": .string(name), "points": points, "max": 100, "weight": .number(String(weight)),
            ]
            return ["kind": "assessment", "fields": fields]
        }
        return ["kind": "course", "fields": ["title": "Algorithms", "credits": credits], "children": .array(parts)]
    }

    @Test func `a guest's entries have a standing`() async throws {
        let found = try await standing([course(credits: 3, points: 95)])
        #expect(found["figures"]?["gpa"]?["display"]?.string == "4.00")
        #expect(found["configurationWarnings"]?.array != nil)
    }

    @Test func `what a scheme refuses is told with its place and the scheme's own words`() async throws {
        do {
            _ = try await standing([course(credits: -1, points: 95)])
            Issue.record("it was not refused")
        } catch let error as UseCaseError {
            #expect(error.faults.map(\.path) == ["/entries/0/fields/credits"])
            #expect(error.catalog != nil)
        }
    }

    @Test func `what cannot be read is refused in the caller's turn`() async throws {
        await #expect(throws: UseCaseError.self) {
            _ = try await evaluation.document(of: [], explaining: .none, for: guest) {
                throw UseCaseError.malformed("no question")
            }
        }
    }
}
