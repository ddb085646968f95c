package import DataStore
package import Database
import Records
import Shared

/// The check of every trail from its origin to its head, and of the search index.
package struct Doctor {
    static let slice = 256

    let connection: Connection
    /// Whether the caller has opened a transaction, which sees one moment or is alone.
    private let isInTransaction: Bool
    private var diagnosis = Diagnosis()

    package init(connection: Connection, isInTransaction: Bool = false) {
        self.connection = connection
        self.isInTransaction = isInTransaction
    }

    /// Examines the trails and the index. `faults` are those of the storage.
    package mutating func examine(faults: [String]) throws -> Diagnosis {
        diagnosis.fileFaults = faults
        for table in ["records", "deleted_records"] { try followRecords(in: table) }
        try countStrays()
        try followAuditTrails()
        try followLedgers()
        try compareSearchIndex()
        return diagnosis
    }

    private struct RecordTrail {
        let institution: String
        let record: String
        let full: Version
        let released: Version
        let end: TrailEnd
    }

    private mutating func followRecords(in table: String) throws {
        let sql = """
            SELECT institution, id, full_version, released_version, last_change, chain FROM \(table)
            WHERE (institution, id) > (?, ?) ORDER BY institution, id LIMIT ?
            """
        var last = ("", "")
        while true {
            let trails = try atOneMoment {
                let trails = try connection.all(sql, .text(last.0), .text(last.1), .integer(Self.slice)) { row in
                    RecordTrail(
                        institution: row.text(0), record: row.text(1), full: row.integer(2), released: row.integer(3),
                        end: TrailEnd(change: row.integer(4), link: row.bytes(5)))
                }
                for trail in trails { try follow(trail) }
                return trails
            }
            guard let end = trails.last else { return }
            last = (end.institution, end.record)
        }
    }

    private func atOneMoment<Value>(_ body: () throws -> Value) throws -> Value {
        isInTransaction ? try body() : try connection.withTransaction(for: .reading, body)
    }

    private mutating func follow(_ trail: RecordTrail) throws {
        typealias Line = (change: ChangeRow, isErased: Bool, digest: [UInt8], link: [UInt8])
        var lines: [Line] = []
        let columns = "\(ChangeRow.columns), erased, digest, chain"
        try Trail(connection: connection).walk(from: trail.end.change, columns) { _, row in
            lines.append((ChangeRow(row, firstColumn: 1), row.boolean(21), row.bytes(22), row.bytes(23)))
            return .onward
        }
        diagnosis.records += 1
        var walk = ChainWalk(trail: trail.record)
        var released = 0
        for line in lines.reversed() {
            let change = line.change
            let isNext = walk.visit(
                change.fullVersion, isErased: line.isErased, particulars: change.particulars, metadata: change.metadata,
                digest: line.digest, link: line.link)
            if change.record.text != trail.record { walk.fault(.strayLines, at: change.fullVersion) }
            guard let version = change.releasedVersion else { continue }
            if isNext, version != released &+ 1 { walk.fault(.gap, at: change.fullVersion) }
            released = version
        }
        if walk.finish(number: trail.full, link: trail.end.link), released != trail.released {
            walk.fault(.wrongEnd, at: trail.full)
        }
        take(walk)
    }

    mutating func take(_ walk: ChainWalk) {
        diagnosis.lines += walk.lines
        diagnosis.trailFaults += walk.faults
    }

    mutating func searchFaults(_ faults: [String]) { diagnosis.indexFaults = faults }

    private mutating func countStrays() throws {
        let sql = """
            SELECT (SELECT count(*) FROM changes) - (SELECT CAST(coalesce(sum(full_version), 0) AS BIGINT) FROM records)
            - (SELECT CAST(coalesce(sum(full_version), 0) AS BIGINT) FROM deleted_records)
            """
        let strays = try connection.first(sql) { $0.integer(0) } ?? 0
        // A number of lines below that of versions means gaps, which the trails' own checks have reported.
        if strays > 0 { diagnosis.trailFaults.append(TrailFault(trail: "", number: strays, kind: .strayLines)) }
    }

    private mutating func followAuditTrails() throws {
        let heads = try connection.all("SELECT scope, number, chain FROM audit_heads") { row in
            (scope: row.text(0), number: row.integer(1), end: row.bytes(2))
        }
        for head in heads {
            var walk = ChainWalk(trail: "audit/\(head.scope)")
            while try visitAuditSlice(of: head.scope, upTo: head.number, in: &walk) {}
            walk.finish(number: head.number, link: head.end)
            take(walk)
        }
    }

    private func visitAuditSlice(of scope: String, upTo end: Int, in walk: inout ChainWalk) throws -> Bool {
        let sql = """
            SELECT \(AuditLine.columns), erased, digest, chain FROM audit
            WHERE scope = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?
            """
        let lines = try connection.all(
            sql, .text(scope), .integer(walk.number), .integer(end), .integer(Self.slice)
        ) { row in
            (line: AuditLine(row), isErased: row.boolean(8), digest: row.bytes(9), link: row.bytes(10))
        }
        for (line, isErased, digest, link) in lines {
            walk.visit(
                line.number, isErased: isErased, particulars: line.particulars, metadata: line.metadata, digest: digest,
                link: link)
        }
        return !lines.isEmpty
    }
}
