import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import SQLiteStore
import Shared
import Testing

@Suite struct ProofsTests {
    private func signedIn(_ harness: AccountsHarness, _ session: NewSession) async throws -> SignedIn {
        try #require(try await harness.services.sessions.authenticate(session.token))
    }

    @Test func `signing in is a proof for a quarter of an hour, and so is the password after it`() async throws {
        let harness = try AccountsHarness()
        let owner = try await signedIn(harness, harness.signUp("alice"))
        let proofs = harness.services.proofs
        try await proofs.require(of: owner)
        harness.pass(seconds: 899)
        try await proofs.require(of: owner)
        harness.pass(seconds: 1)
        await #expect(throws: StepUpRequired(ways: [.password])) { try await proofs.require(of: owner) }
        try await proofs.prove(
            ProofRequest.form.read(["password": "a long enough one"]), of: owner, from: harness.client)
        #expect(try await proofs.end(of: owner) == harness.now.adding(seconds: 900))
        harness.pass(seconds: 900)
        await #expect(throws: StepUpRequired(ways: [.password])) { try await proofs.require(of: owner) }
    }

    @Test func `a proof is one session's, and ends with it`() async throws {
        let harness = try AccountsHarness()
        let first = try await signedIn(harness, harness.signUp("alice"))
        let second = try await signedIn(harness, harness.signIn("alice"))
        harness.pass(seconds: 900)
        try await harness.services.proofs.prove(
            ProofRequest.form.read(["password": "a long enough one"]), of: first, from: harness.client)
        try await harness.services.proofs.require(of: first)
        await #expect(throws: StepUpRequired.self) { try await harness.services.proofs.require(of: second) }
        try await harness.services.sessions.end(first.session, of: first.account, from: "192.0.2.1")
        await #expect(throws: StepUpRequired.self) { try await harness.services.proofs.require(of: first) }
        await #expect(throws: StoreError.notFound) {
            try await harness.services.proofs.prove(
                ProofRequest.form.read(["password": "a long enough one"]), of: first, from: harness.client)
        }
    }

    @Test func `a wrong password proves nothing, and counts for the session alone`() async throws {
        let harness = try AccountsHarness()
        let owner = try await signedIn(harness, harness.signUp("alice"))
        harness.pass(seconds: 900)
        func prove(_ password: String) async throws {
            try await harness.services.proofs.prove(
                ProofRequest.form.read(["password": .string(password)]), of: owner, from: harness.client)
        }
        for _ in 0..<5 { #expect(await faults { try await prove("wrong") } == ["/password password_wrong"]) }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await prove("a long enough one") }
        try await harness.signIn("alice")
        harness.pass(seconds: 1)
        try await prove("a long enough one")
    }

    @Test func `a refused passkey counts like a wrong password, and what expired does not`() async throws {
        let harness = try AccountsHarness()
        let owner = try await signedIn(harness, harness.signUp("alice"))
        func prove(_ body: JSON) async throws {
            try await harness.services.proofs.prove(ProofRequest.form.read(body), of: owner, from: harness.client)
        }
        func refusals() async throws -> Int {
            try await harness.store.auditItems(AuditQuery(subject: owner.account.text)).count {
                $0.entry.action == "proof.refused"
            }
        }
        for _ in 0..<9 {
            #expect(await faults { try await prove(["provider": ["id": "x"]]) } == [" sign_in_expired"])
        }
        #expect(try await refusals() == 0)
        for _ in 0..<5 { await #expect(throws: FaultList.self) { try await prove(["passkey": [:]]) } }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await prove(["passkey": [:]]) }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await prove(["password": "a long enough one"])
        }
        #expect(try await refusals() == 5)
        harness.pass(seconds: 1)
        try await prove(["password": "a long enough one"])
    }

    @Test func `a code of the second factor proves once who one is`() async throws {
        let harness = try AccountsHarness()
        let owner = try await signedIn(harness, harness.signUp("alice"))
        let setup = try await harness.services.secondFactors.begin(for: owner.account)
        let password = OneTimePassword(seed: try #require(Base32.decode(setup.seed)))
        func code() -> JSON {
            ["totp": .string(password.code(at: OneTimePassword.step(at: harness.now.microseconds / 1_000_000)) ?? "")]
        }
        let codes = try await harness.services.secondFactors.confirm(
            SecondFactors.Confirmation.form.read(["code": code()["totp"] ?? .null]), of: owner, from: harness.client)
        harness.pass(seconds: 900)
        await #expect(throws: StepUpRequired(ways: [.totp])) {
            try await harness.services.proofs.require(of: owner)
        }
        try await harness.services.proofs.prove(ProofRequest.form.read(code()), of: owner, from: harness.client)
        try await harness.services.proofs.require(of: owner)
        #expect(
            await faults {
                try await harness.services.proofs.prove(ProofRequest.form.read(code()), of: owner, from: harness.client)
            }
                == ["/totp code_refused"])
        try await harness.services.proofs.prove(
            ProofRequest.form.read(["totp": .string(codes[0])]), of: owner, from: harness.client)
    }

    @Test func `exactly one way is shown`() async throws {
        let harness = try AccountsHarness()
        let owner = try await signedIn(harness, harness.signUp("alice"))
        func prove(_ body: JSON) async -> [String] {
            await faults {
                try await harness.services.proofs.prove(ProofRequest.form.read(body), of: owner, from: harness.client)
            }
        }
        #expect(await prove([:]) == ["/password missing_field"])
        #expect(await prove(["password": "a", "totp": "b"]) == ["/totp unknown_field"])
    }
}
