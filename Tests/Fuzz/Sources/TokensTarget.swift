import Cryptography
import Rosefire
import Shared

private let secret = Array("the-secret-of-the-fuzzer-32-bytes-or-more".utf8)
private let secrets = try? RosefireSecrets(file: secret)
private let now = Timestamp(microseconds: 1_800_000_000_000_000)

/// Signed tokens: a text is read as it was written, nothing unsigned is believed, and of what is signed any payload may
/// come.
@Sendable func fuzzTokens(_ bytes: [UInt8]) {
    guard let secrets else { fatalError("no secrets") }
    _ = try? RosefireSecrets(file: bytes)
    if let text = String(validating: bytes, as: UTF8.self), let token = CompactToken(text: text) {
        promise(token.text == text, "two texts of one token")
        let isSigned = token.isSigned(byAnyOf: [HMACSHA256(key: secret)])
        promise(RosefireToken(text: text, secrets: secrets, at: now) == nil || isSigned, "believed unsigned")
    }
    let header = Array(#"{"alg":"HS256"}"#.utf8)
    for (header, payload) in [(header, bytes), (bytes, Array(#"{"iat":1800000000,"d":{"uid":"ada"}}"#.utf8))] {
        let text = CompactToken(header: header, payload: payload, key: HMACSHA256(key: secret)).text
        guard let token = RosefireToken(text: text, secrets: secrets, at: now) else { continue }
        promise((1...128).contains(token.subject.unicodeScalars.count), "a subject's length")
        promise(token.expiresAt > now, "an end in the past")
    }
}
