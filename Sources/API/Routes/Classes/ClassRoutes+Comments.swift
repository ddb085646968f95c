import Application
import Classes
import Forms
import Gradebook
import GradingKit
import HTTP
import Shared

/// What staff write about results.
extension ClassRoutes {
    var comments: [Route] {
        [
            .signedIn(
                .get, Self.commentsPath,
                "Comments on a row, newest first; for its student those on results that are shown",
                scope: .classesRead, reads: [Self.onLine] + .page, .list(of: .cellComment)
            ) { call in
                let limit = try call.read(Query.limit)
                let found = try await classes.comments(
                    on: call.enrolment, call.read(Self.onLine), of: call.taughtClass,
                    before: call.read(Query.cursor).flatMap { Int($0) }, limit: limit + 1, for: call.context)
                return .list(found, limit: limit, of: call, cursor: { String($0.number) }) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, Self.commentsPath, "Write about a result, to its student or among staff", scope: .classesWrite,
                reads: [Header.idempotencyKey], takes: .json(Self.commentInput), answers: 201, .commentAct
            ) { call in
                let (line, audience, text) = try await Self.commentInput.read(call.json())
                return try await act(.grade, call) { keep in
                    Self.answer(
                        try await classes.comment(
                            on: call.enrolment, LineID(line ?? ""), of: call.taughtClass, for: audience ?? .staff,
                            text ?? "", by: call.context, keeping: { keep?(Self.answer($0, .created)) }), .created)
                }
            },
            .signedIn(
                .delete, Self.commentsPath + "/{comment}",
                "Delete one's own comment, or as a teacher that of another person", scope: .classesWrite,
                reads: [Header.idempotencyKey], .commentAct, refuses: [.invalid]
            ) { call in
                try await act(.grade, call) { keep in
                    Self.answer(
                        try await classes.deleteComment(
                            CommentID(call["comment"]), on: call.enrolment, of: call.taughtClass, by: call.context,
                            keeping: { keep?(Self.answer($0, .ok)) }), .ok)
                }
            },
            ownComments,
        ]
    }

    /// The texts that the caller has written, to be written again.
    private var ownComments: Route {
        .signedIn(
            .get, "/v1/accounts/me/comments",
            "The caller's own comments on results, each text once, those written most often first",
            scope: .classesRead, .list(of: .ownComment)
        ) { call in
            let found = try await classes.ownComments(for: call.context)
            return .list(found, limit: .max, of: call, cursor: \.text) { $0.write(to: &$1) }
        }
    }

    private static func answer(_ outcome: ActOutcome<CellComment>, _ status: Status) -> Response {
        .json(status) { writer in
            writer.object { writer in
                writer.member("comment") { writer in writer.object { $0.member("id", outcome.value.id.text) } }
                writer.member("v", outcome.version)
            }
        }
    }

    private static let commentsPath = path + "/rows/{enrolment}/comments"
    private static let onLine = Parameter<LineID?>(
        .query, "line", "The line on whose result the comments are; without it, all of the row."
    ) { $0.map { LineID($0) } }
    private static let commentInput = RequestForm(
        "CommentInput",
        example: [
            "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11", "for": "student", "text": "A clear argument. See page 4.",
        ]
    ) {
        (
            line: $0.text("line", required: true),
            audience: $0.choice("for", of: CellComment.Audience.self, required: true),
            text: $0.lines("text", max: ClassLimits.comment, required: true)
        )
    }
}
