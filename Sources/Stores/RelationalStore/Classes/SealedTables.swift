public import Classes
import Cryptography
import Database
import Gradebook
import GradingKit
public import Shared

extension RelationalStore {
    /// What was entered under codes of a line; see ``GradebookStore``.
    public func sealedLine(_ line: LineID, of id: ClassID) async throws -> SealedLine? {
        try await read { connection -> SealedLine? in
            guard let found = try connection.taughtClass(id), let number = found.snapshot.structure.line(line)?.number
            else { return nil }
            return try connection.sealedLine(number, of: found.number)
        }
    }

    /// A class's secret and the place of a student; see ``GradebookStore``.
    public func seal(of row: EnrolmentID) async throws -> (secret: [UInt8], place: Int)? {
        try await read { connection -> (secret: [UInt8], place: Int)? in
            let sql = """
                SELECT c.secret, (SELECT count(*) FROM enrolments AS o WHERE o.class = e.class AND o.number < e.number)
                FROM enrolments AS e JOIN classes AS c ON c.number = e.class WHERE e.id = ?
                """
            let found = try connection.first(sql, .text(row.text)) { ($0.optionalBytes(0), $0.integer(1)) }
            return found.flatMap { found in found.0.map { (secret: $0, place: found.1) } }
        }
    }
}

extension Connection {
    /// The numbers of lines in which something was entered under codes.
    func sealedLines(of number: Int) throws -> Set<Int> {
        Set(
            try all("SELECT DISTINCT line FROM sealed_cells WHERE class = ?", .integer(number)) { $0.integer(0) })
    }

    /// What was entered under codes of a line, or under some of them; `nil` in a class without a secret.
    func sealedLine(_ line: Int, of number: Int, _ codes: [String]? = nil) throws -> SealedLine? {
        let sql = """
            SELECT secret, (SELECT count(*) FROM enrolments WHERE class = classes.number) FROM classes WHERE number = ?
            """
        let found = try first(sql, .integer(number)) { ($0.optionalBytes(0), $0.integer(1)) }
        guard let found, let secret = found.0 else { return nil }
        let wanted = codes.map { Set($0) }
        let cells = try all(
            "SELECT code, cell FROM sealed_cells WHERE class = ? AND line = ? ORDER BY code", .integer(number),
            .integer(line)
        ) { (code: $0.text(0), cell: $0.bytes(1)) }
        return SealedLine(
            secret: secret, students: found.1,
            cells: try cells.filter { wanted?.contains($0.code) ?? true }.map { found in
                guard let cell = (try? JSON.parse(found.cell)).flatMap({ ClassCell($0) }) else {
                    throw StoreError.unavailable("the cell of code \(found.code) cannot be read")
                }
                return SealedCell(found.code, cell)
            })
    }
}

extension WriteTransaction {
    /// Makes the secret of a class that has none.
    func makeSecret(of number: Int) throws {
        try connection.run(
            "UPDATE classes SET secret = ? WHERE number = ? AND secret IS NULL",
            .blob(RandomSource.system.bytes(AnonymousCodes.secretLength)), .integer(number))
    }

    /// Stores the changed work under codes.
    func put(_ change: ActPlan.SealedChange, of number: Int) throws {
        switch change {
        case .entered(let line, let cells):
            for sealed in cells {
                try connection.run(
                    "DELETE FROM sealed_cells WHERE class = ? AND line = ? AND code = ?", .integer(number),
                    .integer(line), .text(sealed.code))
                if sealed.cell.isEmpty { continue }
                try connection.run(
                    "INSERT INTO sealed_cells (class, line, code, cell) VALUES (?, ?, ?, ?)", .integer(number),
                    .integer(line), .text(sealed.code), .utf8(sealed.cell.json.bytes))
            }
        case .revealed(let line):
            try connection.run(
                "DELETE FROM sealed_cells WHERE class = ? AND line = ?", .integer(number), .integer(line))
        }
    }
}
