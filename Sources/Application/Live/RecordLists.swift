import Cryptography
import GradingKit
import Live
import Records
import Shared

/// The list of an account's records as a live document: a projection, whose version is assigned when it is stored.
///
/// What is stored of it is the version and a digest; the list itself is composed from the records when it is read.
struct RecordLists: Sendable {
    let records: RecordService
    let projections: any ProjectionStore

    private static func name(_ account: AccountID) -> String { "records/\(account)" }

    /// The list as it is now, under a version of its own.
    func document(of account: AccountID) async throws -> LiveDocument {
        let page = try await RecordList(records).own(account, limit: 50)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("items") { writer in
                writer.array { for item in page.items { $0.raw(item.line) } }
            }
        }
        let revision = try await projections.assign(Self.name(account), digest: SHA256.hash(writer.bytes))
        return LiveDocument(revision: revision, bytes: writer.bytes)
    }

    /// The version last assigned; `nil` before the first.
    func version(of account: AccountID) async throws -> Version? {
        try await projections.version(of: Self.name(account))
    }
}
