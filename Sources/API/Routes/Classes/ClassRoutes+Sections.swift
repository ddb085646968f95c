import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// Students of a class in its sections.
extension ClassRoutes {
    var sections: [Route] {
        [
            .signedIn(
                .post, Self.path + "/sections", "Put students into sections, or into none, as one act",
                scope: .rosterWrite, reads: [Header.idempotencyKey], takes: .json(Self.sectionsInput), .cellsAnswer,
                refuses: [.sectionChanged]
            ) { call in
                let rows = try await Self.sectionsInput.read(call.json())
                return try await act(.write, call) { keep in
                    let changes = try SectionChange.list(rows ?? .null, at: "/rows")
                    return Self.answer(
                        try await classes.assign(
                            changes, of: call.taughtClass, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
            .signedIn(
                .patch, Self.path + "/enrolments/{enrolment}", "Put a student into a section, or into none",
                scope: .rosterWrite, reads: [Header.idempotencyKey], takes: .json(Self.assignment),
                .wrapped("enrolment", .classEnrolment), refuses: [.entryNotFound]
            ) { call in
                let section = try await Self.assignment.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.assign(
                            call.taughtClass, call.enrolment, to: section, by: call.context,
                            keeping: { keep?(Self.answer($0, .ok)) }), .ok)
                }
            },
        ]
    }

    private static let sectionsInput = RequestForm(
        "SectionsInput",
        example: [
            "rows": [
                [
                    "row": "01994c5e-1111-7c4c-8b1e-2f6d1c1f7c11",
                    "section": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c13", "was": nil,
                ]
            ]
        ]
    ) { $0.json("rows", required: true, as: .sectionChanges) }

    private static let assignment = RequestForm(
        "EnrolmentPatch", example: ["section": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c13"]
    ) { form -> SectionID? in
        let clears = form.clears("section")
        return form.text("section", required: !clears).map { SectionID($0) }
    }
}
