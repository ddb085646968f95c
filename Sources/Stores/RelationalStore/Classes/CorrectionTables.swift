import Classes
import Database
import Gradebook
import GradingKit
import Shared

extension Connection {
    /// A correction of a class; `nil` if the class has none such.
    func correction(_ id: CorrectionID, of number: Int) throws -> Correction? {
        try corrections("WHERE r.id = ? AND r.class = ?", [.text(id.text), .integer(number)]).first?.correction
    }

    /// Corrections with their numbers.
    func corrections(
        _ condition: String, _ values: [SQLValue]
    ) throws -> [(number: Int, correction: Correction)] {
        let sql = """
            SELECT r.number, r.id, c.id, r.account, r.at, r.reason, r.cells, r.decision, r.decided_by, r.decided_at
            FROM corrections AS r JOIN classes AS c ON c.number = r.class \(condition)
            """
        return try all(sql, values) { ($0.integer(0), Correction($0)) }
    }

    /// How many corrections of a class are not decided yet.
    func undecidedCorrections(of number: Int) throws -> Int {
        let sql = "SELECT count(*) FROM corrections WHERE class = ? AND decision = ?"
        return try first(sql, .integer(number), .text(Correction.State.waiting.rawValue)) { $0.integer(0) } ?? 0
    }
}

extension WriteTransaction {
    /// Stores a correction that is new or decided.
    ///
    /// - Throws: `StoreError.moved` where it was decided meanwhile.
    func put(_ correction: Correction, of number: Int) throws {
        guard correction.decision != .waiting else {
            return try connection.run(
                "INSERT INTO corrections (id, class, account, at, reason, cells, decision) VALUES (?, ?, ?, ?, ?, ?, ?)",
                .text(correction.id.text), .integer(number), .text(correction.account.text),
                .integer(correction.at.microseconds), .text(correction.reason), .utf8(correction.cells),
                .text(correction.decision.rawValue))
        }
        try connection.run(
            "UPDATE corrections SET decision = ?, decided_by = ?, decided_at = ? WHERE id = ? AND decision = ?",
            .text(correction.decision.rawValue), .text(correction.decidedBy?.text),
            .integer(correction.decidedAt.map { Int($0.microseconds) }), .text(correction.id.text),
            .text(Correction.State.waiting.rawValue))
        guard try connection.changes == 1 else { throw StoreError.moved }
    }

    /// Erases what corrections say of rows whose student is erased.
    func forget(_ rows: Set<EnrolmentID>, inCorrectionsOf number: Int) throws {
        for (place, correction) in try connection.corrections("WHERE r.class = ?", [.integer(number)]) {
            let cells = (try? JSON.parse(correction.cells))?.array ?? []
            let kept = cells.filter { cell in
                !(cell["row"]?.string.map { rows.contains(EnrolmentID($0)) } ?? true)
            }
            guard kept.count < cells.count else { continue }
            // The reason may name the student. A correction of this student alone cannot be approved any more.
            try connection.run(
                "UPDATE corrections SET cells = ?, reason = '' WHERE number = ?", .utf8(JSON.array(kept).bytes),
                .integer(place))
            if kept.isEmpty {
                try connection.run(
                    "UPDATE corrections SET decision = ? WHERE number = ? AND decision = ?",
                    .text(Correction.State.refused.rawValue), .integer(place),
                    .text(Correction.State.waiting.rawValue))
            }
        }
    }
}

extension Correction {
    /// Ten columns; the first is the number.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            id: CorrectionID(row.text(1)), classID: ClassID(row.text(2)), account: AccountID(row.text(3)),
            at: Timestamp(microseconds: Int64(row.integer(4))), reason: row.text(5), cells: row.bytes(6),
            decision: State(rawValue: row.text(7)) ?? .refused,
            decidedBy: row.optionalText(8).map { AccountID($0) },
            decidedAt: row.optionalInteger(9).map { Timestamp(microseconds: Int64($0)) })
    }
}
