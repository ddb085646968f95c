import Classes
import DataStore
import Database
import Shared

extension Doctor {
    /// Follows the ledger of every class from its first line to its last.
    mutating func followLedgers() throws {
        let classes = try connection.all("SELECT number, id, lines, chain FROM classes ORDER BY number") { row in
            (number: row.integer(0), id: row.text(1), lines: row.integer(2), link: row.bytes(3))
        }
        for found in classes {
            var walk = ChainWalk(trail: "class/\(found.id)")
            for line in try lines(of: found.number) {
                walk.visit(
                    line.number, isErased: line.isErased, particulars: line.line.particulars,
                    metadata: line.line.metadata, digest: line.digest, link: line.link)
            }
            walk.finish(number: found.lines, link: found.link)
            take(walk)
        }
    }

    private typealias Found = (number: Int, line: LedgerLine, isErased: Bool, digest: [UInt8], link: [UInt8])

    /// A class's lines in their order, found backwards, each by the one behind it.
    private func lines(of number: Int) throws -> [Found] {
        let sql = """
            SELECT c.previous, c.number, c.erased, c.digest, c.chain, \(LedgerLine.columns) FROM class_changes AS c
            JOIN classes AS k ON k.number = c.class WHERE c.seq = ? AND c.class = ?
            """
        var lines: [Found] = []
        var next = try connection.first("SELECT last_change FROM classes WHERE number = ?", .integer(number)) {
            $0.integer(0)
        }
        while let seq = next, seq > 0 {
            next =
                try connection.first(sql, .integer(seq), .integer(number)) { row -> Int? in
                    lines.append(
                        (
                            row.integer(1), LedgerLine(row, firstColumn: 5), row.boolean(2), row.bytes(3), row.bytes(4)
                        ))
                    return row.optionalInteger(0).flatMap { $0 < seq ? $0 : nil }
                } ?? nil
        }
        return lines.reversed()
    }
}
