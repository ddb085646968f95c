import Accounts
import Cryptography
import Forms
import GradingKit
import Shared
import Testing

@Suite struct PasswordsTests {
    private func signedIn(_ room: AccountsHarness, _ admission: NewSession) async throws -> SignedIn {
        try #require(try await room.services.sessions.authenticate(admission.token))
    }

    @Test func `a change keeps the session it was made in and ends the others`() async throws {
        let room = try AccountsHarness()
        let here = try await room.signUp("alice")
        let there = try await room.signIn("alice")
        try await room.services.passwords.change(
            PasswordChange.form.input(["current": "a long enough one", "new": "quite another one"]),
            of: signedIn(room, here), from: room.client)
        #expect(try await room.services.sessions.authenticate(here.token) != nil)
        #expect(try await room.services.sessions.authenticate(there.token) == nil)
        await #expect(throws: AccountError.refused) { try await room.signIn("alice") }
        try await room.signIn("alice", "quite another one")
    }

    @Test func `a wrong current password changes nothing and is slowed down`() async throws {
        let room = try AccountsHarness()
        let owner = try await signedIn(room, room.signUp("alice"))
        for _ in 0..<5 {
            #expect(
                await faults {
                    try await room.services.passwords.change(
                        PasswordChange.form.input(["current": "wrong", "new": "quite another one"]), of: owner,
                        from: room.client)
                } == ["/current password_wrong"])
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await room.services.passwords.change(
                PasswordChange.form.input(["current": "a long enough one", "new": "quite another one"]), of: owner,
                from: room.client)
        }
    }

    @Test func `a reset link works once, and its refused password leaves it good`() async throws {
        let room = try AccountsHarness()
        let admission = try await room.signUp("alice")
        let void = try await room.services.administration.reset(admission.account.id, by: room.server)
        let token = try await room.services.administration.reset(admission.account.id, by: room.server)
        let redeem = { (token: SecretToken, password: String) in
            await faults {
                try await room.services.passwords.redeem(
                    PasswordReset.form.input(["token": .string(token.text), "password": .string(password)]),
                    from: room.client)
            }
        }
        #expect(await redeem(void, "quite another one") == ["/token token_refused"])
        #expect(await redeem(token, "alice1") == ["/password password_too_short"])
        #expect(await redeem(token, "quite another one") == [])
        #expect(await redeem(token, "quite another one") == ["/token token_refused"])
        #expect(try await room.services.sessions.authenticate(admission.token) == nil)
        try await room.signIn("alice", "quite another one")
    }

    @Test func `a reset link expires after thirty minutes`() async throws {
        let room = try AccountsHarness()
        let account = try await room.signUp("alice").account
        let token = try await room.services.administration.reset(account.id, by: room.server)
        room.pass(seconds: 30 * 60)
        #expect(
            await faults {
                try await room.services.passwords.redeem(
                    PasswordReset.form.input(["token": .string(token.text), "password": "quite another one"]),
                    from: room.client)
            } == ["/token token_refused"])
    }
}
