import Cryptography
import Institutions
import Shared
import Testing

@Suite struct WebhookSignatureTests {
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let moment = Timestamp(microseconds: 1_614_265_330_999_999)

    @Test func `a message is signed as Standard Webhooks defines it`() throws {
        let secret = try #require(WebhookSecret(text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(of: Self.body, "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Self.moment)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `each secret that holds signs beside the others`() throws {
        let first = WebhookSecret(random: RandomSource { Array(repeating: 1, count: $0) })
        let second = WebhookSecret(random: RandomSource { Array(repeating: 2, count: $0) })
        let headers = WebhookSecret.headers(of: Self.body, "msg_1", at: Self.moment, signedBy: [first, second])
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers[1].value == "1614265330")
        let signatures = headers[2].value.split(separator: " ").map { String($0) }
        #expect(signatures == [first, second].map { $0.signature(of: Self.body, "msg_1", at: Self.moment) })
    }

    @Test func `a secret survives being written, and is not written by accident`() throws {
        let secret = WebhookSecret(random: .system)
        #expect(secret.text.hasPrefix("whsec_") && secret.text.utf8.count == 50)
        #expect(WebhookSecret(text: secret.text) == secret)
        #expect(!"\(secret)".contains(secret.text.dropFirst(6)))
    }

    @Test func `a secret that was replaced signs for a day`() {
        let secrets = WebhookSecrets(current: [2], former: [1], formerUntil: Self.moment)
        #expect(secrets.signing(at: Self.moment.adding(seconds: -1)) == [[2], [1]])
        #expect(secrets.signing(at: Self.moment) == [[2]])
    }
}
