import Accounts
import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// The properties of a class, its staff, and its trials.
extension ClassRoutes {
    var settings: [Route] {
        [
            .signedIn(
                .patch, Self.path, "Change the title or the term, close or open the class, or how new lines are posted",
                scope: .classesWrite, reads: [Header.idempotencyKey], takes: .json(Self.patch),
                .wrapped("class", .taughtClass), refuses: [.sessionRequired]
            ) { call in
                let (title, state, posting, term) = try await Self.patch.read(call.json())
                // A program may enter what a class needs; that all of it is there, a person says.
                if state != nil, call.principal.signedIn == nil { throw Problem.sessionRequired }
                let patch = ClassPatch(
                    title: title, state: state.map { $0 == .closed ? .closed : .open },
                    isPostedByHand: posting.map { $0 == .manual }, term: term)
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.settle(
                            call.taughtClass, patch, by: call.context, keeping: { keep?(Self.answer($0)) }))
                }
            },
            .signedIn(
                .post, Self.path + "/staff", "Give a member of the institution's staff a role in the class",
                scope: .session, reads: [Header.idempotencyKey], takes: .json(Self.member),
                .wrapped("class", .taughtClass)
            ) { call in
                let (account, role, lines, groups) = try await Self.member.read(call.json())
                return try await act(.manageMembers, call) { keep in
                    Self.answer(
                        try await classes.appoint(
                            AccountID(account ?? ""), as: role ?? .observer, in: lines.map { $0.map { LineID($0) } },
                            for: groups.map { $0.map { GroupID($0) } }, of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0)) }))
                }
            },
            .signedIn(
                .delete, Self.path + "/staff/{account}", "Take somebody off the class's staff", scope: .session,
                reads: [Header.idempotencyKey], .wrapped("class", .taughtClass), refuses: [.invalid]
            ) { call in
                try await act(.manageMembers, call) { keep in
                    Self.answer(
                        try await classes.dismiss(
                            AccountID(call["account"]), of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0)) }))
                }
            },
        ]
    }

    var trials: [Route] {
        [
            .signedIn(
                .post, Self.path + "/rows/{enrolment}/preview",
                "One row with other results, which are stored nowhere; for its student as it is released",
                scope: .classesRead, takes: .json(Self.rowPreview), .classPreview, refuses: [.notComputable]
            ) { call in
                let cells = try await Self.rowPreview.read(call.json())
                let changes = try CellChange.row(cells ?? .null, of: call.enrolment, at: "/cells")
                return .json(
                    bytes: try await classes.preview(call.enrolment, of: call.taughtClass, changes, for: call.context))
            },
            .signedIn(
                .post, Self.path + "/rehearsals",
                "What a change of the structure would make of every row; nothing is stored", scope: .classesWrite,
                takes: .json(Self.rehearsal), .classRehearsal
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let changes = try await Self.rehearsal.read(call.json())
                let steps = try StructureChange.list(.array(changes ?? []), at: "/changes")
                return .json(bytes: try await classes.rehearse(call.taughtClass, steps, for: call.context))
            },
        ]
    }

    private static func answer(_ outcome: ActOutcome<ClassSnapshot>) -> Response {
        let made = outcome.value
        return answer(made.changed(made.head, staff: made.staff, at: outcome.version), .ok)
    }

    /// How results of new lines are posted.
    private enum Posting: String, CaseIterable, Sendable {
        case automatic
        case manual
    }

    /// What a class becomes by hand.
    private enum Course: String, CaseIterable, Sendable {
        case open
        case closed
    }

    private static let patch = RequestForm("ClassPatch", example: ["title": "Algorithms", "posting": "manual"]) {
        (
            title: $0.line("title", max: ClassLimits.title), state: $0.choice("state", of: Course.self),
            posting: $0.choice("posting", of: Posting.self), term: term(&$0)
        )
    }

    /// The year or term of the institution; `.some(nil)` for none.
    private static func term(_ form: inout Form) -> TermID?? {
        if form.clears("term") { return .some(nil) }
        return form.text("term").map { .some(TermID($0)) }
    }

    private static let member = RequestForm(
        "ClassStaffInput", example: ["account": "0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11", "role": "grader"]
    ) {
        (
            account: $0.text("account", required: true), role: $0.choice("role", of: ClassRole.self, required: true),
            lines: $0.texts("lines", most: ClassLimits.lines), groups: $0.texts("groups", most: ClassLimits.groups)
        )
    }
    private static let rowPreview = RequestForm("RowPreview", example: .rowPreview) {
        $0.json("cells", required: true, as: .cellPatches)
    }
    private static let rehearsal = RequestForm("ClassRehearsalInput", example: .structureChanges) {
        $0.array("changes", of: .structureChange, required: true)
    }
}
