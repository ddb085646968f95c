import GradingKit
import HTTP
import Records
import Shared

/// The pages of what a rehearsal found.
struct RehearsalRows: Sendable {
    /// The most rows in a page of CSV.
    static let longestTable = 20_000

    let store: any RehearsalStore
    let browser: any RecordBrowser
    let desk: RecordService

    /// Up to `limit` rows of a rehearsal after `cursor`, the place `record index` of the row before.
    func page(of rehearsal: String, after cursor: String?, limit: Int) async throws -> [RehearsalRow] {
        var (record, skip) = try Self.place(cursor)
        var rows: [RehearsalRow] = []
        while rows.count < limit {
            // The record of the cursor comes first again; with two, there is always one more to go on with.
            let size = min(max(limit, 2), 200)
            let findings = try await store.findings(of: rehearsal, from: record, limit: size)
            let owners = try await RecordOwners(of: findings.map(\.record), browser: browser, desk: desk)
            for finding in findings {
                let first = finding.record == record ? skip : 0
                let owner = owners[finding.record]
                for (index, details) in finding.details.enumerated().dropFirst(first) {
                    rows.append(
                        RehearsalRow(
                            record: finding.record, account: owner?.student, displayName: owner?.displayName,
                            details: details, index: index))
                }
                if rows.count >= limit { break }
            }
            guard findings.count == size, let last = findings.last else { break }
            (record, skip) = (last.record, .max)
        }
        return Array(rows.prefix(limit))
    }

    /// Reads a cursor: the record of the last row, and how many of its rows were told.
    private static func place(_ cursor: String?) throws -> (record: RecordID?, skip: Int) {
        guard let cursor else { return (nil, 0) }
        let parts = cursor.split(separator: " ")
        guard parts.count == 2, let index = Int(parts[1]), (0..<Int.max).contains(index) else {
            throw Problem.malformed("cursor must come from an earlier page's link")
        }
        return (RecordID(String(parts[0])), index + 1)
    }
}
