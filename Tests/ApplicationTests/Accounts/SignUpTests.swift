import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Shared
import Testing

@Suite struct SignUpTests {
    @Test func `a new account is signed in and keeps what was asked for`() async throws {
        let harness = try AccountsHarness()
        let admission = try await harness.services.signUp(
            SignUpRequest(
                SignUpRequest.form.input([
                    "login": "Ａlice", "password": "a long enough one", "displayName": " Alice  ", "locale": "fr",
                    "givenName": "Alice ", "familyName": " Liddell",
                ])),
            from: harness.client)
        let account = try #require(try await harness.services.profiles.account(admission.account.id))
        #expect(account == admission.account)
        #expect(account.login.text == "alice")
        #expect(account.profile.displayName == "Alice")
        #expect(account.profile.personName == PersonName(given: "Alice", family: "Liddell"))
        #expect(account.profile.locale == .french)
        #expect(try await harness.services.sessions.authenticate(admission.token)?.account == account.id)
        #expect(admission.session.kind == .student)
    }

    @Test func `everything wrong is answered at once, and not whose login is taken`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("bob")
        let found = await faults {
            try await harness.services.signUp(
                SignUpRequest(
                    SignUpRequest.form.input([
                        "login": "BOB", "password": "short", "locale": "de", "role": "administrator",
                    ])),
                from: harness.client)
        }
        #expect(
            found == [
                "/displayName missing_field", "/locale out_of_range", "/password password_too_short",
                "/role unknown_field",
            ])
    }

    @Test func `a taken login costs the work of a new one`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("bob")
        let slow = try #require(Argon2Cost(memory: 1 << 16, passes: 2, lanes: 1))
        let services = AccountServices(
            store: harness.store, hasher: try PasswordHasher(queue: 0, cost: slow), isStaff: { _ in false })
        let body: JSON = ["login": "bob", "password": "a long enough one", "displayName": "Bob"]
        let outcomes = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await faults {
                        try await services.signUp(SignUpRequest(SignUpRequest.form.input(body)), from: harness.client)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // One password is hashed at a time and none may wait: those that came meanwhile have learnt nothing.
        #expect(outcomes.contains(["/login login_taken"]))
        #expect(outcomes.contains(["\(AccountError.busy(retryAfter: 1))"]))
    }

    @Test func `of many who want one login at once, one gets it`() async throws {
        let harness = try AccountsHarness()
        let outcomes = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { await faults { try await harness.signUp("carol") } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0.isEmpty } == 1)
        #expect(outcomes.count { $0 == ["/login login_taken"] } == 3)
    }

    @Test func `a closed server makes no account`() async throws {
        let harness = try AccountsHarness(allowsSignUp: false)
        await #expect(throws: AccountError.signUpClosed) { try await harness.signUp("dave") }
        #expect(try await harness.services.administration.search(AccountQuery()).isEmpty)
    }

    @Test func `the same request under the same key comes back to the account it made`() async throws {
        let harness = try AccountsHarness()
        func ask(_ key: String?, password: String = "a long enough one", name: String = "Alice") async throws
            -> NewSession
        {
            try await harness.services.signUp(
                SignUpRequest(
                    SignUpRequest.form.input([
                        "login": "alice", "password": .string(password), "displayName": .string(name),
                    ]),
                    key: key.map { IdempotencyKey(key: $0, digest: Array(name.utf8)) }),
                from: harness.client)
        }
        let first = try await ask("k")
        let again = try await ask("k")
        #expect(again.account.id == first.account.id && again.session.id != first.session.id)
        let taken = ["/login login_taken"]
        #expect(await faults { try await ask("k", password: "another long one") } == taken)
        #expect(await faults { try await ask("other") } == taken)
        #expect(await faults { try await ask(nil) } == taken)
        await #expect(throws: StoreError.idempotencyMismatch) { try await ask("k", name: "Eve") }
        harness.pass(seconds: IdempotencyKey.lifetime)
        #expect(await faults { try await ask("k") } == taken)
    }

    @Test func `of the same request at once all come to one account`() async throws {
        let harness = try AccountsHarness()
        let accounts = try await withThrowingTaskGroup(of: AccountID.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await harness.services.signUp(
                        SignUpRequest(
                            SignUpRequest.form.input([
                                "login": "bob", "password": "a long enough one", "displayName": "Bob",
                            ]),
                            key: IdempotencyKey(key: "k", digest: [1])),
                        from: harness.client
                    ).account.id
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(accounts.count == 1)
    }
}
