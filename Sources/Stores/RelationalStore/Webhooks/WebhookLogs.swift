import Database
import GradingKit
import Institutions
import Shared

/// The lines of the logs as events.
extension Connection {
    func webhookSlice(
        after place: WebhookProgress, upTo end: (changes: Int, classes: Int), limit: Int
    ) throws -> WebhookSlice {
        let changes = try changeFacts(after: place.changes, upTo: end.changes, limit: limit)
        let audit = try auditFacts(after: place.audit, limit: limit)
        let classes = try classFacts(after: place.classes, upTo: end.classes, limit: limit)
        let parts = [changes, audit, classes]
        return WebhookSlice(
            from: place, to: WebhookProgress(changes: changes.end, audit: audit.end, classes: classes.end),
            isFull: parts.contains { $0.isFull }, facts: parts.flatMap(\.facts))
    }

    private typealias Facts = (facts: [WebhookFact], end: Int, isFull: Bool)

    private func changeFacts(after place: Int, upTo end: Int, limit: Int) throws -> Facts {
        let rows = try all(
            """
            SELECT c.seq, c.institution, c.record, ifnull(r.program, d.program), c.full_version, c.operation, c.at,
                c.chain
            FROM changes AS c LEFT JOIN records AS r ON r.id = c.record
            LEFT JOIN deleted_records AS d ON d.institution = c.institution AND d.id = c.record
            WHERE c.seq > ? AND c.seq <= ? ORDER BY c.seq LIMIT ?
            """, .integer(place), .integer(end), .integer(limit)
        ) { row in
            let event: WebhookEvent =
                row.text(5) == "deleteRecord" ? .recordEnded : row.integer(4) == 1 ? .recordCreated : .recordChanged
            return WebhookFact(
                event, in: InstitutionID(row.text(1)), of: row.optionalText(3).map { ProgramID($0) },
                about: WebhookSubject(.record, row.text(2)), in: .changes, at: row.integer(0),
                on: Timestamp(microseconds: Int64(row.integer(6))), link: row.bytes(7))
        }
        return (rows, rows.last?.place ?? place, rows.count == limit)
    }

    private static let audited: [String: WebhookEvent] = [
        "program.published": .programPublished, "member.added": .memberAdded, "member.granted": .memberAdded,
        "member.changed": .memberChanged, "member.removed": .memberRemoved, "member.revoked": .memberRemoved,
        "member.lapsed": .memberRemoved,
    ]

    private func auditFacts(after place: Int, limit: Int) throws -> Facts {
        let rows = try all(
            "SELECT seq, scope, action, subject, at, chain FROM audit WHERE seq > ? ORDER BY seq LIMIT ?",
            .integer(place), .integer(limit)
        ) { row -> (place: Int, fact: WebhookFact?) in
            guard let event = Self.audited[row.text(2)], !row.text(1).isEmpty else { return (row.integer(0), nil) }
            let isProgram = event == .programPublished
            let fact = WebhookFact(
                event, in: InstitutionID(row.text(1)), of: isProgram ? ProgramID(row.text(3)) : nil,
                about: WebhookSubject(isProgram ? .program : .member, row.text(3)), in: .audit, at: row.integer(0),
                on: Timestamp(microseconds: Int64(row.integer(4))), link: row.bytes(5))
            return (row.integer(0), fact)
        }
        return (rows.compactMap(\.fact), rows.last?.place ?? place, rows.count == limit)
    }

    /// Returns the acts of classes: of the lines that an act wrote, the first one stands for it.
    private func classFacts(after place: Int, upTo end: Int, limit: Int) throws -> Facts {
        let rows = try all(
            """
            SELECT c.seq, k.institution, k.program, k.id, c.at, c.chain,
                p.version IS NOT NULL AND p.version = c.version
            FROM class_changes AS c JOIN classes AS k ON k.number = c.class
            LEFT JOIN class_changes AS p ON p.class = c.class AND p.number = c.number - 1
            WHERE c.seq > ? AND c.seq <= ? ORDER BY c.seq LIMIT ?
            """, .integer(place), .integer(end), .integer(limit)
        ) { row -> (place: Int, fact: WebhookFact?) in
            if row.boolean(6) { return (row.integer(0), nil) }
            let fact = WebhookFact(
                .classChanged, in: InstitutionID(row.text(1)), of: ProgramID(row.text(2)),
                about: WebhookSubject(.taughtClass, row.text(3)), in: .classes, at: row.integer(0),
                on: Timestamp(microseconds: Int64(row.integer(4))), link: row.bytes(5))
            return (row.integer(0), fact)
        }
        return (rows.compactMap(\.fact), rows.last?.place ?? place, rows.count == limit)
    }
}

/// What the lines say beyond where they are found. What was erased is not there.
extension Connection {
    func particulars(of delivery: WebhookDelivery) throws -> WebhookParticulars? {
        switch delivery.log {
        case .changes: try recordParticulars(at: delivery.place)
        case .audit:
            try first("SELECT action, subject, detail FROM audit WHERE seq = ?", .integer(delivery.place)) { row in
                var found = WebhookParticulars(act: row.text(0))
                guard delivery.event == .programPublished else { return found }
                found.program = ProgramID(row.text(1))
                let detail = row.optionalBytes(2).flatMap { try? JSON.parse($0) }
                found.version = detail?["version"]?.integer
                return found
            }
        case .classes:
            try first(
                """
                SELECT k.program, c.version, c.operation FROM class_changes AS c
                JOIN classes AS k ON k.number = c.class WHERE c.seq = ?
                """, .integer(delivery.place)
            ) { WebhookParticulars(program: ProgramID($0.text(0)), version: $0.integer(1), act: $0.text(2)) }
        }
    }

    private func recordParticulars(at place: Int) throws -> WebhookParticulars? {
        try first(
            """
            SELECT ifnull(r.program, d.program), r.student, c.full_version, c.operation, c.entry, c.figures, p.figures
            FROM changes AS c LEFT JOIN changes AS p ON p.seq = c.previous
            LEFT JOIN records AS r ON r.id = c.record
            LEFT JOIN deleted_records AS d ON d.institution = c.institution AND d.id = c.record
            WHERE c.seq = ?
            """, .integer(place)
        ) { row in
            WebhookParticulars(
                program: row.optionalText(0).map { ProgramID($0) }, student: row.optionalText(1).map { AccountID($0) },
                version: row.integer(2), act: row.text(3), entry: row.optionalText(4),
                figures: Self.changed(from: row.optionalBytes(6), to: row.optionalBytes(5)))
        }
    }

    /// Returns the names of the figures that differ.
    private static func changed(from before: [UInt8]?, to after: [UInt8]?) -> [String] {
        let (former, now) = (figures(before), figures(after))
        return Set(former.keys).union(now.keys).filter { former[$0] != now[$0] }.sorted()
    }

    private static func figures(_ bytes: [UInt8]?) -> [String: JSON] {
        let object = bytes.flatMap { try? JSON.parse($0) }?.object ?? JSONObject()
        return object.reduce(into: [:]) { $0[$1.name] = $1.value }
    }
}
