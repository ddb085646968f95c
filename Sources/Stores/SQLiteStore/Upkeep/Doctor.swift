public import DataStore
import Records
import SQLite
import Shared

extension SQLiteStore {
    /// Examines the store at `path`: the file, every audit trail by recomputing its chain, and the search index.
    ///
    /// Another program may be using the store, so it is read in slices.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read at all.
    public static func examine(_ path: String) throws -> Diagnosis {
        do {
            let connection = try Connection.reader(path: path)
            try Migrator(migrations: Schema.migrations).check(connection)
            var doctor = Doctor(connection: connection)
            return try doctor.examine()
        } catch {
            throw StoreError.translating(error)
        }
    }
}

/// The check of every trail from its origin to its head, and of the search index.
struct Doctor {
    static let slice = 256

    let connection: Connection
    private var diagnosis = Diagnosis()

    init(connection: Connection) { self.connection = connection }

    mutating func examine() throws -> Diagnosis {
        diagnosis.fileFaults = try connection.integrityFaults()
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
            let trails = try connection.withTransaction(.deferred) {
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
            SELECT (SELECT count(*) FROM changes) - (SELECT total(full_version) FROM records)
            - (SELECT total(full_version) FROM deleted_records)
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
