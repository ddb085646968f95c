import Application
import Forms
import GradingKit
import HTTP
import Live
import People
import Shared

/// Routes by which students choose what they share of their records, and others see it.
struct SharingRoutes: RouteGroup {
    let sharings: RecordSharings
    let writes: WriteRate

    var routes: [Route] {
        [
            .signedIn(
                .get, "/v1/records/{record}/sharing", "What I share of an own record, and what others would see",
                scope: .session, .recordSharing
            ) { call in
                try await choice(call)
            },
            .signedIn(
                .put, "/v1/records/{record}/sharing", "Share an own record, or share it no more", scope: .session,
                takes: .json(SharingEdit.form), .recordSharing
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                try await sharings.choose(SharingEdit.form.read(call.json()), for: call.record, call.context)
                return try await choice(call)
            },
            .signedIn(
                .get, "/v1/records/{record}/shared", "What its student shares of a record", scope: .session,
                reads: [Header.ifNoneMatch], .sharedRecord, tells: [.eTag]
            ) { call in
                let document = try await sharings.document(of: call.record, for: call.context)
                return try call.document(document.bytes, at: document.revision)
            },
        ]
    }

    private func choice(_ call: SignedInCall) async throws -> Response {
        let choice = try await sharings.choice(for: call.record, call.context)
        return .json { writer in
            writer.object { writer in
                writer.member("sharing") { $0.object { $0.write(choice) } }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ choice: RecordSharings.Choice) {
        choice.sharing.writeMembers(to: &self)
        member("allowed", choice.isAllowed)
        member("views") { writer in
            writer.object { writer in
                for (what, view) in choice.views {
                    writer.member(what.rawValue) { $0.object { view.writeMembers(to: &$0) } }
                }
            }
        }
    }
}

extension JSONSchema {
    private static let extent = choice(of: RecordSharing.Extent.self)
    private static let shownFigure = document(
        "SharedFigure",
        [
            "display": JSONSchema.text.described("What is shown; empty while the figure is undefined."),
            "reason?": JSONSchema.text.described("Why the figure is undefined."), "band?": .text, "text?": .text,
        ])
    private static let shownOutcome = document(
        "SharedOutcome", ["state": .choice(["met", "unmet", "pending"]), "final": .flag, "value?": .any])
    private static let view = document(
        "SharedView", ["figures": .map(to: shownFigure), "outcomes": .map(to: shownOutcome)])
    static let recordSharing = JSONSchema.wrapped(
        "sharing",
        document(
            "RecordSharingChoice",
            [
                "what": extent, "with": .array(of: .choice(of: RecordSharing.Audience.self)),
                "allowed": JSONSchema.flag.described("Whether the institution lets its records be shared."),
                "views": document("SharedViews", ["headline": view, "standing": view]).described(
                    "What others see, by how much is shared."),
            ]))
    /// A shared record, in its owner's export.
    static let sharedChoice = document(
        "SharedChoice",
        [
            "record": .text, "what": extent, "with": .array(of: .choice(of: RecordSharing.Audience.self)),
            "since": .moment,
        ])
    static let sharedRecord = document(
        "SharedRecord",
        [
            "record": .text, "institution": .text, "program": .text, "title": .text.nullable,
            "scheme": .text.nullable, "what": extent, "figures": .map(to: shownFigure),
            "outcomes": .map(to: shownOutcome),
        ])
}
