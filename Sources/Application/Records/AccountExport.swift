public import Accounts
import GradingKit
public import Institutions
public import Records
public import Shared

/// Everything held about one person, as one JSON document: account, memberships, and every record with its history.
public struct AccountExport: Sendable {
    private let accounts: AccountServices
    private let institutions: InstitutionServices
    private let records: any RecordStore

    /// Reads from these services and this store.
    public init(accounts: AccountServices, institutions: InstitutionServices, records: any RecordStore) {
        self.accounts = accounts
        self.institutions = institutions
        self.records = records
    }

    /// The document; throws `StoreError.notFound` for an account that does not exist.
    public func document(of account: AccountID) async throws -> [UInt8] {
        let memberships = try await institutions.members.memberships(of: account)
        let records = try await recordTexts(of: account)
        var writer = JSONWriter(capacity: 16_384)
        try await writer.object { writer async throws in
            try await accounts.profiles.writeExport(of: account, to: &writer)
            writer.member("memberships") { writer in
                writer.array { for membership in memberships { membership.write(to: &$0) } }
            }
            writer.member("records") { writer in
                writer.array { for record in records { $0.raw(record) } }
            }
        }
        return writer.bytes
    }

    private func recordTexts(of account: AccountID) async throws -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var cursor: RecordID?
        var page: [RecordSnapshot]
        repeat {
            page = try await records.records(student: account, program: nil, after: cursor, limit: 100)
            for snapshot in page { texts.append(try await text(of: snapshot)) }
            cursor = page.last?.head.id
        } while page.count == 100
        return texts
    }

    private func text(of snapshot: RecordSnapshot) async throws -> [UInt8] {
        var items: [HistoryItem] = []
        var page: [HistoryItem]
        repeat {
            page = try await records.history(
                of: snapshot.head.id, view: .released, before: items.last?.version, limit: 200)
            items += page
        } while page.count == 200
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("document")
            writer.raw(snapshot.content(.released).document(version: snapshot.releasedVersion))
            writer.member("createdAt", snapshot.head.createdAt.description)
            writer.member("history") { writer in
                writer.array { for item in items { item.write(to: &$0) } }
            }
        }
        return writer.bytes
    }
}
