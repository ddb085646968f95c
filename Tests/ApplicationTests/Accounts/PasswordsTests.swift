import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Shared
import Testing

@Suite struct PasswordsTests {
    private func signedIn(_ harness: AccountsHarness, _ admission: NewSession) async throws -> SignedIn {
        try #require(try await harness.services.sessions.authenticate(admission.token))
    }

    @Test func `a change keeps the session it was made in and ends the others`() async throws {
        let harness = try AccountsHarness()
        let here = try await harness.signUp("alice")
        let there = try await harness.signIn("alice")
        try await harness.services.passwords.change(
            PasswordChange.form.input(["current": "a long enough one", "new": "quite another one"]),
            of: signedIn(harness, here), from: harness.client)
        #expect(try await harness.services.sessions.authenticate(here.token) != nil)
        #expect(try await harness.services.sessions.authenticate(there.token) == nil)
        await #expect(throws: AccountError.refused) { try await harness.signIn("alice") }
        try await harness.signIn("alice", "quite another one")
    }

    @Test func `a wrong current password changes nothing and is slowed down`() async throws {
        let harness = try AccountsHarness()
        let owner = try await signedIn(harness, harness.signUp("alice"))
        for _ in 0..<5 {
            #expect(
                await faults {
                    try await harness.services.passwords.change(
                        PasswordChange.form.input(["current": "wrong", "new": "quite another one"]), of: owner,
                        from: harness.client)
                } == ["/current password_wrong"])
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await harness.services.passwords.change(
                PasswordChange.form.input(["current": "a long enough one", "new": "quite another one"]), of: owner,
                from: harness.client)
        }
    }

    @Test func `a reset link works once, and its refused password leaves it good`() async throws {
        let harness = try AccountsHarness()
        let admission = try await harness.signUp("alice")
        let void = try await harness.services.administration.reset(admission.account.id, by: harness.server)
        let token = try await harness.services.administration.reset(admission.account.id, by: harness.server)
        let redeem = { (token: SecretToken, password: String) in
            await faults {
                try await harness.services.passwords.redeem(
                    PasswordReset.form.input(["token": .string(token.text), "password": .string(password)]),
                    from: harness.client)
            }
        }
        #expect(await redeem(void, "quite another one") == ["/token token_refused"])
        #expect(await redeem(token, "alice1") == ["/password password_too_short"])
        #expect(await redeem(token, "quite another one") == [])
        #expect(await redeem(token, "quite another one") == ["/token token_refused"])
        #expect(try await harness.services.sessions.authenticate(admission.token) == nil)
        try await harness.signIn("alice", "quite another one")
    }

    @Test func `a reset link expires after thirty minutes`() async throws {
        let harness = try AccountsHarness()
        let account = try await harness.signUp("alice").account
        let token = try await harness.services.administration.reset(account.id, by: harness.server)
        harness.pass(seconds: 30 * 60)
        #expect(
            await faults {
                try await harness.services.passwords.redeem(
                    PasswordReset.form.input(["token": .string(token.text), "password": "quite another one"]),
                    from: harness.client)
            } == ["/token token_refused"])
    }
}
