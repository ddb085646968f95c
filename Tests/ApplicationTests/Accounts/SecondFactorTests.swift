import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import SQLiteStore
import Shared
import Testing

@Suite struct SecondFactorTests {
    /// A person with an authenticator app, and what only that person has.
    private struct Owner {
        let harness: AccountsHarness
        let session: NewSession
        let seed: [UInt8]
        let recoveryCodes: [String]

        var account: AccountID { session.account.id }

        init(_ harness: AccountsHarness, _ login: String = "alice") async throws {
            self.harness = harness
            session = try await harness.signUp(login)
            let factors = harness.services.secondFactors
            let setup = try await factors.begin(for: session.account.id)
            seed = try #require(Base32.decode(setup.seed))
            let signedIn = try #require(try await harness.services.sessions.authenticate(session.token))
            let code = OneTimePassword(seed: seed).code(at: Self.step(harness)) ?? ""
            recoveryCodes = try await factors.confirm(
                SecondFactors.Confirmation.form.read(["code": .string(code)]), of: signedIn, from: harness.client)
        }

        private static func step(_ harness: AccountsHarness) -> Int64 {
            OneTimePassword.step(at: harness.now.microseconds / 1_000_000)
        }

        func code(_ steps: Int64 = 0) -> String {
            OneTimePassword(seed: seed).code(at: Self.step(harness) + steps) ?? ""
        }

        func challenge(device: SecretToken? = nil) async throws -> SecretToken {
            do {
                try await harness.signIn("alice", device: device)
            } catch let required as SecondFactorRequired {
                return required.challenge
            }
            throw AccountError.refused
        }

        @discardableResult
        func answer(
            _ challenge: SecretToken, _ code: String, device: SecretToken? = nil, from source: String = "192.0.2.1"
        ) async throws -> NewSession {
            try await harness.services.secondFactorSignIn(
                SecondFactorSignIn.form.read(["challenge": .string(challenge.text), "code": .string(code)]),
                device: device,
                from: Client(source: source))
        }
    }

    @Test func `a right password is not enough, and a code lets in once`() async throws {
        let owner = try await Owner(AccountsHarness())
        owner.harness.pass(seconds: 30)
        let code = owner.code()
        let session = try await owner.answer(owner.challenge(), code)
        #expect(session.account.id == owner.account)
        let challenge = try await owner.challenge()
        #expect(await faults { try await owner.answer(challenge, code) } == ["/code code_refused"])
        owner.harness.pass(seconds: 30)
        try await owner.answer(challenge, " \(owner.code().prefix(3)) \(owner.code().suffix(3)) ")
    }

    @Test func `the code that confirmed the app does not sign in as well`() async throws {
        let owner = try await Owner(AccountsHarness())
        let challenge = try await owner.challenge()
        #expect(await faults { try await owner.answer(challenge, owner.code()) } == ["/code code_refused"])
        try await owner.answer(challenge, owner.code(1))
    }

    @Test func `each of ten recovery codes lets in once, however it is typed`() async throws {
        let owner = try await Owner(AccountsHarness())
        #expect(Set(owner.recoveryCodes).count == 10)
        let typed = owner.recoveryCodes[0].lowercased().replacing("-", with: " ")
        try await owner.answer(owner.challenge(), typed)
        let challenge = try await owner.challenge()
        #expect(await faults { try await owner.answer(challenge, typed) } == ["/code code_refused"])
        try await owner.answer(challenge, owner.recoveryCodes[1])
        let state = try await owner.harness.services.secondFactors.state(of: owner.account)
        #expect(state.recoveryCodes.count == 8)
    }

    @Test func `new recovery codes void the ones before`() async throws {
        let owner = try await Owner(AccountsHarness())
        let fresh = try await owner.harness.services.secondFactors.renewRecoveryCodes(
            of: owner.account, from: owner.harness.client)
        let challenge = try await owner.challenge()
        #expect(await faults { try await owner.answer(challenge, owner.recoveryCodes[0]) } == ["/code code_refused"])
        try await owner.answer(challenge, fresh[0])
    }

    @Test func `a challenge ends after five wrong codes, after five minutes and once it is answered`() async throws {
        let owner = try await Owner(AccountsHarness())
        let tried = try await owner.challenge()
        for index in 0..<5 {
            #expect(await faults { try await owner.answer(tried, "wrong \(index)") } == ["/code code_refused"])
        }
        owner.harness.pass(seconds: 60)
        #expect(await faults { try await owner.answer(tried, owner.code()) } == [" sign_in_expired"])
        let trail = try await owner.harness.store.auditItems(AuditQuery(subject: owner.account.text)).map(
            \.entry.action)
        #expect(trail.contains("second-factor.refused"))

        let late = try await owner.challenge()
        owner.harness.pass(seconds: 300)
        #expect(await faults { try await owner.answer(late, owner.code()) } == [" sign_in_expired"])

        let used = try await owner.challenge()
        try await owner.answer(used, owner.code())
        owner.harness.pass(seconds: 30)
        #expect(await faults { try await owner.answer(used, owner.code()) } == [" sign_in_expired"])
    }

    @Test func `wrong codes slow down from every source, and no right password makes them forgotten`() async throws {
        let owner = try await Owner(AccountsHarness())
        for index in 0..<5 {
            let challenge = try await owner.challenge()
            let source = "198.51.100.\(index)"
            #expect(
                await faults { try await owner.answer(challenge, "000000", from: source) } == ["/code code_refused"])
        }
        let challenge = try await owner.challenge()
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await owner.answer(challenge, owner.code(1), from: "203.0.113.9")
        }
        owner.harness.pass(seconds: 1)
        try await owner.answer(challenge, owner.code(1), from: "203.0.113.9")
    }

    @Test func `wrong codes count until a right one, however long ago they were, also after a reset`() async throws {
        let owner = try await Owner(AccountsHarness())
        func guess(_ times: Int) async throws {
            for _ in 0..<times {
                let challenge = try await owner.challenge()
                #expect(await faults { try await owner.answer(challenge, "000000") } == ["/code code_refused"])
            }
        }
        func retryAfter() async throws -> AccountError? {
            let challenge = try await owner.challenge()
            do {
                try await owner.answer(challenge, "000000")
                return nil
            } catch let error as AccountError {
                return error
            }
        }
        try await guess(5)
        owner.harness.pass(seconds: 7_200)
        try await guess(1)
        #expect(try await retryAfter() == .throttled(retryAfter: 2))
        owner.harness.pass(seconds: 2)
        try await owner.answer(try await owner.challenge(), owner.code())
        try await guess(5)
        #expect(try await retryAfter() == .throttled(retryAfter: 1))
        let token = try await owner.harness.services.administration.reset(owner.account, by: owner.harness.server)
        _ = try await owner.harness.services.passwords.redeem(
            PasswordReset.form.input(["token": .string(token.text), "password": "a long enough one"]),
            from: owner.harness.client)
        #expect(try await retryAfter() == .throttled(retryAfter: 1))
    }

    @Test func `a known device gets its owner in while another person guesses`() async throws {
        let owner = try await Owner(AccountsHarness())
        for _ in 0..<5 {
            let challenge = try await owner.challenge()
            _ = await faults { try await owner.answer(challenge, "000000") }
        }
        let device = owner.session.device
        let session = try await owner.answer(owner.challenge(device: device), owner.code(1), device: device)
        #expect(session.device == device)
    }

    @Test func `a password that is right counts for nothing until the second factor is shown`() async throws {
        let owner = try await Owner(AccountsHarness())
        for _ in 0..<4 {
            await #expect(throws: AccountError.refused) { try await owner.harness.signIn("alice", "wrong") }
        }
        let challenge = try await owner.challenge()
        await #expect(throws: AccountError.refused) { try await owner.harness.signIn("alice", "wrong") }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await owner.harness.signIn("alice", "wrong")
        }
        try await owner.answer(challenge, owner.code(1))
        await #expect(throws: AccountError.refused) { try await owner.harness.signIn("alice", "wrong") }
    }

    @Test func `a reset of the password does not skip the second factor, and ends sign-ins that wait for it`()
        async throws
    {
        let owner = try await Owner(AccountsHarness())
        let waiting = try await owner.challenge()
        let token = try await owner.harness.services.administration.reset(owner.account, by: owner.harness.server)
        _ = try await owner.harness.services.passwords.redeem(
            PasswordReset.form.input(["token": .string(token.text), "password": "another long enough one"]),
            from: owner.harness.client)
        #expect(await faults { try await owner.answer(waiting, owner.code(1)) } == [" sign_in_expired"])
        await #expect(throws: SecondFactorRequired.self) {
            try await owner.harness.signIn("alice", "another long enough one")
        }
    }

    @Test func `an identity that is removed while its sign-in waits opens nothing`() async throws {
        let owner = try await Owner(AccountsHarness())
        let (store, secret) = (owner.harness.store, SecretToken(random: .system))
        let proof = SignInProof.identity(issuer: "rosefire", subject: "ada")
        let end = owner.harness.now.adding(seconds: SignInChallenge.lifetime)
        try await store.issue(
            SignInChallenge(account: owner.account, proof: proof, expiresAt: end), digest: secret.digest,
            at: owner.harness.now)
        let before = try await store.sessions(of: owner.account)
        #expect(await faults { try await owner.answer(secret, owner.code(1)) } == [" sign_in_expired"])
        #expect(try await store.sessions(of: owner.account) == before)
    }

    @Test func `a disabled account answers no challenge`() async throws {
        let owner = try await Owner(AccountsHarness())
        let waiting = try await owner.challenge()
        _ = try await owner.harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: owner.account, by: owner.harness.server)
        #expect(await faults { try await owner.answer(waiting, owner.code(1)) } == [" sign_in_expired"])
    }

    @Test func `an app counts once it has shown a code, and only for ten minutes`() async throws {
        let harness = try AccountsHarness()
        let session = try await harness.signUp("alice")
        let signedIn = try #require(try await harness.services.sessions.authenticate(session.token))
        let factors = harness.services.secondFactors
        func confirm(_ code: String) async -> [String] {
            await faults {
                try await factors.confirm(
                    SecondFactors.Confirmation.form.read(["code": .string(code)]), of: signedIn, from: harness.client)
            }
        }
        #expect(await confirm("123456") == [" sign_in_expired"])
        let setup = try await factors.begin(for: session.account.id)
        #expect(setup.address.hasPrefix("otpauth://totp/Gradecast:alice?secret=\(setup.seed)&issuer=Gradecast&"))
        #expect(await confirm("12345") == ["/code code_refused"])
        try await harness.signIn("alice")
        harness.pass(seconds: 600)
        let seed = try #require(Base32.decode(setup.seed))
        let code = OneTimePassword(seed: seed).code(at: OneTimePassword.step(at: harness.now.microseconds / 1_000_000))
        #expect(await confirm(code ?? "") == [" sign_in_expired"])
        try await harness.signIn("alice")
    }

    @Test func `another app takes the place of the one before only when it has shown a code`() async throws {
        let owner = try await Owner(AccountsHarness())
        _ = try await owner.harness.services.secondFactors.begin(for: owner.account)
        try await owner.answer(owner.challenge(), owner.code(1))
    }

    @Test func `without a second factor the password is enough again, which the trail tells`() async throws {
        let owner = try await Owner(AccountsHarness())
        let waiting = try await owner.challenge()
        try await owner.harness.services.secondFactors.remove(of: owner.account, by: owner.harness.server)
        #expect(await faults { try await owner.answer(waiting, owner.recoveryCodes[0]) } == [" sign_in_expired"])
        try await owner.harness.signIn("alice")
        await #expect(throws: StoreError.notFound) {
            try await owner.harness.services.secondFactors.remove(of: owner.account, by: owner.harness.server)
        }
        await #expect(throws: StoreError.notFound) {
            try await owner.harness.services.secondFactors.renewRecoveryCodes(
                of: owner.account, from: owner.harness.client)
        }
        let trail = try await owner.harness.store.auditItems(AuditQuery(subject: owner.account.text)).map(
            \.entry.action)
        #expect(trail.contains("second-factor.set") && trail.contains("second-factor.removed"))
    }

    @Test func `the store holds neither the seed nor a recovery code`() async throws {
        let owner = try await Owner(AccountsHarness())
        let stored = try await owner.harness.store.secondFactor(of: owner.account)
        let sealed = try #require(stored.app?.seed)
        #expect(!sealed.hexadecimal.contains(owner.seed.hexadecimal))
        let codes = owner.recoveryCodes.compactMap { Base32.decode($0.replacing("-", with: "")) }
        #expect(codes.map { TokenDigest(bytes: SHA256.hash($0)) } == stored.recoveryCodes)
    }

    @Test func `a seed that another key has sealed is no code, and recovery codes still let in`() async throws {
        let owner = try await Owner(AccountsHarness())
        let services = AccountServices(
            store: owner.harness.store,
            hasher: try PasswordHasher(cost: Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended),
            clock: WallClock { [harness = owner.harness] in harness.now }, isStaff: { _ in false })
        func challenge() async throws -> String {
            do {
                _ = try await services.signIn(
                    Credentials(login: "alice", password: Password("a long enough one")), from: owner.harness.client)
            } catch let required as SecondFactorRequired {
                return required.challenge.text
            }
            return ""
        }
        let waiting = try await challenge()
        func answer(_ code: String) async throws {
            _ = try await services.secondFactorSignIn(
                SecondFactorSignIn.form.read(["challenge": .string(waiting), "code": .string(code)]), device: nil,
                from: owner.harness.client)
        }
        #expect(await faults { try await answer(owner.code(1)) } == ["/code code_refused"])
        try await answer(owner.recoveryCodes[0])
    }
}
