import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Shared
import TestKit
import Testing

@Suite struct APITokensTests {
    private func make(
        _ body: JSON = ["name": "Export", "scopes": ["records:read"]], by session: NewSession,
        in harness: AccountsHarness
    ) async throws -> (token: APIToken, secret: SecretToken) {
        try await harness.services.tokens.create(
            TokenRequest.form.input(body), in: session.session.id, of: session.account.id,
            by: AuditContext(by: session.account.id, from: "test", at: harness.now)
        ) { $0.contains(".") ? $0 : nil }
    }

    private func bearer(_ secret: SecretToken, in harness: AccountsHarness) async throws -> TokenBearer? {
        guard case .bearer(let bearer) = try await harness.services.tokens.authenticate(secret) else { return nil }
        return bearer
    }

    private func faults(_ body: JSON, by session: NewSession, in harness: AccountsHarness) async -> [String] {
        do {
            _ = try await make(body, by: session, in: harness)
            return []
        } catch let faults as FaultList {
            return faults.faults.map { "\($0.code) \($0.path)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a token acts for its owner within its scopes until its end`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        let (token, secret) = try await make(by: ada, in: harness)
        #expect(token.expiresAt == harness.now.adding(seconds: 90 * 86_400))
        let bearer = try #require(await bearer(secret, in: harness))
        #expect(bearer.acting.account == ada.account.id && bearer.scopes == [.recordsRead])
        #expect(Principal.token(bearer).has(.recordsRead) && !Principal.token(bearer).has(.recordsWrite))
        harness.pass(seconds: 90 * 86_400)
        #expect(try await harness.services.tokens.authenticate(secret) == .expired)
        #expect(try await harness.services.tokens.bearer(by: token.id, of: ada.account.id) == nil)
    }

    @Test func `the text of a token is known by its beginning and holds the secret`() async throws {
        let harness = try AccountsHarness()
        let (_, secret) = try await make(by: harness.signUp("ada"), in: harness)
        let text = APIToken.text(secret)
        #expect(text.hasPrefix("gct_") && text.utf8.count == 47)
        #expect(APIToken.secret(in: text.utf8) == secret)
        #expect(APIToken.secret(in: secret.text.utf8) == nil)
        #expect(APIToken.secret(in: "gct_".utf8) == nil)
    }

    @Test func `a token opens no session, and a session's token is no token`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        let (_, secret) = try await make(by: ada, in: harness)
        #expect(try await harness.services.sessions.authenticate(secret) == nil)
        #expect(try await harness.services.tokens.authenticate(ada.token) == .unknown)
    }

    @Test func `ends at once, for whoever remembers it`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        let (token, secret) = try await make(by: ada, in: harness)
        #expect(try await bearer(secret, in: harness) != nil && harness.services.tokens.recent(secret) != nil)
        let act = AuditContext(by: ada.account.id, from: "test", at: harness.now)
        try await harness.services.tokens.end(token.id, of: ada.account.id, by: act)
        #expect(harness.services.tokens.recent(secret) == nil)
        #expect(try await harness.services.tokens.authenticate(secret) == .unknown)
        #expect(harness.events.items.last == .tokenEnded(token.id))
        await #expect(throws: StoreError.notFound) {
            try await harness.services.tokens.end(token.id, of: ada.account.id, by: act)
        }
    }

    @Test func `a session that has ended makes no token, and neither does another account's`() async throws {
        let harness = try AccountsHarness()
        let (ada, bob) = (try await harness.signUp("ada"), try await harness.signUp("bob"))
        let act = AuditContext(by: ada.account.id, from: "test", at: harness.now)
        await #expect(throws: StoreError.notFound) {
            try await harness.services.tokens.create(
                TokenRequest.form.input(["name": "x", "scopes": ["profile:read"]]), in: bob.session.id,
                of: ada.account.id, by: act
            ) { $0 }
        }
        try await harness.services.sessions.end(ada.session.id, of: ada.account.id, from: "test")
        #expect(await faults(["name": "x", "scopes": ["profile:read"]], by: ada, in: harness) == ["notFound"])
    }

    @Test func `another account cannot end it`() async throws {
        let harness = try AccountsHarness()
        let (token, secret) = try await make(by: harness.signUp("ada"), in: harness)
        let bob = try await harness.signUp("bob").account.id
        await #expect(throws: StoreError.notFound) {
            try await harness.services.tokens.end(token.id, of: bob, by: harness.server)
        }
        #expect(try await bearer(secret, in: harness) != nil)
    }

    @Test func `opens nothing while its account is disabled`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        let (_, secret) = try await make(by: ada, in: harness)
        #expect(try await bearer(secret, in: harness) != nil)
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: ada.account.id, by: harness.server)
        #expect(try await bearer(secret, in: harness) == nil)
        #expect(harness.services.tokens.recent(secret) == nil)
    }

    @Test func `its uses are noted once in a quarter of an hour`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        let (_, secret) = try await make(by: ada, in: harness)
        let first = harness.now
        _ = try await bearer(secret, in: harness)
        harness.pass(seconds: 899)
        _ = try await bearer(secret, in: harness)
        #expect(try await harness.services.tokens.list(of: ada.account.id).map(\.usedAt) == [first])
        harness.pass(seconds: 1)
        _ = try await bearer(secret, in: harness)
        #expect(try await harness.services.tokens.list(of: ada.account.id).map(\.usedAt) == [harness.now])
    }

    @Test func `an account has so many tokens at most, those that expired not counted`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        for _ in 0..<APIToken.capacity {
            _ = try await make(["name": "x", "scopes": ["profile:read"], "days": 1], by: ada, in: harness)
        }
        #expect(await faults(["name": "x", "scopes": ["profile:read"]], by: ada, in: harness) == ["token_limit "])
        harness.pass(seconds: 86_400)
        #expect(await faults(["name": "x", "scopes": ["profile:read"]], by: ada, in: harness) == [])
    }

    @Test func `everything wrong with a request is told at once`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        #expect(await faults([:], by: ada, in: harness) == ["missing_field /name", "missing_field /scopes"])
        #expect(
            await faults(
                [
                    "name": "x", "scopes": ["records:read", "all"], "days": 401,
                    "networks": ["10.0.0.0/8", "everywhere"],
                ],
                by: ada, in: harness)
                == ["out_of_range /days", "network_invalid /networks/1", "out_of_range /scopes/1"])
        #expect(await faults(["name": "x", "scopes": []], by: ada, in: harness) == ["missing_field /scopes"])
        #expect(
            await faults(["name": "x", "scopes": ["backup"]], by: ada, in: harness)
                == ["missing_field /networks", "scope_refused /scopes"])
    }

    @Test func `administrators alone make tokens for backups, for listed addresses alone`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["role": "administrator"]), of: ada.account.id, by: harness.server)
        #expect(await faults(["name": "x", "scopes": ["backup"]], by: ada, in: harness) == ["missing_field /networks"])
        let body: JSON = ["name": "x", "scopes": ["backup"], "networks": ["192.0.2.1"]]
        #expect(try await make(body, by: ada, in: harness).token.networks == ["192.0.2.1"])
    }

    @Test func `an export tells of tokens and never of their secrets`() async throws {
        let harness = try AccountsHarness()
        let ada = try await harness.signUp("ada")
        let (token, secret) = try await make(by: ada, in: harness)
        var writer = JSONWriter()
        try await writer.object { writer async throws in
            try await harness.services.profiles.writeExport(of: ada.account.id, to: &writer)
        }
        let export = try JSON.parse(writer.bytes)
        #expect(export["tokens"]?.array?.first?["id"]?.string == token.id.text)
        #expect(!String(decoding: writer.bytes, as: UTF8.self).contains(secret.text))
    }
}
