import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct AdministrationTests {
    @Test func `the first administrator comes by a link that works once`() async throws {
        let harness = try AccountsHarness()
        let void = try #require(try await harness.services.administration.firstAdministratorToken())
        let token = try #require(try await harness.services.administration.firstAdministratorToken())
        let create = { (token: SecretToken, login: String) in
            try await harness.services.administration.createFirst(
                FirstAdministrator.form.input([
                    "token": .string(token.text), "login": .string(login), "password": "a long enough one",
                    "displayName": "Root",
                ]), from: harness.client)
        }
        #expect(await faults { try await create(void, "root") } == ["/token token_refused"])
        let admission = try await create(token, "root")
        #expect(admission.session.kind == .administrator)
        #expect(try await harness.services.sessions.authenticate(admission.token)?.isAdministrator == true)
        #expect(await faults { try await create(token, "root2") } == ["/token token_refused"])
        #expect(try await harness.services.administration.firstAdministratorToken() == nil)
    }

    @Test func `the first administrator's wrong form leaves the link good`() async throws {
        let harness = try AccountsHarness()
        let token = try #require(try await harness.services.administration.firstAdministratorToken())
        #expect(
            await faults {
                try await harness.services.administration.createFirst(
                    FirstAdministrator.form.input(["token": .string(token.text), "password": "x"]), from: harness.client
                )
            } == ["/displayName missing_field", "/login missing_field", "/password password_too_short"])
        #expect(try await harness.store.oneTimeToken(token.digest) != nil)
    }

    @Test func `an account made for somebody is entered by its invitation`() async throws {
        let harness = try AccountsHarness()
        let made = try await harness.services.administration.create(
            AccountCreation.form.input(["login": "bob", "displayName": "Bob"]), by: harness.server)
        let invitation = try #require(made.invitation)
        await #expect(throws: AccountError.refused) { try await harness.signIn("bob", "") }
        harness.pass(seconds: 7 * 86_400 - 1)
        let account = try await harness.services.passwords.redeem(
            PasswordReset.form.input(["token": .string(invitation.text), "password": "a long enough one"]),
            from: harness.client)
        #expect(account == made.account)
        try await harness.signIn("bob")
    }

    @Test func `a change of role ends no session, and disabling ends all`() async throws {
        let harness = try AccountsHarness()
        _ = try await harness.makeAdministrator("root")
        let first = try await harness.signUp("alice")
        let id = first.account.id
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["role": "administrator"]), of: id, by: harness.server)
        #expect(try await harness.services.sessions.authenticate(first.token)?.isAdministrator == true)
        let held = try #require(try await harness.services.administration.sessions(of: id).first)
        #expect((held.kind, held.id) == (.administrator, first.session.id))
        #expect(held.expiresAt == harness.now.adding(seconds: SessionKind.administrator.lifetime))
        let second = try await harness.signIn("alice")
        #expect(second.session.kind == .administrator)
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: id, by: harness.server)
        #expect(try await harness.services.sessions.authenticate(second.token) == nil)
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": false, "role": nil]), of: id, by: harness.server)
        #expect(try await harness.signIn("alice").session.kind == .student)
    }

    @Test func `what ends is told before the call returns`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice")
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: alice.account.id, by: harness.server)
        #expect(harness.events.items.contains(.sessionEnded(alice.session.id)))
        #expect(harness.events.items.contains(.accessChanged(alice.account.id)))
    }

    @Test func `an account is found by what its owner types`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice").account
        #expect(try await harness.services.administration.find(login: "ALICE") == alice)
        #expect(try await harness.services.administration.find(login: "bob") == nil)
        #expect(try await harness.services.administration.find(login: "no login") == nil)
    }

    @Test func `the last administrator stays`() async throws {
        let harness = try AccountsHarness()
        let root = try await harness.makeAdministrator("root").account.id
        // One who has no password yet cannot sign in, and does not count.
        _ = try await harness.services.administration.create(
            AccountCreation.form.input(["login": "later", "displayName": "Later", "role": "administrator"]),
            by: harness.server)
        for body: JSON in [["role": nil], ["disabled": true]] {
            #expect(
                await faults {
                    try await harness.services.administration.edit(
                        AdministrativeEdit.form.read(body), of: root, by: harness.server)
                }
                    == [" last_administrator"])
        }
        #expect(
            await faults { try await harness.services.profiles.delete(root, by: harness.server) } == [
                " last_administrator"
            ])
        _ = try await harness.makeAdministrator("second")
        try await harness.services.profiles.delete(root, by: harness.server)
    }

    @Test func `a search finds by text, role and state, page by page`() async throws {
        let harness = try AccountsHarness()
        _ = try await harness.makeAdministrator("root")
        for index in 0..<5 { try await harness.signUp("student\(index)") }
        let administration = harness.services.administration
        let third = try await administration.search(AccountQuery(text: "STUDENT3"))
        #expect(third.map(\.login.text) == ["student3"])
        _ = try await administration.edit(
            AdministrativeEdit.form.read(["disabled": true, "displayName": "Ünal"]), of: third[0].id, by: harness.server
        )
        #expect(try await administration.search(AccountQuery(text: "ÜNAL")).count == 1)
        #expect(try await administration.search(AccountQuery(isDisabled: true)).count == 1)
        #expect(try await administration.search(AccountQuery(role: .administrator)).map(\.login.text) == ["root"])
        #expect(try await administration.search(AccountQuery(text: "%")).isEmpty)
        let page = try await administration.search(AccountQuery(role: .none, limit: 2))
        let next = try await administration.search(AccountQuery(role: .none, after: page.last?.id, limit: 200))
        #expect((page + next).map(\.login.text) == (0..<5).map { "student\($0)" })
    }

    @Test func `a login changes to a free one only`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice").account.id
        try await harness.signUp("bob")
        let edit = { (login: JSON) in
            await faults {
                try await harness.services.administration.edit(
                    AdministrativeEdit.form.read(["login": login]), of: alice, by: harness.server)
            }
        }
        #expect(await edit("BOB") == ["/login login_taken"])
        #expect(await edit("b o b") == ["/login login_invalid"])
        #expect(await edit("carol") == [])
        try await harness.signIn("carol")
    }

    @Test func `every act leaves its line in the trail`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice")
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["displayName": "Alice B.", "familyName": "Liddell"]), of: alice.account.id,
            by: AuditContext(by: nil, from: "cli", at: harness.now, because: "asked for"))
        let line = try #require(try await harness.services.administration.audit(AuditQuery()).first)
        #expect(line.entry.action == "account.changed")
        #expect(line.entry.source == "cli")
        let detail = try JSON.parse(line.entry.detail ?? [])
        #expect(detail["before"]?["displayName"] == "alice")
        #expect(detail["after"]?["displayName"] == "Alice B.")
        #expect(detail["before"]?["familyName"]?.isNull == true && detail["after"]?["familyName"] == "Liddell")
        #expect(detail["reason"] == "asked for")
        let actions = try await harness.services.administration.audit(AuditQuery(limit: 3)).map(\.entry.action)
        #expect(actions == ["account.changed", "session.opened", "account.created"])
    }
}
