import Gradebook
import GradingKit
import SQLiteStore
import Shared
import Testing

@testable import Application

@Suite struct AccountExportTests {
    private func export(of harness: ProgramHarness) -> AccountExport {
        AccountExport(
            accounts: harness.accounts, institutions: harness.institutions, records: harness.store,
            people: harness.store, classes: harness.store, rulesCache: harness.records.rulesCache,
            bookCache: ClassBookCache())
    }

    private func document(_ export: AccountExport, of account: AccountID) async throws -> JSON {
        let pieces = try await export.pieces(of: account)
        var bytes: [UInt8] = []
        while case let piece = try await pieces.next(), !piece.isEmpty { bytes += piece }
        return try JSON.parse(bytes)
    }

    @Test func `holds the account, its memberships, its trail and each record with its history, and no other's`()
        async throws
    {
        let harness = try await ProgramHarness()
        let (ada, bob) = (
            try await harness.caller("ada", as: "student"), try await harness.caller("bob", as: "student")
        )
        let record = try await harness.record(of: ada, total: 80)
        // More changes than a piece holds.
        let course = try await harness.course(of: record)
        for number in 1...60 {
            try await harness.amend(record, [.patch(course, ["fields": ["credits": .number(String(number))]])])
        }
        _ = try await harness.record(of: bob, total: 70)
        let export = export(of: harness)
        let found = try await document(export, of: ada.account)
        #expect(found["account"]?["login"]?.string == "ada")
        #expect(found["memberships"]?.array?.count == 1)
        #expect(found["audit"]?.array?.isEmpty == false)
        let records = try #require(found["records"]?.array)
        #expect(records.map { $0["document"]?["record"]?["id"]?.string } == [record.text])
        let versions = records.first?["history"]?.array?.compactMap { $0["version"]?.text }
        #expect(versions == (1...62).reversed().map(String.init))
    }

    @Test func `an account that is not there has none`() async throws {
        let harness = try await ProgramHarness()
        let export = export(of: harness)
        await #expect(throws: StoreError.notFound) { _ = try await export.pieces(of: AccountID("nobody")) }
    }
}
