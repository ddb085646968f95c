import Forms
import GradingKit
import Institutions
import SQLiteStore
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct IdempotentAnswersTests {
    private struct Failure: Error {}

    private let harness: ProgramHarness
    private let answers: IdempotentAnswers
    private let key = IdempotencyKey(key: "k", digest: [1])
    private let account = AccountID("a")

    init() async throws {
        harness = try await ProgramHarness()
        answers = IdempotentAnswers(store: harness.store)
    }

    /// What a request is answered that makes something of this text and keeps it.
    private func ask(_ text: String, under key: IdempotencyKey?, failing: Bool = false) async throws -> String {
        let answer = try await answers.answer(under: key, of: account, at: harness.act.at) {
            _ = try await harness.institutions.tenants.create(
                NewInstitution.form.input(["slug": .string(text), "title": .string(text)]), by: harness.act
            ) { _ in
                key.map {
                    KeptAnswer(
                        key: $0, account: account, at: harness.act.at,
                        answer: StoredAnswer(.created, body: Array(text.utf8)))
                }
            }
            if failing { throw Failure() }
            return "made \(text)"
        }
        switch answer {
        case .made(let text): return text
        case .kept(let kept): return "kept \(String(decoding: kept.answer.body, as: UTF8.self))"
        }
    }

    @Test func `without a key everything is made anew`() async throws {
        #expect(try await ask("one", under: nil) == "made one")
        #expect(try await ask("two", under: nil) == "made two")
    }

    @Test func `with a key the first answer is given again`() async throws {
        #expect(try await ask("one", under: key) == "kept one")
        #expect(try await ask("two", under: key) == "kept one")
        await #expect(throws: StoreError.idempotencyMismatch) {
            _ = try await ask("three", under: IdempotencyKey(key: "k", digest: [2]))
        }
    }

    @Test func `an answer that is there counts, whatever the request failed of since`() async throws {
        #expect(try await ask("one", under: key, failing: true) == "kept one")
        await #expect(throws: Failure.self) { _ = try await ask("two", under: nil, failing: true) }
    }
}
