import Application
import Forms
import Gradebook
import GradingKit
import HTTP
import Live
import Shared

/// The rows of a class: what changed after a version, in parts where it is much, and what they come to.
extension ClassRoutes {
    /// What a client holds of the rows.
    struct Since: Sendable {
        /// `nil` for the present one.
        let epoch: Epoch?
        let version: Version
    }

    static let since = Parameter<Since>(
        .query, "since", "What the client holds: `e.v` of an earlier answer, or `v` alone; without it, nothing."
    ) { text in
        guard let text else { return Since(epoch: nil, version: 0) }
        if let revision = Revision(text: text) { return Since(epoch: revision.epoch, version: revision.version) }
        guard let version = Version(text), version >= 0, version < .max else {
            throw Problem.malformed("since must be the e.v or the v of an earlier answer")
        }
        return Since(epoch: nil, version: version)
    }

    func rows(_ call: SignedInCall) async throws -> Response {
        let (id, group) = (call.taughtClass, try call.read(Self.ofGroup).map { GroupID($0) })
        if call.hasVersion {
            let revision = try await classes.revision(id, of: group, for: call.context)
            if try call.has(revision) {
                let answer = try await longPoll.answer(.grid(id, group), after: revision, to: call)
                return answer ?? .notModified(revision)
            }
        }
        let (rows, since) = try await classes.rows(id, of: group, at: cursor(call), for: call.context)
        return .rows(rows, since: since, of: call)
    }

    var statistics: [Route] {
        [
            .signedIn(
                .get, Self.path + "/statistics", "What the results and figures of all students come to",
                scope: .classesRead, reads: [Self.ofGroup, Header.ifNoneMatch], .classStatistics, tells: [.eTag]
            ) { call in
                let (id, group) = (call.taughtClass, try call.read(Self.ofGroup).map { GroupID($0) })
                if call.hasVersion {
                    let revision = try await classes.revision(id, of: group, for: call.context)
                    if try call.has(revision) { return .notModified(revision) }
                }
                let document = try await classes.statistics(of: id, group, for: call.context)
                return Response.json(bytes: document.bytes).tagged(document.revision)
            }
        ]
    }

    var marking: [Route] {
        [
            .signedIn(
                .get, Self.path + "/marking/{line}",
                "The work of a line that is marked anonymously, by codes; of another line, my own marks",
                scope: .classesRead, .classMarking
            ) { call in
                .json(
                    bytes: try await classes.marking(of: LineID(call["line"]), in: call.taughtClass, for: call.context))
            },
            .signedIn(
                .post, Self.path + "/marking/{line}", "Enter results under codes, of a line that is marked anonymously",
                scope: .classesWrite, reads: [Self.mode, Header.idempotencyKey], takes: .json(Self.sealedInput),
                .cellsAnswer, refuses: [.cellConflict, .lineChanged], bodyLimit: 1 << 20
            ) { call in
                let (cells, mode) = (try await Self.sealedInput.read(call.json()), try call.read(Self.mode))
                let line = LineID(call["line"])
                return try await act(.grade, call) { keep in
                    let changes = try SealedCellChange.list(cells ?? .null, in: line, at: "/cells")
                    return Self.answer(
                        try await classes.enterSealed(
                            changes, in: line, of: call.taughtClass, mode, by: call.context,
                            keeping: { keep?($0, call) }), call)
                }
            },
            .signedIn(
                .post, Self.path + "/reveal", "Give the results of a line that was marked anonymously their students",
                scope: .classesWrite, reads: [Header.idempotencyKey], takes: .json(Self.revealInput), .classAct
            ) { call in
                let line = LineID(try await Self.revealInput.read(call.json()) ?? "")
                return try await act(.write, call) { keep in
                    Self.answer(
                        try await classes.reveal(
                            line, of: call.taughtClass, by: call.context, keeping: { keep?($0, call) }),
                        call)
                }
            },
        ]
    }

    private static let sealedInput = RequestForm(
        "SealedCells", example: ["cells": [["code": "0A1B2-C3D4E", "value": 17, "was": ["value": nil]]]]
    ) {
        $0.json("cells", required: true, as: .cellChanges)
    }
    private static let revealInput = RequestForm(
        "RevealInput", example: ["line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11"]
    ) { $0.text("line", required: true) }

    /// Where the part begins that is asked for. What a client has of another epoch is nothing.
    private func cursor(_ call: SignedInCall) throws -> RowsCursor {
        if let text = try call.read(Query.cursor) {
            guard let place = RowsPlace(text) else {
                throw Problem.malformed("cursor must come from an earlier page's link")
            }
            return place.epoch == classes.epoch ? place.cursor : RowsCursor(since: 0)
        }
        let since = try call.read(Self.since)
        return RowsCursor(since: since.epoch ?? classes.epoch == classes.epoch ? since.version : 0)
    }
}

/// Where the next part of a sequence of rows begins, as it stands in a link: `e.v.after.since`.
private struct RowsPlace {
    let epoch: Epoch
    let cursor: RowsCursor

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let sequence = Revision(text: "\(parts[0]).\(parts[1])"), let after = Int(parts[2]),
            after >= 0, let since = Version(parts[3]), since >= 0
        else { return nil }
        epoch = sequence.epoch
        cursor = RowsCursor(since: since, sequence: sequence.version, after: after)
    }
}

extension Response {
    /// One part of a sequence of rows, with a link to the next one.
    static func rows(_ rows: LiveRows, since version: Version, of call: some ListCall) -> Response {
        var writer = JSONWriter(capacity: rows.items.count + 96)
        writer.object { rows.writeMembers(to: &$0, since: version) }
        var response = Response.json(bytes: writer.bytes).tagged(rows.revision)
        if let next = rows.next {
            let place = "\(rows.revision).\(next).\(version)"
            response.headers.set("Link", "<\(call.nextPage(after: place))>; rel=\"next\"")
        }
        return response
    }
}
