import GradingKit
import Institutions
import Records
import Shared

/// The findings of a rehearsal, in pages.
public struct RehearsalRows: Sendable {
    /// The greatest number of rows in a page of CSV.
    public static let longestTable = 20_000

    private let store: any RehearsalStore
    private let browser: any RecordBrowser
    private let records: RecordService

    init(store: any RehearsalStore, browser: any RecordBrowser, records: RecordService) {
        self.store = store
        self.browser = browser
        self.records = records
    }

    /// Returns up to `limit` rows of a rehearsal that follow `cursor`, which is the place `record index` of the
    /// previous row, and whether another page follows. Records in the audit trail that the caller read them.
    ///
    /// - Throws: `malformed` for an invalid cursor.
    func page(
        of rehearsal: Rehearsal, under permit: ProgramPermit<May.Oversee>, after cursor: String?, limit: Int,
        for context: AccountContext
    ) async throws -> RehearsalPage {
        let found = try await page(of: rehearsal.id, after: cursor, limit: limit + 1)
        let rows = Array(found.prefix(limit))
        // The row beyond the page is not shown, so nobody has read it.
        try await records.readings.note(context, lists: rows.map { ($0.record, $0.account) }, of: permit.program)
        return RehearsalPage(rows: rows, hasMore: found.count > limit)
    }

    /// Returns up to `limit` rows of a rehearsal that follow `cursor`.
    func page(of rehearsal: String, after cursor: String?, limit: Int) async throws -> [RehearsalRow] {
        var (record, skip) = try Self.place(cursor)
        var rows: [RehearsalRow] = []
        while rows.count < limit {
            // The cursor's record is returned again first; a size of two ensures that at least one more follows.
            let size = min(max(limit, 2), 200)
            let findings = try await store.findings(of: rehearsal, from: record, limit: size)
            let owners = try await RecordOwners(of: findings.map(\.record), browser: browser, service: records)
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

    /// Reads a cursor: the record of the last row, and how many of its rows to skip.
    private static func place(_ cursor: String?) throws -> (record: RecordID?, skip: Int) {
        guard let cursor else { return (nil, 0) }
        let parts = cursor.split(separator: " ")
        guard parts.count == 2, let index = Int(parts[1]), (0..<Int.max).contains(index) else {
            throw UseCaseError.malformed("cursor must come from an earlier page's link")
        }
        return (RecordID(String(parts[0])), index + 1)
    }
}

/// A page of a rehearsal's rows.
public struct RehearsalPage: Sendable {
    /// Its rows.
    public let rows: [RehearsalRow]
    /// Whether another page follows.
    public let hasMore: Bool
}
