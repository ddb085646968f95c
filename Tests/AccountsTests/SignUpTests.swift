import Accounts
import GradingKit
import Storage
import Testing

@Suite struct SignUpTests {
    @Test func `a new account is signed in and keeps what was asked for`() async throws {
        let room = try AccountsHarness()
        let admission = try await room.services.signUp(
            ["login": "Ａlice", "password": "a long enough one", "displayName": " Alice  ", "locale": "fr"],
            from: room.client)
        let account = try #require(try await room.services.profiles.account(admission.account.id))
        #expect(account == admission.account)
        #expect(account.login.text == "alice")
        #expect(account.profile.displayName == "Alice")
        #expect(account.profile.locale == .french)
        #expect(try await room.services.sessions.authenticate(admission.token)?.account == account.id)
        #expect(admission.session.kind == .student)
    }

    @Test func `everything wrong is answered at once, the taken login too`() async throws {
        let room = try AccountsHarness()
        try await room.signUp("bob")
        let found = await faults {
            try await room.services.signUp(
                ["login": "BOB", "password": "short", "locale": "de", "role": "administrator"], from: room.client)
        }
        #expect(
            found == [
                "/displayName missing_field", "/locale out_of_range", "/login login_taken",
                "/password password_too_short", "/role unknown_field",
            ])
    }

    @Test func `of many who want one login at once, one gets it`() async throws {
        let room = try AccountsHarness()
        let outcomes = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { await faults { try await room.signUp("carol") } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0.isEmpty } == 1)
        #expect(outcomes.count { $0 == ["/login login_taken"] } == 7)
    }

    @Test func `a closed server makes no account`() async throws {
        let room = try AccountsHarness(allowsSignUp: false)
        await #expect(throws: AccountError.signUpClosed) { try await room.signUp("dave") }
        #expect(try await room.services.administration.search(AccountQuery()).isEmpty)
    }
}
