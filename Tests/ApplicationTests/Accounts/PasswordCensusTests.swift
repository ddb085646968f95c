import Accounts
import Application
import Cryptography
import DataStore
import GradingKit
import SQLiteStore
import Shared
import Testing

@Suite struct PasswordCensusTests {
    private let keys = [UInt8(1), 2, 3].compactMap { Pepper(key: [UInt8](repeating: $0, count: 32)) }

    /// The accounts of the harness on a server with that key.
    private func services(_ harness: AccountsHarness, _ key: Pepper) throws -> AccountServices {
        let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        return AccountServices(
            store: harness.store, hasher: try PasswordHasher(cost: cheap, pepper: key), isStaff: { _ in false })
    }

    @Test func `a key that fits no password is another store's, and passwords of a lost key can be taken away`()
        async throws
    {
        let harness = try AccountsHarness()
        try await harness.signUp("plain")
        #expect(try census(harness, nil) == [0, 0])
        for (name, key) in zip(["first", "second"], keys) {
            _ = try await services(harness, key).signUp(
                SignUpRequest(login: Login(name), displayName: "A", password: Password("a long enough one")),
                from: harness.client)
        }
        #expect(try census(harness, nil) == [2, 2] && census(harness, keys[2]) == [2, 2])
        #expect(try SQLiteStore.passwords(in: harness.store.path, pepper: keys[2]).isOfAnotherKey)
        #expect(try census(harness, keys[0]) == [2, 1])
        #expect(try !SQLiteStore.passwords(in: harness.store.path, pepper: keys[0]).isOfAnotherKey)
        let entry = harness.server.entry("passwords.forgotten", of: "*")
        #expect(try await harness.store.forgetPasswords(besides: keys[0], audit: entry) == 1)
        #expect(try census(harness, keys[0]) == [1, 0])
        let left = try await harness.store.account(try #require(try await find("second", harness)))
        #expect(try await harness.store.password(of: try #require(left?.id)) == nil)
        for name in ["plain", "first"] {
            #expect(try await harness.store.password(of: try #require(try await find(name, harness))) != nil)
        }
    }

    private func find(_ login: String, _ harness: AccountsHarness) async throws -> AccountID? {
        try await harness.services.administration.find(login: login)?.id
    }

    private func census(_ harness: AccountsHarness, _ key: Pepper?) throws -> [Int] {
        let census = try SQLiteStore.passwords(in: harness.store.path, pepper: key)
        return [census.peppered, census.foreign]
    }
}
