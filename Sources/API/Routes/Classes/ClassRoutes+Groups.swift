import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// Groups of students in sets.
extension ClassRoutes {
    private static let group = path + "/groups/{group}"

    /// The group whose rows are asked for.
    static let ofGroup = Parameter<String?>.text(
        "group", "The group whose students are meant; without it, all of them.")

    var groups: [Route] {
        [
            .signedIn(
                .post, Self.path + "/groups", "Make a group of students, in a set", scope: .rosterWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.groupInput), answers: 201,
                .wrapped("group", .classGroup)
            ) { call in
                let (set, title) = try await Self.groupInput.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.makeGroup(
                            titled: title ?? "", in: set ?? "", of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0, .created)) }), .created)
                }
            },
            .signedIn(
                .patch, Self.group, "Give a group another title", scope: .rosterWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.groupPatch), .wrapped("group", .classGroup)
            ) { call in
                let title = try await Self.groupPatch.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.renameGroup(
                            GroupID(call["group"]), title ?? "", of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0, .ok)) }), .ok)
                }
            },
            .signedIn(
                .delete, Self.group, "Delete a group; its students stay in the class", scope: .rosterWrite,
                reads: [Header.idempotencyKey], .wrapped("group", .classGroup), refuses: [.invalid]
            ) { call in
                try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.deleteGroup(
                            GroupID(call["group"]), of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0, .ok)) }), .ok)
                }
            },
            .signedIn(
                .post, Self.group + "/members",
                "Put students into a group, out of the others of its set, and take others out of it",
                scope: .rosterWrite, reads: [Header.idempotencyKey], takes: .json(Self.membersInput),
                .wrapped("group", .classGroup)
            ) { call in
                let (join, leave) = try await Self.membersInput.read(call.json())
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.regroup(
                            GroupID(call["group"]), joining: (join ?? []).map { EnrolmentID($0) },
                            leaving: (leave ?? []).map { EnrolmentID($0) }, of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0, .ok)) }), .ok)
                }
            },
        ]
    }

    private static func answer(_ outcome: ActOutcome<ClassGroup>, _ status: Status) -> Response {
        .json(status) { writer in
            writer.object { writer in
                writer.member("group") { writer in
                    writer.object {
                        $0.member("id", outcome.value.id.text)
                        $0.member("set", outcome.value.set)
                        $0.member("title", outcome.value.title)
                        $0.member("v", outcome.version)
                    }
                }
            }
        }
    }

    private static let groupInput = RequestForm("GroupInput", example: ["set": "Labs", "title": "Monday"]) {
        (
            set: $0.line("set", max: ClassLimits.title, required: true),
            title: $0.line("title", max: ClassLimits.title, required: true)
        )
    }
    private static let groupPatch = RequestForm("GroupPatch", example: ["title": "Tuesday"]) {
        $0.line("title", max: ClassLimits.title, required: true)
    }
    private static let membersInput = RequestForm(
        "GroupMembers", example: ["join": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c12"], "leave": []]
    ) {
        (
            join: $0.texts("join", most: ClassLimits.students), leave: $0.texts("leave", most: ClassLimits.students)
        )
    }
}
