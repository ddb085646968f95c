import Accounts
import Cryptography
import DataStore
import GradingKit
import SQLiteStore
import Shared
import Testing

@Suite struct PasswordCensusTests {
    private let keys = [UInt8(1), 2, 3].compactMap { Pepper(key: [UInt8](repeating: $0, count: 32)) }

    /// The room's people as a server with that key meets them.
    private func services(_ room: AccountsHarness, _ key: Pepper) throws -> AccountServices {
        let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        return AccountServices(
            store: room.store, hasher: try PasswordHasher(cost: cheap, pepper: key), isStaff: { _ in false })
    }

    @Test func `a key that fits no password is another store's, and passwords of a lost key can be taken away`()
        async throws
    {
        let room = try AccountsHarness()
        try await room.signUp("plain")
        #expect(try census(room, nil) == [0, 0])
        for (name, key) in zip(["first", "second"], keys) {
            _ = try await services(room, key).signUp(
                SignUpRequest(["login": .string(name), "password": "a long enough one", "displayName": "A"]),
                from: room.client)
        }
        #expect(try census(room, nil) == [2, 2] && census(room, keys[2]) == [2, 2])
        #expect(try SQLiteStore.passwords(in: room.store.path, pepper: keys[2]).isOfAnotherKey)
        #expect(try census(room, keys[0]) == [2, 1])
        #expect(try !SQLiteStore.passwords(in: room.store.path, pepper: keys[0]).isOfAnotherKey)
        let entry = room.server.entry("passwords.forgotten", of: "*")
        #expect(try await room.store.forgetPasswords(besides: keys[0], audit: entry) == 1)
        #expect(try census(room, keys[0]) == [1, 0])
        let left = try await room.store.account(try #require(try await find("second", room)))
        #expect(try await room.store.password(of: try #require(left?.id)) == nil)
        for name in ["plain", "first"] {
            #expect(try await room.store.password(of: try #require(try await find(name, room))) != nil)
        }
    }

    private func find(_ login: String, _ room: AccountsHarness) async throws -> AccountID? {
        try await room.services.administration.find(login: login)?.id
    }

    private func census(_ room: AccountsHarness, _ key: Pepper?) throws -> [Int] {
        let census = try SQLiteStore.passwords(in: room.store.path, pepper: key)
        return [census.peppered, census.foreign]
    }
}
