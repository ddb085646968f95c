import Accounts
import Cryptography
import Forms
import GradingKit
import Shared
import TestKit
import Testing

@Suite struct APITokensTests {
    private func make(
        _ body: JSON = ["name": "Export", "scopes": ["records:read"]], by session: NewSession,
        in room: AccountsHarness
    ) async throws -> (token: APIToken, secret: SecretToken) {
        try await room.services.tokens.create(
            TokenRequest.form.input(body), in: session.session.id, of: session.account.id,
            by: AuditContext(by: session.account.id, from: "test", at: room.now)
        ) { $0.contains(".") ? $0 : nil }
    }

    private func bearer(_ secret: SecretToken, in room: AccountsHarness) async throws -> TokenBearer? {
        guard case .bearer(let bearer) = try await room.services.tokens.authenticate(secret) else { return nil }
        return bearer
    }

    private func faults(_ body: JSON, by session: NewSession, in room: AccountsHarness) async -> [String] {
        do {
            _ = try await make(body, by: session, in: room)
            return []
        } catch let faults as FaultList {
            return faults.faults.map { "\($0.code) \($0.path)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a token acts for its owner within its scopes until its end`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        let (token, secret) = try await make(by: ada, in: room)
        #expect(token.expiresAt == room.now.adding(seconds: 90 * 86_400))
        let bearer = try #require(await bearer(secret, in: room))
        #expect(bearer.acting.account == ada.account.id && bearer.scopes == [.recordsRead])
        #expect(Principal.token(bearer).has(.recordsRead) && !Principal.token(bearer).has(.recordsWrite))
        room.pass(seconds: 90 * 86_400)
        #expect(try await room.services.tokens.authenticate(secret) == .expired)
        #expect(try await room.services.tokens.bearer(by: token.id, of: ada.account.id) == nil)
    }

    @Test func `the text of a token is known by its beginning and holds the secret`() async throws {
        let room = try AccountsHarness()
        let (_, secret) = try await make(by: room.signUp("ada"), in: room)
        let text = APIToken.text(secret)
        #expect(text.hasPrefix("gct_") && text.utf8.count == 47)
        #expect(APIToken.secret(in: text.utf8) == secret)
        #expect(APIToken.secret(in: secret.text.utf8) == nil)
        #expect(APIToken.secret(in: "gct_".utf8) == nil)
    }

    @Test func `a token opens no session, and a session's token is no token`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        let (_, secret) = try await make(by: ada, in: room)
        #expect(try await room.services.sessions.authenticate(secret) == nil)
        #expect(try await room.services.tokens.authenticate(ada.token) == .unknown)
    }

    @Test func `ends at once, for whoever remembers it`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        let (token, secret) = try await make(by: ada, in: room)
        #expect(try await bearer(secret, in: room) != nil && room.services.tokens.recent(secret) != nil)
        let act = AuditContext(by: ada.account.id, from: "test", at: room.now)
        try await room.services.tokens.end(token.id, of: ada.account.id, by: act)
        #expect(room.services.tokens.recent(secret) == nil)
        #expect(try await room.services.tokens.authenticate(secret) == .unknown)
        #expect(room.events.items.last == .tokenEnded(token.id))
        await #expect(throws: StoreError.notFound) {
            try await room.services.tokens.end(token.id, of: ada.account.id, by: act)
        }
    }

    @Test func `a session that has ended makes no token, and neither does another account's`() async throws {
        let room = try AccountsHarness()
        let (ada, bob) = (try await room.signUp("ada"), try await room.signUp("bob"))
        let act = AuditContext(by: ada.account.id, from: "test", at: room.now)
        await #expect(throws: StoreError.notFound) {
            try await room.services.tokens.create(
                TokenRequest.form.input(["name": "x", "scopes": ["profile:read"]]), in: bob.session.id,
                of: ada.account.id, by: act
            ) { $0 }
        }
        try await room.services.sessions.end(ada.session.id, of: ada.account.id, from: "test")
        #expect(await faults(["name": "x", "scopes": ["profile:read"]], by: ada, in: room) == ["notFound"])
    }

    @Test func `another account cannot end it`() async throws {
        let room = try AccountsHarness()
        let (token, secret) = try await make(by: room.signUp("ada"), in: room)
        let bob = try await room.signUp("bob").account.id
        await #expect(throws: StoreError.notFound) {
            try await room.services.tokens.end(token.id, of: bob, by: room.server)
        }
        #expect(try await bearer(secret, in: room) != nil)
    }

    @Test func `opens nothing while its account is disabled`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        let (_, secret) = try await make(by: ada, in: room)
        #expect(try await bearer(secret, in: room) != nil)
        _ = try await room.services.administration.edit(
            AdministrativeEdit(["disabled": true]), of: ada.account.id, by: room.server)
        #expect(try await bearer(secret, in: room) == nil)
        #expect(room.services.tokens.recent(secret) == nil)
    }

    @Test func `its uses are noted once in a quarter of an hour`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        let (_, secret) = try await make(by: ada, in: room)
        let first = room.now
        _ = try await bearer(secret, in: room)
        room.pass(seconds: 899)
        _ = try await bearer(secret, in: room)
        #expect(try await room.services.tokens.list(of: ada.account.id).map(\.usedAt) == [first])
        room.pass(seconds: 1)
        _ = try await bearer(secret, in: room)
        #expect(try await room.services.tokens.list(of: ada.account.id).map(\.usedAt) == [room.now])
    }

    @Test func `an account has so many tokens at most, those that expired not counted`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        for _ in 0..<APIToken.capacity {
            _ = try await make(["name": "x", "scopes": ["profile:read"], "days": 1], by: ada, in: room)
        }
        #expect(await faults(["name": "x", "scopes": ["profile:read"]], by: ada, in: room) == ["token_limit "])
        room.pass(seconds: 86_400)
        #expect(await faults(["name": "x", "scopes": ["profile:read"]], by: ada, in: room) == [])
    }

    @Test func `everything wrong with a request is told at once`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        #expect(await faults([:], by: ada, in: room) == ["missing_field /name", "missing_field /scopes"])
        #expect(
            await faults(
                [
                    "name": "x", "scopes": ["records:read", "all"], "days": 401,
                    "networks": ["10.0.0.0/8", "everywhere"],
                ],
                by: ada, in: room)
                == ["out_of_range /days", "network_invalid /networks/1", "out_of_range /scopes/1"])
        #expect(await faults(["name": "x", "scopes": []], by: ada, in: room) == ["missing_field /scopes"])
        #expect(
            await faults(["name": "x", "scopes": ["backup"]], by: ada, in: room)
                == ["missing_field /networks", "scope_refused /scopes"])
    }

    @Test func `administrators alone make tokens for backups, for listed addresses alone`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        _ = try await room.services.administration.edit(
            AdministrativeEdit(["role": "administrator"]), of: ada.account.id, by: room.server)
        #expect(await faults(["name": "x", "scopes": ["backup"]], by: ada, in: room) == ["missing_field /networks"])
        let body: JSON = ["name": "x", "scopes": ["backup"], "networks": ["192.0.2.1"]]
        #expect(try await make(body, by: ada, in: room).token.networks == ["192.0.2.1"])
    }

    @Test func `an export tells of tokens and never of their secrets`() async throws {
        let room = try AccountsHarness()
        let ada = try await room.signUp("ada")
        let (token, secret) = try await make(by: ada, in: room)
        var writer = JSONWriter()
        try await writer.object { writer async throws in
            try await room.services.profiles.writeExport(of: ada.account.id, to: &writer)
        }
        let export = try JSON.parse(writer.bytes)
        #expect(export["tokens"]?.array?.first?["id"]?.string == token.id.text)
        #expect(!String(decoding: writer.bytes, as: UTF8.self).contains(secret.text))
    }
}
